#include "symbols/exports.hpp"

#include "base/cursor.hpp"
#include "base/layout.hpp"
#include "base/text.hpp"
#include "symbols/limits.hpp"
#include "symbols/source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace etl::symbols {

namespace {

constexpr std::size_t exception_directory = 3;
constexpr std::size_t x64_entry = 12; // begin, end, unwind information

} // namespace

FunctionRanges::FunctionRanges(const PeFile& file) {
    const AddressRange directory = file.directory(exception_directory);
    const Bytes table = file.at(directory.begin, directory.end - directory.begin);
    if (file.machine() == Machine::x64) {
        read_x64(file, table);
    } else if (file.machine() == Machine::arm64) {
        read_arm64(file, table);
    }
}

// The system requires the table to be sorted; one that is not is not used.
void FunctionRanges::read_x64(const PeFile&, Bytes table) {
    for (std::size_t at = 0; has_range(table, at, x64_entry); at += x64_entry) {
        const AddressRange range{load_le<std::uint32_t>(table.data() + at),
                                 load_le<std::uint32_t>(table.data() + at + 4)};
        if (range.begin >= range.end || (!ranges_.empty() && range.begin < ranges_.back().begin)) {
            break;
        }
        ranges_.push_back(range);
        unwind_.push_back(load_le<std::uint32_t>(table.data() + at + 8));
    }
}

// The length is in the entry, or in the unwind information that it refers to; in words of 4 bytes.
void FunctionRanges::read_arm64(const PeFile& file, Bytes table) {
    constexpr std::size_t entry_size = 8;
    for (std::size_t at = 0; has_range(table, at, entry_size); at += entry_size) {
        const auto begin = load_le<std::uint32_t>(table.data() + at);
        const auto data = load_le<std::uint32_t>(table.data() + at + 4);
        std::uint32_t words = (data >> 2U) & 0x7FFU;
        if ((data & 3U) == 0) {
            const Bytes header = file.at(data, 4);
            words = header.size() < 4 ? 0 : load_le<std::uint32_t>(header.data()) & 0x3FFFFU;
        }
        if (words == 0 || begin > 0xFFFFFFFF - 4 * words ||
            (!ranges_.empty() && begin < ranges_.back().begin)) {
            break;
        }
        ranges_.push_back({begin, begin + 4 * words});
    }
}

const AddressRange* FunctionRanges::at_or_below(std::uint32_t rva) const noexcept {
    return last_at_or_below(std::span(ranges_), rva, &AddressRange::begin);
}

AddressRange FunctionRanges::primary(const PeFile& file, const AddressRange& range) const noexcept {
    constexpr std::uint8_t is_chained = 4;
    if (unwind_.empty()) {
        return range;
    }
    AddressRange result = range;
    std::uint32_t unwind = unwind_[static_cast<std::size_t>(&range - ranges_.data())];
    for (std::size_t i = 0; i < limits::unwind_chain; ++i) {
        const Bytes header = file.at(unwind, 4);
        if (header.size() < 4 || (std::to_integer<unsigned>(header[0]) >> 3U & is_chained) == 0) {
            return result;
        }
        // After the codes, of which there is an even number, the entry of the parent.
        const std::size_t codes = (std::to_integer<std::size_t>(header[2]) + 1) & ~std::size_t{1};
        const Bytes parent =
            clamped(file.at(unwind, 4 + 2 * codes + x64_entry), 4 + 2 * codes, x64_entry);
        if (parent.size() < x64_entry) {
            return result;
        }
        result = {load_le<std::uint32_t>(parent.data()), load_le<std::uint32_t>(parent.data() + 4)};
        unwind = load_le<std::uint32_t>(parent.data() + 8);
    }
    return result;
}

