#include "symbols/pdb/address_space.hpp"

#include <etl/base/cursor.hpp>
#include <etl/symbols/limits.hpp>

#include "symbols/source/source.hpp"

#include <algorithm>
#include <limits>

namespace etl::symbols {

AddressSpace::AddressSpace(Bytes section_headers, Bytes map_to_original) {
    constexpr std::size_t header_size = 40;
    constexpr std::uint32_t end_of_space = std::numeric_limits<std::uint32_t>::max();
    for (std::size_t at = 0;
         has_range(section_headers, at, header_size) && sections_.size() < limits::symbol_sections;
         at += header_size) {
        Cursor in(section_headers.subspan(at + 8));
        const std::uint32_t memory_size = in.u32("size in memory");
        const std::uint32_t begin = in.u32("address");
        const std::uint32_t size = std::max(memory_size, in.u32("size in the file"));
        sections_.push_back({begin, std::min(size, end_of_space - begin)});
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
