#include "verbs/sql/queried_traces.hpp"

#include "analysis/tables.hpp"
#include "cli/event_filter.hpp"
#include "cli/needs.hpp"
#include "cli/process_filter.hpp"
#include "gather/facts.hpp"
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
    : options_(&options), opened_(open_files(options.traces)),
      tally_(std::make_shared<etl::sink::Tally>(std::vector<std::string>())) {
    TraceOptions traces = options.traces;
    traces.select = [this](const etl::flow::Event& event) { return !select_ || select_(event); };
    first_ = std::make_unique<Traces>(opened_, traces, Traces::Findings::reported);
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
    indexes_ = read_indexes(*first_);
    reads_windows_ =
        options_->traces.order == etl::trace::Order::time &&
        order_of(*first_) == etl::flow::TimeFilter::Upstream::ordered &&
        std::ranges::all_of(indexes_, [](const auto& index) { return index != nullptr; });
    etl::facts::OriginCollector collected;
    schemas_ = gather_schemas(options_->schemas, *first_, indexes_,
                              options_->traces.worker_threads(), &collected);
    if (!schemas_) {
        return ExitCode::failed;
    }
    origins_ = etl::gather::origins_of(first_->readers(), collected);
    const etl::gather::Scopes scopes(first_->readers());
    keys_ = etl::analysis::OriginKeys(scopes.origins(first_->readers(), *origins_));
    return ExitCode::well;
}

etl::sql::Readers QueriedTraces::readers(etl::sql::Pass pass, const etl::sql::Selection& select) {
    etl::sql::Readers readers;
    const bool is_first = pass == etl::sql::Pass::events && !std::exchange(has_first_pass_, true);
    if (is_first) {
        select_ = select;
        for (std::size_t i = 0; i < first_->readers().size(); ++i) {
            readers.push_back(first_->release(i));
        }
        return readers;
    }
    TraceOptions options = options_->traces;
    options.select = select;
    Traces traces(opened_, options, Traces::Findings::silent);
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        readers.push_back(traces.release(i));
    }
    return readers;
}

etl::sql::Sources QueriedTraces::window(const etl::flow::TimeFilter::Window& window,
                                        const etl::sql::Selection& select) {
    if (!reads_windows_) {
        return {};
    }
    const bool is_first = !std::exchange(has_first_pass_, true);
    if (!is_first && windowed_ == nullptr) {
        windowed_ = std::make_unique<Traces>(opened_, options_->traces, Traces::Findings::silent);
    }
    TraceOptions options = options_->traces;
    options.select = select;
    const auto part =
        PartOfTraces::open(options, opened_, is_first ? *first_ : *windowed_, indexes_,
                           {.part = {}, .window = window, .ends_with_window = true},
                           is_first ? Traces::Findings::reported : Traces::Findings::silent);
    etl::sql::Sources sources;
    if (part != nullptr) {
        for (auto& source : part->take()) {
            sources.push_back(std::move(source));
        }
    }
    return sources;
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
    const Traces traces(opened_, options.traces, Traces::Findings::silent);
    auto computed = analyze(traces, std::span(&options, 1), &schemas_->by_trace);
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
        .open = [this](etl::sql::Pass pass,
                       const etl::sql::Selection& select) { return readers(pass, select); },
        .open_window = [this](const etl::flow::TimeFilter::Window& of,
                              const etl::sql::Selection& select) { return window(of, select); },
        .schemas = schemas_->by_trace,
        .origins = origins_,
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
