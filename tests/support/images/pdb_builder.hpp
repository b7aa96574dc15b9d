// Small program databases: modules with functions and annotations, and enumerations.
#pragma once

#include <etl/byte_writer.hpp>

#include "tests/support/stream_files.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::test {

class PdbBuilder {
public:
    static constexpr std::size_t block_size = 512;

    PdbBuilder() { begin_module(); }

    /// From here on the symbols of another module.
    PdbBuilder& begin_module() {
        modules_.emplace_back().u32(4); // signature of C13 symbols
        return *this;
    }

    /// A function around the annotations that follow, up to end_function().
    PdbBuilder& begin_function(std::string_view name) {
        ByteWriter content;
        const std::size_t where = modules_.back().size() + 4;
        content.u32(0).u32(0).u32(0);
        content.u32(16).u32(0).u32(0).u32(0).u32(0).u16(1).u8(0).zero_terminated8(name);
        symbol(0x1110, content);
        function_ = where + 4;
        return *this;
    }

    PdbBuilder& end_function() {
        const auto here = static_cast<std::uint32_t>(modules_.back().size());
        modules_.back().patch(function_, here);
        symbol(0x0006, {});
        return *this;
    }

    PdbBuilder& annotation(const std::vector<std::string>& texts) {
        ByteWriter content;
        content.u32(0).u16(1).u16(static_cast<std::uint16_t>(texts.size()));
        for (const std::string& text : texts) {
            content.zero_terminated8(text);
        }
        symbol(0x1019, content);
        return *this;
    }

    PdbBuilder& enumeration(std::string_view name,
                            const std::vector<std::pair<std::string, std::uint16_t>>& members) {
        ByteWriter list;
        for (const auto& [member, value] : members) {
            list.u16(0x1502).u16(3);
            if (value >= 0x8000) {
                list.u16(0x8002);
            }
            list.u16(value).zero_terminated8(member);
            while (list.size() % 4 != 0) {
                list.u8(static_cast<std::uint8_t>(0xF0 + 4 - list.size() % 4));
            }
        }
        record(types_, 0x1203, list);
        ByteWriter type;
        type.u16(static_cast<std::uint16_t>(members.size())).u16(0).u32(0x75);
        type.u32(0x1000 + types_written_).zero_terminated8(name);
        record(types_, 0x1507, type);
        types_written_ += 2;
        return *this;
    }

    Image build() const {
        std::vector<Image> streams{{}, {}, type_stream(), debug_stream()};
        for (const ByteWriter& module : modules_) {
            streams.push_back(image_of(module));
        }
        return msf_of(streams, block_size);
    }

private:
    static Image image_of(const ByteWriter& from) {
        return {from.view().begin(), from.view().end()};
    }

    static void record(ByteWriter& to, std::uint16_t kind, const ByteWriter& content) {
        const std::size_t padding = (0 - content.size()) & 3U;
        to.u16(static_cast<std::uint16_t>(2 + content.size() + padding)).u16(kind);
        to.bytes(content.view()).fill(padding);
    }

    void symbol(std::uint16_t kind, const ByteWriter& content) {
        record(modules_.back(), kind, content);
    }

    Image type_stream() const {
        ByteWriter out;
        out.u32(20040203).u32(56).u32(0x1000).u32(0x1000 + types_written_);
        out.u32(static_cast<std::uint32_t>(types_.size())).fill(36).bytes(types_.view());
        return image_of(out);
    }

    Image debug_stream() const {
        ByteWriter list;
        std::uint16_t stream = 4;
        for (const ByteWriter& module : modules_) {
            list.fill(34).u16(stream++).u32(static_cast<std::uint32_t>(module.size())).fill(24);
            list.zero_terminated8("module.obj").zero_terminated8("module.obj");
            list.fill((0 - list.size()) & 3U);
        }
        ByteWriter out;
        out.u32(0xFFFFFFFF).u32(19990903).u32(1).fill(12);
        out.u32(static_cast<std::uint32_t>(list.size())).fill(36).bytes(list.view());
        return image_of(out);
    }

    std::vector<ByteWriter> modules_;
    ByteWriter types_;
    std::uint32_t types_written_ = 0;
    std::size_t function_ = 0; // where the offset of its end stands
};

} // namespace etl::test
