// Where symbol files are looked for: --symbols and _NT_SYMBOL_PATH. docs/symbols.md#paths
#pragma once

#include "cli/verb.hpp"
#include "gather/store_symbols.hpp"
#include "symbols/pe_file.hpp"
#include "symbols/stores.hpp"

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

// The program databases of executables, for the formats of their WPP messages.

/// Looks for the program database that the executable at `image` names: next to it, then in
/// `places`. Prints a warning for each file that has its name and is not used.
etl::symbols::Lookup find_database_of(const std::string& image,
                                      const etl::symbols::DatabaseReference& wanted,
                                      std::vector<etl::symbols::SearchPlace> places);

/// Splits a list such as `a;b`. Empty elements are left out.
std::vector<std::string> split_list(const std::string& list);

/// Returns the paths of the program databases of executables, looked for next to each, then on the
/// symbol paths and on _NT_SYMBOL_PATH. Prints a warning for each that is not found.
std::vector<std::string> databases_of(const std::vector<std::string>& images,
                                      const std::vector<std::string>& symbol_paths);

} // namespace cli
