#include "symbols/image/pe_file.hpp"

#include <etl/base/cursor.hpp>
#include <etl/base/text.hpp>
#include <etl/symbols/limits.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace etl::symbols {

namespace {

constexpr std::size_t debug_directory = 6;
constexpr std::size_t debug_entry_size = 28;
constexpr std::uint32_t codeview_entry = 2;
constexpr std::uint32_t embedded_entry = 17;
constexpr std::uint32_t portable_age = 0xFFFFFFFF;

// Returns the data directories of the optional header.
Bytes directories_in(Bytes optional_header) noexcept {
    constexpr std::size_t pe32 = 96;
    constexpr std::size_t pe32_plus = 112;
    const bool is_wide = load_le<std::uint16_t>(optional_header.data()) == 0x20B;
    const std::size_t at = is_wide ? pe32_plus : pe32;
    if (!has_range(optional_header, at, 0)) {
        return {};
    }
    const std::size_t count = load_le<std::uint32_t>(optional_header.data() + at - 4);
    return clamped(optional_header, at, 8 * std::min<std::size_t>(count, 16));
}

} // namespace

Result<PeFile> PeFile::open(Bytes file) {
    constexpr std::size_t pe_offset = 0x3C;
    constexpr std::size_t file_header = 24;
    constexpr std::size_t image_size = 56;
    if (!is_image(file) || !has_range(file, pe_offset, 4)) {
        return fail(ErrorCode::malformed, "signature of an executable");
    }
    const std::size_t at = load_le<std::uint32_t>(file.data() + pe_offset);
    Cursor in(clamped(file, at), FileOffset{at});
    if (in.u32("PE signature") != 0x00004550) {
        return fail(ErrorCode::malformed, "PE signature", FileOffset{at});
    }
    PeFile result;
    result.file_ = file;
    result.machine_ = static_cast<Machine>(in.u16("machine"));
    const std::size_t sections = in.u16("sections");
    result.time_stamp_ = in.u32("time stamp");
    in.bytes("symbol table", 8);
    const std::size_t optional_size = in.u16("size of the optional header");
    in.u16("characteristics");
    const Bytes optional_header = in.bytes("optional header", optional_size);
    if (!in) {
        return std::unexpected(in.error());
    }
    if (optional_header.size() < image_size + 4) {
        return fail(ErrorCode::truncated, "optional header", FileOffset{at + file_header});
    }
    result.image_size_ = load_le<std::uint32_t>(optional_header.data() + image_size);
    result.directories_ = directories_in(optional_header);
    if (const auto read = result.read_sections(at + file_header + optional_size, sections); !read) {
        return std::unexpected(read.error());
    }
    return result;
}

