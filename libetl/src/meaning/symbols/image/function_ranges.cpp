#include "symbols/image/function_ranges.hpp"

#include "base/layout.hpp"
#include "symbols/limits.hpp"
#include "symbols/source/source.hpp"

#include <algorithm>

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

} // namespace etl::symbols
