// Program databases with everything that symbols are found by: modules with procedures, inlined
// functions and lines, public symbols, sections, a map to the original image.
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/guid.hpp>

#include "tests/support/images/inline_annotations.hpp"
#include "tests/support/stream_files.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace etl::test {

/// Rows of lines of one contribution: offset from its beginning, line, file.
struct LineText {
    std::uint32_t offset = 0, line = 0;
    std::size_t file = 0;
};

class DatabaseBuilder {
public:
    static constexpr std::size_t checksum_size = 8;

    static constexpr Guid guid = *parse_guid("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0");

    /// Replaces the GUID and the age, which are `guid` and 3.
    DatabaseBuilder& identity(const Guid& id, std::uint32_t age) {
        guid_ = id;
        age_ = age;
        return *this;
    }

    /// A section of code at this address.
    DatabaseBuilder& section(std::uint32_t rva, std::uint32_t size) {
        append_section(sections_, rva, size);
        return *this;
    }

    /// A section of a native image, whose database has a section map instead of section headers.
    /// The map ends with a sentinel.
    DatabaseBuilder& mapped_section(std::uint32_t size) {
        ++mapped_sections_;
        append_map_entry(section_map_, 0x10D, mapped_sections_, size);
        return *this;
    }

    /// A section of the image before it was rearranged.
    DatabaseBuilder& original_section(std::uint32_t rva, std::uint32_t size) {
        append_section(original_sections_, rva, size);
        return *this;
    }

    /// Code from here on was at `to` in the original image; 0: nowhere.
    DatabaseBuilder& moved(std::uint32_t from, std::uint32_t to) {
        moves_.u32(from).u32(to);
        return *this;
    }

    /// A source file; its number is used in lines.
    std::size_t file(std::string_view name) {
        files_.push_back(names_.size());
        names_.zero_terminated8(name);
        return files_.size() - 1;
    }

    /// A function that can be inlined; returns its item.
    std::uint32_t function_item(std::string_view name, std::string_view scope = {}) {
        return function_item(name, scope.empty() ? 0 : scope_item(scope));
    }

    /// The same in a scope that others can share.
    std::uint32_t function_item(std::string_view name, std::uint32_t scope) {
        return item(0x1601, ByteWriter().u32(scope).u32(0).zero_terminated8(name));
    }

    std::uint32_t scope_item(std::string_view scope) {
        return item(0x1605, ByteWriter().u32(0).zero_terminated8(scope));
    }

    std::uint32_t member_item(std::string_view name, std::string_view class_name) {
        ByteWriter type;
        type.u16(0).u16(0).u32(0).u32(0).u32(0).u16(8).zero_terminated8(class_name);
        record(types_, 0x1504, type);
        const std::uint32_t class_index = 0x1000 + type_count_++;
        return item(0x1602, ByteWriter().u32(class_index).u32(0).zero_terminated8(name));
    }

    /// From here on another module.
    DatabaseBuilder& begin_module() {
        modules_.emplace_back().symbols.u32(4);
        return *this;
    }

    DatabaseBuilder& contribution(std::uint32_t offset, std::uint32_t size,
                                  std::uint16_t section = 1) {
        contributions_.u16(section).u16(0).u32(offset).u32(size).u32(0);
        contributions_.u16(static_cast<std::uint16_t>(modules_.size() - 1)).u16(0).u64(0);
        return *this;
    }

    /// A procedure with a contribution of its own, around the sites up to end_procedure().
    DatabaseBuilder& begin_procedure(std::string_view name, std::uint32_t offset,
                                     std::uint32_t size, std::uint16_t kind = 0x1110,
                                     std::uint32_t type = 0) {
        contribution(offset, size);
        ByteWriter content;
        content.u32(0).u32(0).u32(0).u32(size).u64(0).u32(type).u32(offset).u16(1).u8(0);
        const bool is_managed = kind == 0x112A || kind == 0x112B;
        content.fill(is_managed ? 2 : 0).zero_terminated8(name);
        open_scope(kind, content);
        return *this;
    }

    DatabaseBuilder& end_procedure() { return close_scope(0x0006); }

    DatabaseBuilder& begin_site(std::uint32_t item, const Annotations& annotations,
                                bool has_invocations = false) {
        ByteWriter content;
        content.u32(0).u32(0).u32(item).fill(has_invocations ? 4 : 0).bytes(annotations.view());
        open_scope(has_invocations ? 0x115D : 0x114D, content);
        return *this;
    }

    DatabaseBuilder& end_site() { return close_scope(0x114E); }

    DatabaseBuilder& thunk(std::string_view name, std::uint32_t offset, std::uint16_t size) {
        contribution(offset, size);
        ByteWriter content;
        content.fill(12).u32(offset).u16(1).u16(size).u8(0).zero_terminated8(name);
        return symbol(0x1102, content);
    }

