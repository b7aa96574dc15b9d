// The traces of queries: opened once, and read again for each pass. docs/sql.md
#pragma once

#include "analysis/origin_keys.hpp"
#include "analysis/tables.hpp"
#include "cli/console.hpp"
#include "cli/exit_code.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"
#include "outputs/table_output.hpp"
#include "sql/database.hpp"
#include "sql/limits.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace cli {

// The options of `etl sql`. docs/sql.md

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
    std::uint64_t memory = static_cast<std::uint64_t>(etl::sql::limits::query_memory);
};

/// Members refer to each other: not moved. One thread.
class QueriedTraces {
public:
    /// Opens the traces and gathers their schemas. Prints what could not be opened; an exit code if
    /// nothing can be read. `options` must outlive this.
    static std::expected<std::unique_ptr<QueriedTraces>, ExitCode> open(const SqlOptions& options);

    /// Returns the inputs of a database, which must not outlive this.
    etl::sql::Inputs inputs(std::function<bool()> is_stopped);

    /// Prints what the passes so far did not decode.
    void report();

    /// Damaged if some inputs could not be opened, or a pass found damage.
    ExitCode exit_code() const noexcept { return first_->exit_code(); }

private:
    explicit QueriedTraces(const SqlOptions& options);

    ExitCode prepare();
    std::shared_ptr<etl::dataset::Dataset> pass(const etl::dataset::Window& window);
    std::expected<etl::analysis::Table, std::string>
    compute(const etl::analysis::TableForm& form) const;
    std::vector<etl::sql::ComputedTable> computed_tables() const;

    const SqlOptions* options_;
    etl::dataset::Selection select_; // of the first pass
    std::shared_ptr<Traces> first_;
    bool has_first_pass_ = false;      // which alone prints findings
    std::shared_ptr<Traces> windowed_; // of windows that are not read in the first pass
    etl::dataset::Context context_;
    etl::analysis::OriginKeys keys_; // of the tables
    std::shared_ptr<etl::sink::Tally> tally_;
};

} // namespace cli
