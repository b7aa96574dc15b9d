// The traces of queries: opened once, and read again for each pass. docs/sql.md
#pragma once

#include "analysis/origin_keys.hpp"
#include "analysis/tables.hpp"
#include "cli/exit_code.hpp"
#include "gather/schemas.hpp"
#include "inputs/parts.hpp"
#include "sql/database.hpp"
#include "verbs/sql/options.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <optional>

namespace cli {

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
    etl::sql::Readers readers(etl::sql::Pass pass, const etl::sql::Selection& select);
    etl::sql::Sources window(const etl::flow::TimeFilter::Window& window,
                             const etl::sql::Selection& select);
    std::expected<etl::analysis::Table, std::string>
    compute(const etl::analysis::TableForm& form) const;
    std::vector<etl::sql::ComputedTable> computed_tables() const;

    const SqlOptions* options_;
    OpenedFiles opened_;
    etl::sql::Selection select_; // of the first pass
    std::unique_ptr<Traces> first_;
    bool has_first_pass_ = false; // which alone prints findings
    TraceIndexes indexes_;
    bool reads_windows_ = false;       // all traces have indexes, and the clock was never set back
    std::unique_ptr<Traces> windowed_; // of windows that are not read in the first pass
    std::optional<etl::gather::Schemas> schemas_;
    std::shared_ptr<const etl::facts::Origins> origins_;
    etl::analysis::OriginKeys keys_; // of the tables
    std::shared_ptr<etl::sink::Tally> tally_;
};

} // namespace cli
