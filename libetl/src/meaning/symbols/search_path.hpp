// Symbol paths: where to look for symbol files, in the syntax of _NT_SYMBOL_PATH.
// docs/symbols.md#paths
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::symbols {

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

} // namespace etl::symbols