Result<void> PeFile::read_sections(std::size_t table, std::size_t count) {
    constexpr std::size_t header_size = 40;
    if (count > limits::symbol_sections) {
        return fail(ErrorCode::limit, "sections of an executable", FileOffset{table},
                    limits::symbol_sections, count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        Cursor in(clamped(file_, table + i * header_size, header_size), FileOffset{table});
        in.u64("name");
        const std::uint32_t memory_size = in.u32("size in memory");
        const std::uint32_t begin = in.u32("address");
        const std::uint32_t file_size = in.u32("size in the file");
        const std::uint32_t file_offset = in.u32("offset in the file");
        if (!in) {
            return std::unexpected(in.error());
        }
        const std::uint32_t size = std::min(std::max(memory_size, file_size), 0xFFFFFFFF - begin);
        sections_.push_back({{begin, begin + size}, file_offset, file_size});
    }
    return {};
}

Bytes PeFile::at(std::uint32_t rva, std::size_t size) const noexcept {
    for (const Section& section : sections_) {
        if (rva >= section.memory.begin && rva - section.memory.begin < section.file_size) {
            const std::uint32_t inside = rva - section.memory.begin;
            return clamped(file_, std::size_t{section.file_offset} + inside,
                           std::min<std::size_t>(size, section.file_size - inside));
        }
    }
    return {};
}

AddressRange PeFile::directory(std::size_t number) const noexcept {
    if (!has_range(directories_, 8 * number, 8)) {
        return {};
    }
    const auto begin = load_le<std::uint32_t>(directories_.data() + 8 * number);
    const auto size = load_le<std::uint32_t>(directories_.data() + 8 * number + 4);
    return {begin, begin + std::min(size, 0xFFFFFFFF - begin)};
}

std::optional<AddressRange> PeFile::section_of(std::uint32_t rva) const noexcept {
    const auto found = std::ranges::find_if(sections_, [&](const Section& section) {
        return rva >= section.memory.begin && rva < section.memory.end;
    });
    return found == sections_.end() ? std::nullopt : std::optional(found->memory);
}

PeFile::DebugEntry PeFile::debug_entry(std::size_t number) const noexcept {
    const AddressRange range = directory(debug_directory);
    const Bytes entry = clamped(at(range.begin, range.end - range.begin), number * debug_entry_size,
                                debug_entry_size);
    if (entry.size() < debug_entry_size) {
        return {};
    }
    const auto size = load_le<std::uint32_t>(entry.data() + 16);
    const auto offset = load_le<std::uint32_t>(entry.data() + 24);
    return {load_le<std::uint32_t>(entry.data() + 12), load_le<std::uint16_t>(entry.data() + 10),
            clamped(file_, offset, size)};
}

// `RSDS`, GUID, age, path. A portable database has another identity than this age.
std::optional<DatabaseReference> PeFile::reference_of(const DebugEntry& entry) const {
    constexpr std::uint16_t portable_mark = 0x504D;
    Cursor in(entry.content);
    if (in.u32("signature") != 0x53445352) {
        return std::nullopt;
    }
    DatabaseReference result;
    result.identity.guid = in.guid("GUID");
    result.identity.age = in.u32("age");
    if (!in) {
        return std::nullopt;
    }
    const std::string_view path = as_text(clamped(entry.content, in.position()));
    append_utf8(result.path, std::as_bytes(std::span(path.substr(0, path.find('\0')))));
    result.is_portable = entry.minor_version == portable_mark;
    if (result.is_portable) {
        result.identity.age = portable_age;
    }
    return result;
}

std::optional<DatabaseReference> PeFile::database() const {
    const AddressRange range = directory(debug_directory);
    for (std::size_t i = 0; i < (range.end - range.begin) / debug_entry_size; ++i) {
        const DebugEntry entry = debug_entry(i);
        if (entry.type == 0 && entry.content.empty()) {
            break;
        }
        if (entry.type == codeview_entry) {
            if (auto reference = reference_of(entry)) {
                return reference;
            }
        }
    }
    return std::nullopt;
}

std::pair<Bytes, std::uint32_t> PeFile::embedded_database() const noexcept {
    constexpr std::size_t header_size = 8;
    constexpr std::uint32_t signature = 0x4244504D; // MPDB
    const AddressRange range = directory(debug_directory);
    for (std::size_t i = 0; i < (range.end - range.begin) / debug_entry_size; ++i) {
        const DebugEntry entry = debug_entry(i);
        if (entry.type == 0 && entry.content.empty()) {
            break;
        }
        if (entry.type == embedded_entry && entry.content.size() > header_size &&
            load_le<std::uint32_t>(entry.content.data()) == signature) {
            return {entry.content.subspan(header_size),
                    load_le<std::uint32_t>(entry.content.data() + 4)};
        }
    }
    return {};
}

bool is_image(Bytes file) noexcept {
    return as_text(file).starts_with("MZ");
}

std::string ImageIdentity::key() const {
    return fmt::format("{:08X}{:x}", time_stamp, image_size);
}

Result<ImageIdentity> read_image_identity(Bytes file) {
    const auto image = PeFile::open(file);
    if (!image) {
        return std::unexpected(image.error());
    }
    return ImageIdentity{image->time_stamp(), image->image_size(), image->database()};
}

} // namespace etl::symbols
