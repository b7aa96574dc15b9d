// Where symbol files are looked for: --symbols and _NT_SYMBOL_PATH. docs/symbols.md#paths
#pragma once

#include <etl/symbols/stores.hpp>

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace cli {

struct SymbolPathOptions {
    std::vector<std::string> paths;

    void add_to(CLI::App& verb);

    /// Returns the named places, then those of the environment. Prints a note for each server,
    /// because it is not contacted.
    std::vector<etl::symbols::SearchPlace> places() const;
};

} // namespace cli
