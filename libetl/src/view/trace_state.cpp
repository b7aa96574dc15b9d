#include "view/trace_state.hpp"

#include <etl/eventlog/convert.hpp>
#include <etl/flow/context.hpp>
#include <etl/flow/mux.hpp>
#include <etl/gather/store_symbols.hpp>

#include <algorithm>
#include <utility>

namespace etl::inline view {

namespace {

/// Whether the first event after a window ends it: not if a file contains several runs.
flow::TimeFilter::Upstream upstream_of(const Readers& readers, trace::Order order) {
    const bool in_one_go = std::ranges::all_of(readers, [](const auto& reader) {
        return std::ranges::all_of(reader->buffers(),
                                   [](const auto& buffer) { return buffer.run == 0; });
    });
    return in_one_go && order == trace::Order::time ? flow::TimeFilter::Upstream::ordered
                                                    : flow::TimeFilter::Upstream::unordered;
}

facts::FrameNames frame_names_of(const TraceOptions& options) {
    auto places = gather::symbol_places(options.symbols);
    return facts::FrameNames(
        places.empty() ? nullptr : std::make_shared<gather::StoreSymbols>(std::move(places)));
}

} // namespace

void Trace::State::open_inputs(const std::vector<std::string>& paths) {
    trace::Inputs inputs = trace::open_inputs(
        paths, {.recursion = options.recursive ? io::Recursion::yes : io::Recursion::no});
    for (trace::InputProblem& problem : inputs.problems) {
        problems.push_back({problem.error, std::move(problem.name), {}});
    }
    for (auto& file : inputs.files) {
        add_file(std::move(file));
    }
}

/// Event logs are read as traces.
void Trace::State::add_file(std::shared_ptr<const io::InputFile> file) {
    if (!eventlog::is_event_log(*file)) {
        files.push_back(std::move(file));
        return;
    }
    const auto problem = [&](const Error& error) { problems.push_back({error, file->name(), {}}); };
    auto log = eventlog::convert(*file);
    if (!log) {
        return problem(log.error());
    }
    if (log->undecodable + log->too_large + log->counts.damaged_chunks > 0) {
        problem({.code = ErrorCode::malformed, .what = "event log"});
    }
    files.push_back(log->trace);
    event_logs.push_back(std::move(log->trace));
}

// Divides the threads among the readers. The numbers of files stay the same: schemas and facts are
// found by them.
Result<void> Trace::State::open_readers(const Selection& selecting) {
    const bool is_first = infos.empty();
    run = {};
    at = 0;
    source = nullptr;
    windowed.reset();
    joined.reset();
    readers.clear();
    infos.clear();
    findings.clear();
    const auto count = static_cast<unsigned>(std::max<std::size_t>(files.size(), 1));
    const unsigned threads_each = std::max(1U, threads_of(options) / count);
    // The log file header of an event log describes nothing.
    const auto without_header = [selecting](const flow::Event& of) {
        return !flow::is_logfile_header(of) && (!selecting || selecting(of));
    };
    for (auto file = files.begin(); file != files.end();) {
        const bool is_log = std::ranges::find(event_logs, *file) != event_logs.end();
        auto reader =
            trace::Reader::open(*file, {.order = options.order,
                                        .threads = threads_each,
                                        .file = static_cast<std::uint32_t>(readers.size()),
                                        .diagnostics = &findings,
                                        .select = is_log ? Selection(without_header) : selecting});
        if (reader) {
            infos.push_back(&(*reader)->info());
            readers.push_back(std::move(*reader));
            ++file;
        } else if (is_first) {
            problems.push_back({reader.error(), (*file)->name(), {}});
            file = files.erase(file);
        } else {
            return std::unexpected(reader.error());
        }
    }
    return {};
}

// Everything after the readers.
std::optional<TraceError> Trace::State::complete() {
    const match::TimeBounds bounds = gather::bounds_of(readers);
    auto compiled = compile_where(options, bounds);
    auto limited = window_of(options, bounds);
    if (!compiled || !limited) {
        return compiled ? limited.error() : compiled.error();
    }
    condition = *std::move(compiled);
    window = *limited;
    facts::OriginCollector collected;
    const bool needs_origins =
        condition.needs_origins() || gather::may_have_several_origins(readers);
    const auto schemas = gather::schemas_of(readers, schema_options(options), remarks,
                                            needs_origins ? &collected : nullptr);
    if (!schemas) {
        return TraceError{schemas.error().error, schemas.error().path, {}};
    }
    const bool needs_facts = options.enrich || condition.needs_facts();
    using facts::Scope;
    const auto facts =
        needs_facts
            ? gather::facts_of(readers, schemas->by_trace,
                               {.scope = options.enrich ? Scope::everything : Scope::processes},
                               threads_of(options), remarks)
            : no_facts(readers.size());
    const auto origins = gather::origins_of(readers, collected);
    if (!condition.is_always_true()) {
        matches.emplace(
            condition,
            match::MatcherInputs{.schemas = schemas->by_trace, .facts = facts, .origins = origins});
    }
    event.reset(
        options.enrich
            ? new Event(schemas->by_trace, facts, origins, frame_names_of(options))
            : new Event(schemas->by_trace, no_facts(readers.size()), origins, std::nullopt));
    return std::nullopt;
}

// For a live session, whose schemas are renewed as its events carry new ones.
void Trace::State::use_schemas(const schema::SchemasByTrace& schemas) {
    if (!condition.is_always_true()) {
        matches.emplace(condition, match::MatcherInputs{.schemas = schemas, .facts = no_facts(1)});
    }
    if (event == nullptr) {
        event.reset(new Event(schemas, no_facts(1), nullptr, std::nullopt));
    } else {
        event->use_schemas(schemas);
    }
}

void Trace::State::join() {
    std::vector<flow::Source*> list;
    for (const auto& reader : readers) {
        list.push_back(reader.get());
    }
    if (list.size() == 1) {
        source = list.front();
    } else if (options.order == trace::Order::time) {
        joined = std::make_unique<flow::Mux>(std::move(list));
        source = joined.get();
    } else {
        joined = std::make_unique<flow::Concatenation>(std::move(list));
        source = joined.get();
    }
    if (window.from || window.to) {
        windowed = std::make_unique<flow::TimeFilter>(*source, window,
                                                      upstream_of(readers, options.order));
        source = windowed.get();
    }
}

void Trace::State::come_to_end() {
    has_ended = true;
    for (const auto& reader : readers) {
        reader->report_truncation();
    }
}

} // namespace etl::inline view
