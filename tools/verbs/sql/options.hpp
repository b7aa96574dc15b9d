// The options of `etl sql`. docs/sql.md
#pragma once

#include "cli/console.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"
#include "outputs/table_output.hpp"
#include "sql/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace cli {

struct SqlOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions symbols; // for names of functions in tables
    std::string query;         // empty: standard input, or the prompt
    std::string output = "-";
    std::optional<TableFormat> format;
    BigNumbers big_numbers = BigNumbers::number;
    bool is_database = false; // the output is a SQLite database
    bool force = false;
    bool lists_tables = false;
    std::uint64_t memory = static_cast<std::uint64_t>(etl::limits::query_memory);
};

} // namespace cli
