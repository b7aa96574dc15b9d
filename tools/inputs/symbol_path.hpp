// Where symbol files are looked for: --symbols and _NT_SYMBOL_PATH. docs/symbols.md#paths
#pragma once

#include "cli/verb.hpp"
#include "gather/store_symbols.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cli {

struct SymbolPathOptions {
    std::vector<std::string> paths;

    void add_to(Verb& verb);

    /// Returns the named places, then those of the environment. Prints a note for each server,
    /// because it is not contacted.
    std::vector<etl::symbols::SearchPlace> places() const;

    /// Returns the symbols there; null if no place is named.
    std::shared_ptr<etl::gather::StoreSymbols> open() const;
};

/// Prints how many images have no symbols, or symbols that name nothing. `symbols` may be null.
void report_missing(const etl::gather::StoreSymbols* symbols);

} // namespace cli
