// The stream of debug information: modules, their contributions to the image, further streams.
// Private to symbols. docs/format/pdb.md#debug-information
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "symbols/address_index.hpp"
#include "symbols/stream_file.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::symbols {

/// Addresses of a program database: sections, and the map from a rearranged image to the original
/// one. docs/format/pdb.md#addresses
class AddressSpace {
public:
    AddressSpace() = default;

    /// Streams of the optional debug headers, empty if absent, and the section map, which applies
    /// if there are no section headers. With a map to the original image, the section headers of
    /// the original apply.
    AddressSpace(Bytes section_headers, Bytes section_map, Bytes map_to_original);

    /// Returns true if the sections are those of an image, false if the only one is the IL of
    /// managed code, whose addresses are not those of an image.
    bool is_of_image() const noexcept { return sections_.size() != 1 || sections_[0].begin != 0; }

    /// Returns true if the section map determines the addresses.
    bool is_from_section_map() const noexcept { return is_from_section_map_; }

    /// Returns the RVA of an offset in a section, numbered from 1.
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

    void add_headers(Bytes section_headers);
    void add_section_map(Bytes section_map);

    std::vector<Section> sections_; // in the order of their numbers
    std::vector<Move> moves_;       // sorted
    bool is_from_section_map_ = false;
};

inline constexpr std::uint16_t no_stream = 0xFFFF;

/// Where the symbols of an object file are.
struct ModuleStream {
    std::uint16_t stream = no_stream;
    std::uint32_t symbol_bytes = 0;
    std::uint32_t old_line_bytes = 0; // C11, not read
    std::uint32_t line_bytes = 0;     // C13
};

/// A range of the image that one module produced.
struct Contribution {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint16_t module = 0;
};

struct DebugInfo {
    /// Errors: malformed or truncated.
    static Result<DebugInfo> read(const StreamFile& file);

    std::uint32_t age = 0;
    std::uint16_t publics = no_stream; // their index
    std::uint16_t records = no_stream; // of public and global symbols
    std::vector<ModuleStream> modules;
    std::vector<Contribution> contributions; // sorted
    AddressIndex<Contribution, &Contribution::begin> contribution_index;
    AddressSpace addresses;
};

} // namespace etl::symbols
