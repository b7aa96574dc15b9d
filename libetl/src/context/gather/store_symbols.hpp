// Symbols of the images of traces, from directories and symbol stores. docs/symbols.md
#pragma once

#include "facts/frame_names.hpp"
#include "symbols/stores.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace etl::gather {

/// Returns the places of symbol paths, then those of _NT_SYMBOL_PATH.
std::vector<symbols::SearchPlace> symbol_places(const std::vector<std::string>& paths);

/// What was found for an image.
enum class SymbolStatus : std::uint8_t {
    found,       // its program database
    exports,     // only the executable, whose exported symbols are used
    no_names,    // one of them, which names no function
    missing,     // neither
    mismatch,    // only files of that name with another identity, or damaged ones
    no_identity, // the trace does not contain the identity of the image
};

/// Returns `found`, `exports`, `no names`, `missing`, `mismatch`, or `no identity`.
std::string_view name(SymbolStatus status) noexcept;

/// The symbol file of an image.
struct ImageSymbols {
    SymbolStatus status = SymbolStatus::no_identity;
    std::string path; // of the file that is used; with no_names, that was found
    std::vector<symbols::RejectedFile> rejected;
};

/// Opens the symbol file of an image when one of its addresses is first looked up. Images with one
/// identity share it, also those of several traces. Thread-safe.
class StoreSymbols final : public facts::SymbolSource {
public:
    explicit StoreSymbols(std::vector<symbols::SearchPlace> places);
    ~StoreSymbols() override;

    /// The name is valid as long as this object. That of the nearest public or exported symbol
    /// begins with `~`, because it can be wrong. Names beyond limits::symbol_name_bytes are not
    /// returned.
    std::optional<facts::Symbol> find(const facts::Image& image, std::uint64_t rva) override;

    /// Looks for the symbol file of an image, and returns what was found.
    const ImageSymbols& symbols_of(const facts::Image& image);

    struct Counts {
        std::size_t images = 0;  // images whose addresses were looked up
        std::size_t unnamed = 0; // without a symbol file that names functions
        std::size_t silent = 0;  // with one that named none of the addresses looked up
    };

    Counts counts() const;

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace etl::gather
