#include "capi/table_work.hpp"

#include "analysis/origin_keys.hpp"
#include "analysis/pass.hpp"
#include "eventlog/convert.hpp"
#include "gather/facts.hpp"
#include "gather/scopes.hpp"
#include "gather/store_symbols.hpp"
#include "match/time_point.hpp"
#include "trace/inputs.hpp"
#include "view/limits.hpp"

#include <algorithm>
#include <limits>

namespace etl::capi {

namespace {

using analysis::PassOptions;
using analysis::TableNeeds;
using Readers = std::vector<std::unique_ptr<trace::Reader>>;

/// Damage of the traces, of which only the first lines are kept.
class Findings final : public DiagnosticSink {
public:
    void report(const Diagnostic& finding) override {
        if (finding.severity == Severity::warning && count_++ < limits::kept_findings) {
            lines_.push_back(names[finding.file] + ":" + describe(finding));
        }
    }

    void append_to(std::vector<std::string>& lines) const {
        lines.insert(lines.end(), lines_.begin(), lines_.end());
        if (count_ > lines_.size()) {
            lines.push_back(std::to_string(count_ - lines_.size()) + " more findings");
        }
    }

    std::vector<std::string> names; // of the inputs

private:
    std::vector<std::string> lines_;
    std::uint64_t count_ = 0;
};

/// The traces, and lines about what is wrong with them.
struct Opened {
    Readers readers;
    std::vector<std::string> remarks;
};

/// Event logs are read as traces.
Result<std::unique_ptr<trace::Reader>> open_reader(std::shared_ptr<const io::InputFile> file,
                                                   trace::ReaderOptions options) {
    if (eventlog::is_event_log(*file)) {
        auto log =
            eventlog::convert(*file, {.file = options.file, .diagnostics = options.diagnostics});
        if (!log) {
            return std::unexpected(log.error());
        }
        file = std::move(log->trace);
        options.hides_header = true;
    }
    return trace::Reader::open(std::move(file), options);
}

std::expected<Opened, etl_error> open(const TableRequest& request, Findings& findings) {
    Opened opened;
    std::optional<etl_error> first;
    const auto add_problem = [&](const Error& error, const std::string& name) {
        etl_error problem = failed(TraceError{error, name, {}}).error();
        opened.remarks.push_back(problem.message);
        if (!first) {
            first = std::move(problem);
        }
    };
    const trace::Inputs inputs = trace::open_inputs(request.paths);
    for (const trace::InputProblem& problem : inputs.problems) {
        add_problem(problem.error, problem.name);
    }
    // Readers of many files must not have all the threads each.
    const auto files = static_cast<unsigned>(std::max<std::size_t>(inputs.files.size(), 1));
    const unsigned threads = std::max(1U, request.threads / files);
    for (const auto& file : inputs.files) {
        findings.names.resize(opened.readers.size());
        findings.names.push_back(file->name());
        auto reader = open_reader(file, {.threads = threads,
                                         .file = static_cast<std::uint32_t>(opened.readers.size()),
                                         .diagnostics = &findings});
        if (reader) {
            opened.readers.push_back(*std::move(reader));
        } else {
            add_problem(reader.error(), file->name());
        }
    }
    if (!opened.readers.empty()) {
        return opened;
    }
    return first ? std::unexpected(*std::move(first)) : failed(ETL_NOT_FOUND, "no trace");
}

std::expected<std::optional<Filetime>, etl_error>
time_of(const std::string& text, const match::TimeBounds& bounds, const char* option) {
    if (text.empty()) {
        return std::nullopt;
    }
    const auto point = match::parse_time_point(text);
    const auto time = point ? point->resolve(bounds) : std::nullopt;
    if (!time) {
        return failed(ETL_INVALID_ARGUMENT,
                      std::string(option) + ": '" + text + "' is not a time of these traces");
    }
    return time;
}

/// The options of the pass that do not depend on schemas and facts.
std::expected<PassOptions, etl_error> parse(const TableRequest& request, const Readers& readers) {
    PassOptions pass;
    const match::TimeBounds bounds = gather::bounds_of(readers);
    auto from = time_of(request.from, bounds, "from");
    auto to = time_of(request.to, bounds, "to");
    if (!from || !to) {
        return std::unexpected(from ? to.error() : from.error());
    }
    pass.from = *from;
    pass.to = *to;
    if (!request.where.empty()) {
        const auto expression = match::Expression::parse(request.where);
        auto condition =
            expression ? match::Condition::compile(*expression, {.bounds = bounds, .notes = {}})
                       : std::unexpected(expression.error());
        if (!condition) {
            return failed(ETL_INVALID_ARGUMENT,
                          "where: " + match::describe(request.where, condition.error()));
        }
        pass.where = *std::move(condition);
    }
    if (!request.processes.empty()) {
        if (!request.form->has_processes) {
            return failed(ETL_INVALID_ARGUMENT,
                          "this table has no processes; use 'process' in `where`");
        }
        pass.processes = facts::parse_process_selection(request.processes);
    }
    return pass;
}

/// Collects what must be known before the first event.
std::expected<void, etl_error> prepare(const TableRequest& request, const Readers& readers,
                                       PassOptions& pass, analysis::OriginKeys& keys,
                                       std::vector<std::string>& remarks) {
    const TableNeeds needs = request.form->needs;
    const bool has_where = pass.where.has_value();
    const bool needs_both = needs == TableNeeds::facts_and_schemas;
    const bool needs_all = needs == TableNeeds::all_facts || needs_both;
    const bool needs_processes = needs == TableNeeds::processes || !request.processes.empty() ||
                                 (has_where && pass.where->needs_facts());
    const gather::Scopes scopes(readers);
    const bool needs_origins =
        scopes.all().size() > 1 || (has_where && pass.where->needs_origins());
    const auto remark = [&](const gather::Remark& line) { remarks.push_back(describe(line)); };
    facts::OriginCollector collected;
    const bool harvests =
        needs == TableNeeds::schemas || needs_both || (has_where && pass.where->needs_schemas());
    auto schemas = gather::schemas_of(
        readers,
        {.paths = request.schemas,
         .scope = harvests ? gather::SchemaScope::everything : gather::SchemaScope::facts,
         .threads = request.threads},
        remark, needs_origins ? &collected : nullptr);
    if (!schemas) {
        return failed(TraceError{schemas.error().error, schemas.error().path, {}});
    }
    pass.schemas = schemas->by_trace;
    if (needs_all || needs_processes) {
        using facts::Scope;
        pass.facts = gather::facts_of(readers, pass.schemas,
                                      {.scope = needs_all ? Scope::everything : Scope::processes},
                                      request.threads, remark);
    } else {
        pass.facts = gather::no_facts(readers);
    }
    auto places =
        needs_all ? gather::symbol_places(request.symbols) : std::vector<symbols::SearchPlace>();
    if (!places.empty()) {
        pass.names = facts::FrameNames(std::make_shared<gather::StoreSymbols>(std::move(places)));
    }
    pass.matcher = {.schemas = pass.schemas,
                    .facts = pass.facts,
                    .origins = needs_origins ? gather::origins_of(readers, collected) : nullptr};
    if (needs_origins) {
        keys = analysis::OriginKeys(scopes.origins(readers, *pass.matcher.origins));
    }
    return {};
}

/// The times of the first and the last event of a scope, in a pass of their own.
std::pair<std::int64_t, std::int64_t> range_of(const Readers& readers, const gather::Scope& scope,
                                               std::uint32_t number,
                                               const facts::FactsByTrace& facts) {
    std::pair range{std::numeric_limits<std::int64_t>::max(),
                    std::numeric_limits<std::int64_t>::min()};
    for (const std::size_t reader : scope.readers) {
        readers[reader]->for_each_buffer(
            1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
                if (events.empty() || facts.number_of(events.front()) != number) {
                    return;
                }
                for (const flow::Event& event : events) {
                    if (analysis::is_in_any_range(event)) {
                        range.first = std::min(range.first, event.raw_time);
                        range.second = std::max(range.second, event.raw_time);
                    }
                }
            });
    }
    return range;
}

/// The tables of the scopes of a group.
Result<std::vector<analysis::Table>> tables_of(const Readers& readers, const gather::Scopes& scopes,
                                               const gather::ScopeGroup& group,
                                               const TableRequest& request,
                                               const PassOptions& options) {
    auto events = gather::GroupEvents::open(readers, group);
    if (!events) {
        return std::unexpected(events.error());
    }
    const bool is_ordered =
        group.readers.size() == 1 &&
        std::ranges::all_of(readers[group.readers.front()]->buffers(),
                            [](const trace::BufferEntry& buffer) { return buffer.run == 0; });
    std::vector<flow::TraceInfo> traces;
    std::vector<std::unique_ptr<analysis::Analyzer>> analyzers;
    std::vector<analysis::Job> jobs;
    for (const std::uint32_t number : group.scopes) {
        traces.push_back(events->trace_of(scopes.all()[number]));
        analyzers.push_back(request.form->make({.slices = request.slices}));
        PassOptions pass = options;
        pass.is_ordered = is_ordered;
        pass.scope = number;
        if (request.form->has_slices) {
            pass.range = range_of(readers, scopes.all()[number], number, *options.facts);
        }
        jobs.push_back({analyzers.back().get(), std::move(pass)});
    }
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        jobs[i].trace = &traces[i];
    }
    return analysis::run(events->source(), traces.front(), jobs);
}

