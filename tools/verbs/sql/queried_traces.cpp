#include "verbs/sql/queried_traces.hpp"

#include "analysis/tables.hpp"
#include "cli/event_filter.hpp"
#include "cli/needs.hpp"
#include "gather/scopes.hpp"
#include "verbs/analyze/analyze.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cli {

namespace {

/// `cpu_thread`, `cpu_process_module`; of a table with one form, the name alone.
std::string name_of(const etl::analysis::TableForm& form) {
    std::string name(form.kind->name);
    name += form.by.empty() ? "" : "_" + std::string(form.by);
    std::ranges::replace(name, '-', '_');
    return name;
}

} // namespace

QueriedTraces::QueriedTraces(const SqlOptions& options)
    : options_(&options), tally_(std::make_shared<etl::sink::Tally>(std::vector<std::string>())) {
    TraceOptions traces = options.traces;
    traces.uses_indexes = true;
    traces.select = [this](const etl::flow::Event& event) { return !select_ || select_(event); };
    first_ = std::make_shared<Traces>(traces);
}

std::expected<std::unique_ptr<QueriedTraces>, ExitCode>
QueriedTraces::open(const SqlOptions& options) {
    std::unique_ptr<QueriedTraces> traces(new QueriedTraces(options));
    if (const ExitCode exit = traces->prepare(); exit != ExitCode::well) {
        return std::unexpected(exit);
    }
    return traces;
}

ExitCode QueriedTraces::prepare() {
    if (first_->readers().empty()) {
        return ExitCode::failed;
    }
    auto context = context_of(*first_, options_->schemas, {.origins = true});
    if (!context) {
        return ExitCode::failed;
    }
    context_ = *std::move(context);
    const etl::gather::Scopes scopes(first_->readers());
    keys_ = etl::analysis::OriginKeys(scopes.origins(first_->readers(), *context_.origins));
    return ExitCode::well;
}

std::shared_ptr<etl::dataset::Dataset> QueriedTraces::pass(const etl::dataset::Window& window) {
    if (!std::exchange(has_first_pass_, true)) {
        select_ = *window.select;
        return {first_, &first_->dataset()};
    }
    if (!first_->dataset().reads_window(window)) {
        const std::shared_ptr<Traces> next = first_->again(*window.select);
        return {next, next ? &next->dataset() : nullptr};
    }
    if (windowed_ == nullptr) {
        windowed_ = first_->again({});
    }
    return {windowed_, windowed_ ? &windowed_->dataset() : nullptr};
}

std::expected<etl::analysis::Table, std::string>
QueriedTraces::compute(const etl::analysis::TableForm& form) const {
    AnalyzeOptions options;
    options.traces = options_->traces;
    options.schemas = options_->schemas;
    options.symbols = options_->symbols;
    options.verb = form.kind->name;
    options.by = form.by;
    options.progress = ProgressBar::Mode::never;
    const auto traces = first_->again({});
    if (!traces) {
        return std::unexpected("the traces can no longer be read");
    }
    auto computed = analyze(*traces, std::span(&options, 1));
    if (!computed) {
        return std::unexpected("the table " + name_of(form) + " cannot be computed");
    }
    etl::analysis::Table& table = computed->front().table;
    say(name_of(form) + ": " + coverage_line({.table = &table, .rows = table.rows.size()}));
    return std::move(table);
}

std::vector<etl::sql::ComputedTable> QueriedTraces::computed_tables() const {
    std::vector<etl::sql::ComputedTable> tables;
    for (const etl::analysis::TableForm* const form : etl::analysis::table_forms()) {
        if (form->kind->is_queried) {
            std::vector<etl::analysis::Column> columns = keys_.columns();
            std::ranges::move(empty_table(*form).columns, std::back_inserter(columns));
            tables.push_back(
                {name_of(*form), std::move(columns), [this, form] { return compute(*form); }});
        }
    }
    return tables;
}

etl::sql::Inputs QueriedTraces::inputs(std::function<bool()> is_stopped) {
    return {
        .traces = &first_->dataset(),
        .open = [this](const etl::dataset::Window& window) { return pass(window); },
        .schemas = context_.schemas,
        .origins = context_.origins,
        .threads = options_->traces.worker_threads(),
        .computed = computed_tables(),
        .tally = tally_,
        .on_no_match = [](const etl::match::Condition& condition) { report_unmatched(condition); },
        .on_untimed =
            [](std::uint64_t events) {
                etl::match::Notes notes;
                notes.untimed = events;
                cli::report(notes);
            },
        .is_stopped = std::move(is_stopped),
        .memory = static_cast<std::int64_t>(options_->memory)};
}

void QueriedTraces::report() {
    report_undecoded(tally_->undecoded());
    report_misfits(tally_->misfits());
}

} // namespace cli
