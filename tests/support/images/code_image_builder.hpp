// Executables with exports, unwind information, and a debug directory.
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/guid.hpp>

#include "tests/support/traces/trace_builder.hpp"

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace etl::test {

class CodeImageBuilder {
public:
    static constexpr std::uint32_t code = 0x1000; // the section of code, 4 KB
    static constexpr std::uint32_t data = 0x2000; // the section with everything else
    static constexpr std::uint32_t first_ordinal = 5;

    explicit CodeImageBuilder(std::uint16_t machine = 0x8664) : machine_(machine) {}

    CodeImageBuilder& exported(std::string_view name, std::uint32_t rva) {
        exports_.push_back({std::string(name), rva, {}});
        return *this;
    }

    CodeImageBuilder& exported_by_ordinal(std::uint32_t rva) { return exported({}, rva); }

    CodeImageBuilder& forwarded(std::string_view name, std::string_view to) {
        exports_.push_back({std::string(name), 0, std::string(to)});
        return *this;
    }

    /// x64: a function, or a part of the function at `parent`.
    CodeImageBuilder& function(std::uint32_t begin, std::uint32_t end) {
        functions_.u32(begin).u32(end).u32(data +
                                           static_cast<std::uint32_t>(unwind_at + unwind_.size()));
        unwind_.u8(1).u8(0).u8(0).u8(0);
        return *this;
    }

    CodeImageBuilder& part(std::uint32_t begin, std::uint32_t end, std::uint32_t parent_begin,
                           std::uint32_t parent_end) {
        const auto here = data + static_cast<std::uint32_t>(unwind_at + unwind_.size());
        functions_.u32(begin).u32(end).u32(here);
        unwind_.u8(1U | 4U << 3U).u8(0).u8(1).u8(0).u32(0);
        unwind_.u32(parent_begin).u32(parent_end).u32(data + static_cast<std::uint32_t>(unwind_at));
        return *this;
    }

    /// ARM64: a function with its size in the entry, or in unwind information.
    CodeImageBuilder& arm_function(std::uint32_t begin, std::uint32_t size, bool is_packed) {
        const auto here = data + static_cast<std::uint32_t>(unwind_at + unwind_.size());
        functions_.u32(begin).u32(is_packed ? size / 4 << 2U | 1U : here);
        if (!is_packed) {
            unwind_.u32(size / 4);
        }
        return *this;
    }

    CodeImageBuilder& database(const Guid& guid, std::uint32_t age, std::string_view path,
                               bool is_portable = false) {
        ByteWriter content;
        content.u32(0x53445352).guid(guid).u32(age).zero_terminated8(path);
        debug_.emplace_back(is_portable ? 0x504D0100U : 0U, 2U, content.take());
        return *this;
    }

    /// A portable database, compressed, and its size before.
    CodeImageBuilder& embedded(Bytes compressed, std::size_t size) {
        ByteWriter content;
        content.u32(0x4244504D).u32(static_cast<std::uint32_t>(size)).bytes(compressed);
        debug_.emplace_back(0U, 17U, content.take());
        return *this;
    }

    Image build() const {
        const Image content = data_section();
        ByteWriter out;
        out.u16(0x5A4D).fill(0x3A).u32(0x40);
        out.u32(0x00004550).u16(machine_).u16(2).u32(0x5F00AB12).u64(0).u16(112 + 16 * 8).u16(0);
        out.u16(0x20B).fill(54).u32(0x6000).fill(48).u32(16);
        directory(out, exports_.empty() ? 0 : data, 0x400);
        out.fill(16);
        directory(out, data + functions_at, static_cast<std::uint32_t>(functions_.size()));
        out.fill(16);
        directory(out, data + debug_at, static_cast<std::uint32_t>(28 * debug_.size()));
        out.fill(9 * 8);
        section(out, code, 0x1000, 0x200, 0x200);
        section(out, data, static_cast<std::uint32_t>(content.size()), 0x400,
                static_cast<std::uint32_t>(content.size()));
        out.align(0x200).fill(0x200).bytes(content);
        return {out.view().begin(), out.view().end()};
    }

private:
    // Offsets in the section of data.
    static constexpr std::size_t functions_at = 0x400;
    static constexpr std::size_t unwind_at = 0x600;
    static constexpr std::size_t debug_at = 0x800;
    static constexpr std::size_t debug_content_at = 0x880;
    static constexpr std::uint32_t data_offset = 0x400; // in the file

    struct Exported {
        std::string name;
        std::uint32_t rva = 0;
        std::string forward;
    };

    static void directory(ByteWriter& out, std::uint32_t rva, std::uint32_t size) {
        out.u32(size == 0 || rva == 0 ? 0 : rva).u32(rva == 0 ? 0 : size);
    }

    static void section(ByteWriter& out, std::uint32_t rva, std::uint32_t memory,
                        std::uint32_t offset, std::uint32_t size) {
        out.u64(0).u32(memory).u32(rva).u32(size).u32(offset).fill(16);
    }

    static void fill_to(ByteWriter& out, std::size_t offset) { out.fill(offset - out.size()); }

    Image data_section() const {
        ByteWriter out;
        write_exports(out);
        fill_to(out, functions_at);
        out.bytes(functions_.view());
        fill_to(out, unwind_at);
        out.bytes(unwind_.view());
        fill_to(out, debug_at);
        std::uint32_t at = data_offset + debug_content_at;
        for (const auto& [version, type, content] : debug_) {
            const auto size = static_cast<std::uint32_t>(content.size());
            out.u64(0).u32(version).u32(type).u32(size).u32(0).u32(at);
            at += size;
        }
        fill_to(out, debug_content_at);
        for (const auto& [version, type, content] : debug_) {
            out.bytes(content);
        }
        out.align(0x200);
        return {out.view().begin(), out.view().end()};
    }

    void write_exports(ByteWriter& out) const {
        constexpr std::uint32_t header_size = 40;
        const auto count = static_cast<std::uint32_t>(exports_.size());
        std::vector<std::uint16_t> named;
        for (std::uint16_t i = 0; i < count; ++i) {
            if (!exports_[i].name.empty()) {
                named.push_back(i);
            }
        }
        const auto names = static_cast<std::uint32_t>(named.size());
        const std::uint32_t addresses_at = data + header_size;
        const std::uint32_t names_at = addresses_at + 4 * count;
        const std::uint32_t ordinals_at = names_at + 4 * names;
        std::uint32_t text_at = ordinals_at + 2 * names;
        ByteWriter texts;
        const auto text = [&](std::string_view value) {
            const std::uint32_t here = text_at + static_cast<std::uint32_t>(texts.size());
            texts.zero_terminated8(value);
            return here;
        };
        out.fill(16).u32(first_ordinal).u32(count).u32(names);
        out.u32(addresses_at).u32(names_at).u32(ordinals_at);
        for (const Exported& one : exports_) {
            out.u32(one.forward.empty() ? one.rva : text(one.forward));
        }
        for (const std::uint16_t index : named) {
            out.u32(text(exports_[index].name));
        }
        for (const std::uint16_t index : named) {
            out.u16(index);
        }
        out.bytes(texts.view());
    }

    std::uint16_t machine_;
    std::vector<Exported> exports_;
    ByteWriter functions_;
    ByteWriter unwind_;
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::vector<std::byte>>> debug_;
};

} // namespace etl::test
