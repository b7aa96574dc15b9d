// The interface of the kinds of symbol files, and how each kind is opened. Private to symbols.
#pragma once

#include "symbols/pe_file.hpp"
#include "symbols/symbol_file.hpp"

#include <memory>
#include <vector>

namespace etl::symbols {

// The interface of the kinds of symbol files.

/// Memory for two names, so that the better one is kept while the next is read.
struct NameScratch {
    std::vector<std::byte> best;
    std::vector<std::byte> next;
};

/// What a source keeps for one Resolver.
class SourceState {
public:
    SourceState() = default;
    SourceState(const SourceState&) = delete;
    SourceState& operator=(const SourceState&) = delete;
    virtual ~SourceState() = default;
};

/// The memory of one Resolver.
struct Scratch {
    std::vector<Frame> frames; // the result
    NameScratch names;
    std::string text;                   // of a frame that has no stored name
    std::unique_ptr<SourceState> state; // null at first
};

class Source {
public:
    Source() = default;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    virtual ~Source() = default;

    virtual Identity identity() const noexcept = 0;

    /// Appends to the empty Scratch::frames.
    virtual void resolve(std::uint32_t rva, Detail detail, Scratch& scratch) const = 0;

    virtual std::optional<SourceLine> managed_line(std::uint32_t method_token,
                                                   std::uint32_t il_offset) const = 0;

    /// Returns true if any address has a name.
    virtual bool names_functions() const = 0;
};

/// Returns the last element whose key is at most `value`; null if there is none.
template <typename T, typename Key>
const T* last_at_or_below(std::span<const T> sorted, std::uint32_t value, Key T::* key) noexcept {
    // Written out: without branches on the comparison, this is twice as fast as upper_bound.
    const T* base = sorted.data();
    std::size_t count = sorted.size();
    if (count == 0 || base->*key > value) {
        return nullptr;
    }
    while (count > 1) {
        const std::size_t half = count / 2;
        base = base[half].*key <= value ? base + half : base;
        count -= half;
    }
    return base;
}

// A program database as a source of symbols. docs/format/pdb.md

/// Opens a program database; views `file`. Errors: those of StreamFile::open; malformed, truncated.
Result<std::unique_ptr<const Source>> open_database(Bytes file);

// A portable program database as a source of lines. docs/format/pdb.md#portable

/// Returns whether the file begins like a portable program database.
bool is_portable(Bytes file) noexcept;

/// Opens a portable program database; views `file`. Errors: malformed, truncated, unsupported.
Result<std::unique_ptr<const Source>> open_portable(Bytes file);

/// Opens the one embedded in an executable. Null if there is none, or it is damaged.
std::unique_ptr<const Source> open_embedded(const PeFile& image, std::size_t file_size);

// Text maps of precompiled .NET code (.ni.r2rmap). docs/format/pdb.md#native-maps

/// Returns whether the file begins like a map.
bool is_native_map(Bytes file) noexcept;

/// Parses a map; views `file`. Errors: malformed (no signature).
Result<std::unique_ptr<const Source>> open_native_map(Bytes file);

} // namespace etl::symbols
