#include "symbols/pe_file.hpp"

#include "base/cursor.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "symbols/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace etl::symbols {

namespace {

// Structures of PE images, all from Microsoft's public "PE Format" (winnt.h).
// docs/format/images.md#pe

/// IMAGE_DOS_HEADER, what matters of it.
namespace dos_layout {

constexpr std::size_t pe_offset = 0x3C; // e_lfanew
constexpr std::size_t size = 0x40;

} // namespace dos_layout

/// Signature and IMAGE_FILE_HEADER.
namespace file_header_layout {

constexpr std::uint32_t magic = 0x00004550; // PE\0\0

constexpr etl::LayoutField<std::uint32_t> signature{0};
constexpr etl::LayoutField<std::uint16_t> machine{4};
constexpr etl::LayoutField<std::uint16_t> sections{6};
constexpr etl::LayoutField<std::uint32_t> time{8};
constexpr etl::LayoutField<std::uint32_t> symbols{12};
constexpr etl::LayoutField<std::uint32_t> symbol_count{16};
constexpr etl::LayoutField<std::uint16_t> optional_size{20};
constexpr etl::LayoutField<std::uint16_t> characteristics{22};
constexpr std::size_t size = 24;
static_assert(tiles<size>(signature, machine, sections, time, symbols, symbol_count, optional_size,
                          characteristics));

} // namespace file_header_layout

/// IMAGE_OPTIONAL_HEADER: its directories are at different offsets in the two widths.
namespace optional_header_layout {

constexpr std::uint16_t pe32 = 0x10B;
constexpr std::uint16_t pe32_plus = 0x20B;
constexpr std::size_t image_size = 56;
constexpr std::size_t directories_pe32 = 96; // after their number
constexpr std::size_t directories_pe32_plus = 112;
constexpr std::size_t directory_size = 8;
constexpr std::size_t max_directories = 16;

} // namespace optional_header_layout

/// IMAGE_SECTION_HEADER.
namespace section_layout {

constexpr etl::LayoutField<std::uint64_t> name{0};
constexpr etl::LayoutField<std::uint32_t> memory_bytes{8}; // VirtualSize
constexpr etl::LayoutField<std::uint32_t> address{12};     // VirtualAddress
constexpr etl::LayoutField<std::uint32_t> file_bytes{16};  // SizeOfRawData
constexpr etl::LayoutField<std::uint32_t> file_offset{20}; // PointerToRawData
constexpr std::size_t size = 40;                           // the rest is for the linker

} // namespace section_layout

constexpr std::size_t debug_directory = 6;
constexpr std::size_t debug_entry_size = 28;
constexpr std::uint32_t codeview_entry = 2;
constexpr std::uint32_t embedded_entry = 17;
constexpr std::uint32_t portable_age = 0xFFFFFFFF;

/// Returns the data directories of the optional header; empty if it has none.
Bytes directories_in(Bytes optional_header, bool is_wide) noexcept {
    namespace layout = optional_header_layout;
    const std::size_t at = is_wide ? layout::directories_pe32_plus : layout::directories_pe32;
    if (!has_range(optional_header, at, 0)) {
        return {};
    }
    const std::size_t count = load_le<std::uint32_t>(optional_header.data() + at - 4);
    return clamped(optional_header, at,
                   layout::directory_size * std::min(count, layout::max_directories));
}

} // namespace

Result<PeFile> PeFile::open(Bytes file) {
    namespace header = file_header_layout;
    namespace optional = optional_header_layout;
    if (!is_image(file)) {
        return fail(ErrorCode::malformed, "signature of an executable");
    }
    if (file.size() < dos_layout::size) {
        return fail(ErrorCode::truncated, "header of an executable", {}, dos_layout::size,
                    file.size());
    }
    const std::size_t at = load_le<std::uint32_t>(file.data() + dos_layout::pe_offset);
    if (!has_range(file, at, header::size)) {
        return fail(ErrorCode::truncated, "PE header", FileOffset{at}, header::size,
                    clamped(file, at).size());
    }
    const auto head = file.subspan(at).first<header::size>();
    if (load<header::signature>(head) != header::magic) {
        return fail(ErrorCode::malformed, "PE signature", FileOffset{at});
    }
    const std::size_t optional_at = at + header::size;
    const std::size_t optional_size = load<header::optional_size>(head);
    if (!has_range(file, optional_at, optional_size) || optional_size < 2) {
        return fail(ErrorCode::truncated, "optional header", FileOffset{optional_at}, optional_size,
                    clamped(file, optional_at).size());
    }
    const Bytes rest = file.subspan(optional_at, optional_size);
    const auto magic = load_le<std::uint16_t>(rest.data());
    if (magic != optional::pe32 && magic != optional::pe32_plus) {
        return fail(ErrorCode::malformed, "optional header", FileOffset{optional_at}, 0, magic);
    }
    PeFile result;
    result.file_ = file;
    result.machine_ = static_cast<Machine>(load<header::machine>(head));
    result.time_stamp_ = load<header::time>(head);
    result.image_size_ = has_range(rest, optional::image_size, 4)
                             ? load_le<std::uint32_t>(rest.data() + optional::image_size)
                             : 0;
    result.directories_ = directories_in(rest, magic == optional::pe32_plus);
    const auto read =
        result.read_sections(optional_at + optional_size, load<header::sections>(head));
    if (!read) {
        return std::unexpected(read.error());
    }
    return result;
}

Result<void> PeFile::read_sections(std::size_t table, std::size_t count) {
    namespace section = section_layout;
    if (count > limits::sections) {
        return fail(ErrorCode::limit, "sections of an executable", FileOffset{table},
                    limits::sections, count);
    }
    if (!has_range(file_, table, count * section::size)) {
        return fail(ErrorCode::truncated, "section table", FileOffset{table}, count * section::size,
                    clamped(file_, table).size());
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto from = file_.subspan(table + i * section::size).first<section::size>();
        const std::uint32_t begin = load<section::address>(from);
        const std::uint32_t file_size = load<section::file_bytes>(from);
        const std::uint32_t size =
            std::min(std::max(load<section::memory_bytes>(from), file_size), 0xFFFFFFFF - begin);
        sections_.push_back({{begin, begin + size}, load<section::file_offset>(from), file_size});
    }
    return {};
}

PeFile::Placed PeFile::at(std::uint32_t rva) const noexcept {
    for (const Section& section : sections_) {
        if (rva >= section.memory.begin && rva - section.memory.begin < section.file_size) {
            const std::uint32_t inside = rva - section.memory.begin;
            const FileOffset where = FileOffset{section.file_offset} + inside;
            return {
                clamped(file_, static_cast<std::size_t>(where.value), section.file_size - inside),
                where};
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
