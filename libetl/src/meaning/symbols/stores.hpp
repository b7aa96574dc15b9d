// Search of directories and symbol stores for the symbol files of images. docs/symbols.md#paths
#pragma once

#include "symbols/symbol_file.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace etl::symbols {

// Symbol paths: where to look for symbol files, in the syntax of _NT_SYMBOL_PATH.
// docs/symbols.md#paths

/// One place to look in.
struct SearchPlace {
    enum class Kind : std::uint8_t {
        directory, // files by name, in `pdb`, `symbols/pdb`, or in the layout of a symbol store
        store,     // the layout of a symbol store only: srv*, symsrv*, cache*
        server,    // a URL, which is never contacted
    };

    Kind kind = Kind::directory;
    std::string path;

    bool operator==(const SearchPlace&) const = default;
};

/// Splits a symbol path into places, in order: elements separated by `;`, each a directory,
/// `srv*STORE*...`, `symsrv*DLL*STORE*...`, or `cache*STORE`; case-insensitive, spaces around
/// elements are ignored. A default cache (`srv**URL`, `cache*`) is not a place. Keeps at most
/// limits::search_places.
std::vector<SearchPlace> parse_symbol_path(std::string_view text);

class Listings; // private to the room

/// A file that was found but not used.
struct RejectedFile {
    std::string path;
    std::string reason;
};

struct Lookup {
    std::shared_ptr<const SymbolFile> file; // null: not found
    std::string path;                       // of `file`
    std::vector<RejectedFile> rejected;     // files of that name with another identity, or damaged
};

/// Places to look in, first to last. A file is used only if its identity is the one looked for,
/// wherever it lies. Names are matched exactly, then ignoring case. Not thread-safe.
class Stores {
public:
    explicit Stores(std::vector<SearchPlace> places);
    ~Stores();
    Stores(Stores&&) noexcept;
    Stores& operator=(Stores&&) noexcept;

    /// Looks for a program database. `name` is as an image stores it; directories in it are
    /// ignored.
    Lookup find_database(std::string_view name, const Identity& identity);

    /// Looks for an executable by the time stamp and size in its headers.
    Lookup find_image(std::string_view name, std::uint32_t time_stamp, std::uint32_t image_size);

    const std::vector<SearchPlace>& places() const noexcept { return places_; }

private:
    std::vector<SearchPlace> places_;
    std::unique_ptr<Listings> listings_;
};

} // namespace etl::symbols
