// etl symbols --resolve: names of addresses of one file.
#pragma once

#include "cli/exit_code.hpp"
#include "inputs/symbol_path.hpp"

#include <string>
#include <vector>

namespace cli {

struct ResolveOptions {
    std::string file;
    std::vector<std::string> addresses; // `-`: standard input
    SymbolPathOptions path;
    bool json = false;
};

/// Prints the frames of each address. Failed if the file cannot be opened, or if no address is
/// valid; damaged if some are invalid.
ExitCode resolve_addresses(const ResolveOptions& options);

} // namespace cli
