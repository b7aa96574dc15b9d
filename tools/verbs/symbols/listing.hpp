// etl symbols TRACE: the images of traces and their symbol files.
#pragma once

#include "cli/exit_code.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"

namespace cli {

struct SymbolListOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions path;
    bool json = false;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

/// Prints a line for each image, once per identity. Missing symbols are not an error.
ExitCode list_symbols(const SymbolListOptions& options);

} // namespace cli