    DatabaseBuilder& trampoline(std::uint32_t offset, std::uint16_t size, std::uint32_t target) {
        contribution(offset, size);
        ByteWriter content;
        content.u16(0).u16(size).u32(offset).u32(target).u16(1).u16(1);
        return symbol(0x112C, content);
    }

    DatabaseBuilder& separated(std::uint32_t offset, std::uint32_t size, std::uint32_t procedure) {
        contribution(offset, size);
        ByteWriter content;
        content.u64(0).u32(size).u32(0).u32(offset).u32(procedure).u16(1).u16(1);
        return symbol(0x1132, content);
    }

    /// Rows of one contribution. Those of a file are one block, in the order of the files.
    DatabaseBuilder& lines(std::uint32_t offset, std::uint32_t size,
                           const std::vector<LineText>& rows) {
        std::map<std::size_t, std::vector<LineText>> blocks;
        for (const LineText& row : rows) {
            blocks[row.file].push_back(row);
        }
        ByteWriter content;
        content.u32(offset).u16(1).u16(0).u32(size);
        for (const auto& [file, block] : blocks) {
            content.u32(static_cast<std::uint32_t>(file * checksum_size));
            content.u32(static_cast<std::uint32_t>(block.size()));
            content.u32(static_cast<std::uint32_t>(12 + 8 * block.size()));
            for (const LineText& row : block) {
                content.u32(row.offset).u32(0x80000000U | row.line);
            }
        }
        return subsection(0xF2, content);
    }

    DatabaseBuilder& inlinee(std::uint32_t item, std::size_t file, std::uint32_t line) {
        modules_.back().inlinees.u32(item).u32(static_cast<std::uint32_t>(file * checksum_size));
        modules_.back().inlinees.u32(line);
        return *this;
    }

    DatabaseBuilder& public_symbol(std::string_view name, std::uint32_t offset,
                                   std::uint32_t flags = 2, std::uint16_t section = 1) {
        publics_.emplace_back(section, offset, static_cast<std::uint32_t>(records_.size()));
        record(records_, 0x110E,
               ByteWriter().u32(flags).u32(offset).u16(section).zero_terminated8(name));
        return *this;
    }

    std::vector<Image> streams() const;

    Image build(std::size_t page_size = 512, bool is_in_order = false) const {
        return msf_of(streams(), page_size, is_in_order);
    }

private:
    struct Module {
        ByteWriter symbols;
        ByteWriter lines;
        ByteWriter inlinees;
        std::vector<std::size_t> scopes; // where the offset of the end is
    };

    static Image image_of(const ByteWriter& from) {
        return {from.view().begin(), from.view().end()};
    }

    static std::uint32_t size_of(const ByteWriter& from) {
        return static_cast<std::uint32_t>(from.size());
    }

    static void append_section(ByteWriter& to, std::uint32_t rva, std::uint32_t size) {
        to.u64(0).u32(size).u32(rva).u32(size).u32(0x400).fill(16);
    }

    static void append_map_entry(ByteWriter& to, std::uint16_t flags, std::uint16_t section,
                                 std::uint32_t size) {
        to.u16(flags).u32(0).u16(section).u16(0xFFFF).u16(0xFFFF).u32(0).u32(size);
    }

    ByteWriter whole_section_map() const {
        ByteWriter out;
        if (mapped_sections_ != 0) {
            const auto entries = static_cast<std::uint16_t>(mapped_sections_ + 1);
            out.u16(entries).u16(entries).bytes(section_map_.view());
            append_map_entry(out, 0x208, 0, 0xFFFFFFFF);
        }
        return out;
    }

    static void record(ByteWriter& to, std::uint16_t kind, const ByteWriter& content) {
        const std::size_t padding = (0 - content.size()) & 3U;
        to.u16(static_cast<std::uint16_t>(2 + content.size() + padding)).u16(kind);
        to.bytes(content.view()).fill(padding);
    }

    std::uint32_t item(std::uint16_t kind, const ByteWriter& content) {
        record(items_, kind, content);
        return 0x1000 + item_count_++;
    }

    DatabaseBuilder& symbol(std::uint16_t kind, const ByteWriter& content) {
        record(modules_.back().symbols, kind, content);
        return *this;
    }

    void open_scope(std::uint16_t kind, const ByteWriter& content) {
        Module& module = modules_.back();
        module.scopes.push_back(module.symbols.size() + 8);
        symbol(kind, content);
    }

    DatabaseBuilder& close_scope(std::uint16_t kind) {
        Module& module = modules_.back();
        module.symbols.patch(module.scopes.back(), size_of(module.symbols));
        module.scopes.pop_back();
        return symbol(kind, {});
    }