std::string text_of_gap(const analysis::NotRecorded& gap) {
    std::string text = "not recorded: " + std::string(gap.source);
    if (!gap.record.empty()) {
        text += "; to record it: " + std::string(gap.record);
    }
    return text;
}

void add_remarks(const analysis::Coverage& coverage, std::vector<std::string>& to) {
    std::ranges::transform(coverage.other_versions, std::back_inserter(to), analysis::describe);
    std::ranges::transform(coverage.not_recorded, std::back_inserter(to), text_of_gap);
    if (coverage.lost_events.value_or(0) > 0) {
        to.push_back("the session lost " + std::to_string(*coverage.lost_events) + " events");
    }
    if (coverage.lost_buffers.value_or(0) > 0) {
        to.push_back("the session lost " + std::to_string(*coverage.lost_buffers) + " buffers");
    }
}

} // namespace

std::expected<ComputedTable, etl_error> compute(const TableRequest& request) {
    Findings findings; // outlives the readers
    auto opened = open(request, findings);
    if (!opened) {
        return std::unexpected(std::move(opened.error()));
    }
    auto pass = parse(request, opened->readers);
    if (!pass) {
        return std::unexpected(std::move(pass.error()));
    }
    analysis::OriginKeys keys;
    if (auto prepared = prepare(request, opened->readers, *pass, keys, opened->remarks);
        !prepared) {
        return std::unexpected(std::move(prepared.error()));
    }
    std::optional<analysis::Table> all;
    const gather::Scopes scopes(opened->readers);
    for (const gather::ScopeGroup& group : scopes.groups()) {
        auto tables = tables_of(opened->readers, scopes, group, request, *pass);
        if (!tables) {
            const auto& first = opened->readers[group.readers.front()];
            return failed(TraceError{tables.error(), first->info().name, {}});
        }
        for (std::size_t i = 0; i < tables->size(); ++i) {
            analysis::Table& table = (*tables)[i];
            keys.add_to(table, group.scopes[i]);
            if (all) {
                all->add(std::move(table));
            } else {
                all = std::move(table);
            }
        }
    }
    all->compute_ratios();
    all->sort();
    add_remarks(all->coverage, opened->remarks);
    findings.append_to(opened->remarks);
    return ComputedTable{*std::move(all), std::move(opened->remarks)};
}

} // namespace etl::capi
