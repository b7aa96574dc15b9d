// Addresses of a program database: sections, and the map from a rearranged image to the original
// one. Private to symbols. docs/format/pdb.md#addresses
#pragma once

#include <etl/base/bytes.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::symbols {

class AddressSpace {
public:
    /// Streams of the optional debug headers; empty if absent. With a map, the original section
    /// headers apply.
    AddressSpace(Bytes section_headers, Bytes map_to_original);

    /// Returns the RVA of an offset in a section, numbered from 1. Without section headers (managed
    /// code), the only section begins at 0.
    std::optional<std::uint32_t> rva_of(std::uint16_t section,
                                        std::uint32_t offset) const noexcept {
        if (section == 0 || section > sections_.size() || offset >= sections_[section - 1U].size) {
            return std::nullopt;
        }
        return sections_[section - 1U].begin + offset;
    }

    /// Returns the RVA before the image was rearranged; nothing if the code did not exist.
    std::optional<std::uint32_t> original(std::uint32_t rva) const noexcept;

    /// Returns the section, numbered from 1, that contains an original RVA; 0 if none does.
    std::uint16_t section_of(std::uint32_t rva) const noexcept;

private:
    struct Section {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
    };

    struct Move {
        std::uint32_t from = 0;
        std::uint32_t to = 0; // 0: no original code
    };

    std::vector<Section> sections_; // in the order of their numbers
    std::vector<Move> moves_;       // sorted
};

} // namespace etl::symbols
