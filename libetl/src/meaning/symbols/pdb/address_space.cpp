#include "symbols/pdb/address_space.hpp"

#include "base/cursor.hpp"
#include "symbols/limits.hpp"
#include "symbols/source/source.hpp"

#include <algorithm>
#include <limits>

namespace etl::symbols {

namespace {

constexpr std::uint32_t end_of_space = std::numeric_limits<std::uint32_t>::max();

} // namespace

void AddressSpace::add_headers(Bytes section_headers) {
    constexpr std::size_t header_size = 40;
    for (std::size_t at = 0;
         has_range(section_headers, at, header_size) && sections_.size() < limits::symbol_sections;
         at += header_size) {
        Cursor in(section_headers.subspan(at + 8));
        const std::uint32_t memory_size = in.u32("size in memory");
        const std::uint32_t begin = in.u32("address");
        const std::uint32_t size = std::max(memory_size, in.u32("size in the file"));
        sections_.push_back({begin, std::min(size, end_of_space - begin)});
    }
}

// It contains no addresses: sections follow each other in pages, after a page of headers. Ends at
// the first entry that is not the next section, because what follows cannot be placed.
void AddressSpace::add_section_map(Bytes section_map) {
    constexpr std::size_t head_size = 4;
    constexpr std::size_t entry_size = 20;
    constexpr std::uint16_t is_absolute = 0x200; // not a part of the image
    constexpr std::uint64_t page = 0x1000;
    if (section_map.size() < head_size) {
        return;
    }
    const std::size_t count = load_le<std::uint16_t>(section_map.data());
    std::uint64_t begin = page;
    for (std::size_t at = head_size; has_range(section_map, at, entry_size) &&
                                     sections_.size() < std::min(count, limits::symbol_sections);
         at += entry_size) {
        Cursor in(section_map.subspan(at));
        const std::uint16_t flags = in.u16("flags");
        in.bytes("overlay, group", 4);
        const std::uint16_t number = in.u16("section");
        in.bytes("names, offset", 8);
        const std::uint32_t size = in.u32("size");
        const std::uint64_t end = begin + (size + page - 1) / page * page;
        if ((flags & is_absolute) != 0 || number != sections_.size() + 1 || end > end_of_space) {
            return;
        }
        sections_.push_back({static_cast<std::uint32_t>(begin), size});
        begin = end;
    }
}

AddressSpace::AddressSpace(Bytes section_headers, Bytes section_map, Bytes map_to_original) {
    add_headers(section_headers);
    if (sections_.empty()) {
        add_section_map(section_map);
        is_from_section_map_ = !sections_.empty();
    }
    if (sections_.empty()) {
        sections_.push_back({0, end_of_space});
    }
    constexpr std::size_t move_size = 8;
    moves_.reserve(map_to_original.size() / move_size);
    for (std::size_t at = 0; has_range(map_to_original, at, move_size); at += move_size) {
        moves_.push_back({load_le<std::uint32_t>(map_to_original.data() + at),
                          load_le<std::uint32_t>(map_to_original.data() + at + 4)});
    }
    std::ranges::stable_sort(moves_, {}, &Move::from);
}

std::optional<std::uint32_t> AddressSpace::original(std::uint32_t rva) const noexcept {
    if (moves_.empty()) {
        return rva;
    }
    const Move* const move = last_at_or_below(std::span(moves_), rva, &Move::from);
    if (move == nullptr || move->to == 0) {
        return std::nullopt;
    }
    return move->to + (rva - move->from);
}

std::uint16_t AddressSpace::section_of(std::uint32_t rva) const noexcept {
    const auto found = std::ranges::find_if(sections_, [&](const Section& section) {
        return rva >= section.begin && rva - section.begin < section.size;
    });
    return found == sections_.end() ? std::uint16_t{0}
                                    : static_cast<std::uint16_t>(found - sections_.begin() + 1);
}

} // namespace etl::symbols