namespace {

constexpr std::size_t export_directory = 0;
constexpr std::size_t max_name = 4096; // of MSVC

/// Tables of the export directory.
struct ExportTables {
    std::uint32_t first_ordinal = 0;
    Bytes addresses; // u32 by ordinal
    Bytes names;     // u32 address of the name
    Bytes ordinals;  // u16, in the same order
};

ExportTables export_tables(const PeFile& file, const AddressRange& directory) {
    constexpr std::size_t header_size = 40;
    Cursor in(file.at(directory.begin, header_size));
    in.bytes("flags, time, version, name", 16);
    ExportTables result;
    result.first_ordinal = in.u32("first ordinal");
    const std::size_t addresses = in.u32("addresses");
    const std::size_t names = in.u32("names");
    result.addresses = file.at(in.u32("address of the addresses"), 4 * addresses);
    result.names = file.at(in.u32("address of the names"), 4 * names);
    result.ordinals = file.at(in.u32("address of the ordinals"), 2 * names);
    return in ? result : ExportTables{};
}

std::string_view text_at(const PeFile& file, std::uint32_t rva) {
    const std::string_view text = as_text(file.at(rva, max_name));
    const std::size_t end = text.find('\0');
    return end == text.npos ? std::string_view{} : text.substr(0, end);
}

} // namespace

std::vector<Export> read_exports(const PeFile& file) {
    const AddressRange directory = file.directory(export_directory);
    const ExportTables tables = export_tables(file, directory);
    std::vector<std::uint32_t> names(tables.addresses.size() / 4);
    const std::size_t named = std::min(tables.names.size() / 4, tables.ordinals.size() / 2);
    for (std::size_t i = 0; i < named; ++i) {
        const std::size_t index = load_le<std::uint16_t>(tables.ordinals.data() + 2 * i);
        if (index < names.size()) {
            names[index] = load_le<std::uint32_t>(tables.names.data() + 4 * i);
        }
    }
    std::vector<Export> result;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto rva = load_le<std::uint32_t>(tables.addresses.data() + 4 * i);
        const bool is_forwarded = rva >= directory.begin && rva < directory.end;
        if (rva != 0 && !is_forwarded) {
            result.push_back({rva, tables.first_ordinal + static_cast<std::uint32_t>(i),
                              names[i] == 0 ? std::string_view{} : text_at(file, names[i])});
        }
    }
    // Of several at one address, the one with the shortest name comes first.
    std::ranges::stable_sort(result, {}, [](const Export& one) {
        return std::tuple(one.rva, one.name.empty(), one.name.size(), one.name);
    });
    return result;
}

ImageSource::ImageSource(PeFile file, std::unique_ptr<const Source> embedded)
    : file_(std::move(file)), embedded_(std::move(embedded)), exports_(read_exports(file_)),
      functions_(file_) {
    if (const auto database = file_.database()) {
        identity_ = database->identity;
    } else if (embedded_) {
        identity_ = embedded_->identity();
    }
}

// Functions whose range is known end the reach of an export.
const Export* ImageSource::nearest(std::uint32_t rva) const noexcept {
    const AddressRange* const range = functions_.at_or_below(rva);
    const bool is_inside = range != nullptr && rva < range->end;
    const AddressRange function = is_inside ? functions_.primary(file_, *range) : AddressRange{};
    const std::uint32_t from = is_inside && (rva < function.begin || rva >= function.end)
                                   ? function.begin // a separated part
                                   : rva;
    const Export* const found = last_at_or_below(std::span(exports_), from, &Export::rva);
    const auto section = file_.section_of(from);
    if (found == nullptr || !section || found->rva < section->begin) {
        return nullptr;
    }
    if (is_inside) {
        return found->rva >= function.begin ? found : nullptr;
    }
    return range == nullptr || found->rva >= range->end ? found : nullptr;
}

void ImageSource::resolve(std::uint32_t rva, Detail detail, Scratch& scratch) const {
    const Export* const found = nearest(rva);
    if (found == nullptr) {
        return;
    }
    const auto same = std::ranges::equal_range(exports_, found->rva, {}, &Export::rva);
    const Export& best = same.front();
    Frame& frame = scratch.frames.emplace_back();
    frame.function = best.name;
    if (best.name.empty()) {
        scratch.text.clear();
        fmt::format_to(std::back_inserter(scratch.text), "Ordinal{}", best.ordinal);
        frame.function = scratch.text;
    }
    frame.is_approximate = true;
    frame.offset = rva >= best.rva ? rva - best.rva : 0;
    if (detail != Detail::function) {
        frame.linkage_name = best.name;
        frame.others = static_cast<std::uint32_t>(same.size() - 1);
    }
}

} // namespace etl::symbols