    DatabaseBuilder& subsection(std::uint32_t kind, const ByteWriter& content) {
        ByteWriter& to = modules_.back().lines;
        to.u32(kind).u32(size_of(content)).bytes(content.view()).align(4);
        return *this;
    }

    static Image type_stream(const ByteWriter& records, std::uint32_t count) {
        ByteWriter out;
        out.u32(20040203).u32(56).u32(0x1000).u32(0x1000 + count).u32(size_of(records));
        out.u16(0xFFFF).u16(0xFFFF).fill(32).bytes(records.view());
        return image_of(out);
    }

    Image info_stream() const {
        ByteWriter out;
        out.u32(20000404).u32(0).u32(7).guid(guid_);
        out.u32(7).zero_terminated8("/names").u32(1).u32(1).u32(1).u32(1).u32(0).u32(0).u32(5);
        return image_of(out);
    }

    Image names_stream() const {
        ByteWriter out;
        out.u32(0xEFFEEFFE).u32(1).u32(size_of(names_)).bytes(names_.view());
        return image_of(out);
    }

    Image module_stream(const Module& module) const {
        ByteWriter out;
        out.bytes(module.symbols.view()).bytes(module_lines(module).view());
        return image_of(out);
    }

    ByteWriter module_lines(const Module& module) const {
        ByteWriter out;
        out.bytes(module.lines.view());
        out.u32(0xF4).u32(static_cast<std::uint32_t>(files_.size() * checksum_size));
        for (const std::size_t name : files_) {
            out.u32(static_cast<std::uint32_t>(name)).u32(0);
        }
        out.u32(0xF6).u32(4 + size_of(module.inlinees)).u32(0).bytes(module.inlinees.view());
        return out;
    }

    Image publics_stream() const {
        auto sorted = publics_;
        std::ranges::sort(sorted);
        ByteWriter out;
        out.u32(0).u32(static_cast<std::uint32_t>(4 * sorted.size())).fill(20);
        for (const auto& [section, offset, record] : sorted) {
            out.u32(record);
        }
        return image_of(out);
    }

    Image debug_stream(std::uint16_t first_module) const;

    Guid guid_ = guid;
    std::uint32_t age_ = 3;
    ByteWriter sections_;
    ByteWriter section_map_;
    std::uint16_t mapped_sections_ = 0;
    ByteWriter original_sections_;
    ByteWriter moves_;
    ByteWriter names_ = ByteWriter().u8(0);
    std::vector<std::size_t> files_;
    ByteWriter types_;
    std::uint32_t type_count_ = 0;
    ByteWriter items_;
    std::uint32_t item_count_ = 0;
    std::vector<Module> modules_;
    ByteWriter contributions_;
    ByteWriter records_;
    std::vector<std::tuple<std::uint16_t, std::uint32_t, std::uint32_t>> publics_;
};

inline Image DatabaseBuilder::debug_stream(std::uint16_t first_module) const {
    ByteWriter list;
    std::uint16_t stream = first_module;
    for (const Module& module : modules_) {
        list.fill(34).u16(stream++).u32(size_of(module.symbols)).u32(0);
        list.u32(size_of(module_lines(module))).fill(16);
        list.zero_terminated8("module.obj").zero_terminated8("module.obj").align(4);
    }
    const ByteWriter map = whole_section_map();
    const bool is_moved = moves_.size() != 0;
    ByteWriter headers;
    for (std::uint16_t i = 0; i < 11; ++i) {
        const bool is_present =
            (i == 5 && mapped_sections_ == 0) || (is_moved && (i == 3 || i == 10));
        headers.u16(!is_present ? 0xFFFF : i == 5 ? 8 : i == 3 ? 9 : 10);
    }
    ByteWriter out;
    out.u32(0xFFFFFFFF).u32(19990903).u32(age_).u16(0xFFFF).u16(0).u16(6).u16(0).u16(7).u16(0);
    out.u32(size_of(list)).u32(4 + size_of(contributions_)).u32(size_of(map)).u32(0).u32(0).u32(0);
    out.u32(size_of(headers)).u32(0).u16(0).u16(0x8664).u32(0);
    out.bytes(list.view()).u32(0xEFFE0000U + 19970605U).bytes(contributions_.view());
    out.bytes(map.view()).bytes(headers.view());
    return image_of(out);
}

inline std::vector<Image> DatabaseBuilder::streams() const {
    constexpr std::uint16_t first_module = 11;
    std::vector<Image> result{{},
                              info_stream(),
                              type_stream(types_, type_count_),
                              debug_stream(first_module),
                              type_stream(items_, item_count_),
                              names_stream(),
                              publics_stream(),
                              image_of(records_),
                              image_of(sections_),
                              image_of(moves_),
                              image_of(original_sections_)};
    for (const Module& module : modules_) {
        result.push_back(module_stream(module));
    }
    return result;
}

} // namespace etl::test
