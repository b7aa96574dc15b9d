#include "view/trace_state.hpp"

#include "eventlog/convert.hpp"
#include "flow/context.hpp"
#include "flow/mux.hpp"
#include "gather/store_symbols.hpp"
#include "gather/trace_index.hpp"

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
    EventLog converted;
    auto log = eventlog::convert(*file, {.diagnostics = &converted.findings});
    if (!log) {
        return problem(log.error());
    }
    if (log->undecodable + log->too_large + log->counts.damaged_chunks > 0) {
        problem({.code = ErrorCode::malformed, .what = "event log"});
    }
    files.push_back(log->trace);
    converted.file = std::move(log->trace);
    event_logs.push_back(std::move(converted));
}

const EventLog*
Trace::State::event_log_of(const std::shared_ptr<const io::InputFile>& file) const noexcept {
    const auto found = std::ranges::find(event_logs, file, &EventLog::file);
    return found != event_logs.end() ? &*found : nullptr;
}

// Those of the conversion come first, in each loop.
void Trace::State::report_conversion(std::uint32_t number) {
    if (const EventLog* const log = event_log_of(files[number])) {
        for (Diagnostic finding : log->findings.list()) {
            finding.file = number;
            findings.report(finding);
        }
    }
}

// Divides the threads among the readers.
trace::ReaderOptions Trace::State::reader_options(std::size_t number, const Selection& selecting) {
    const auto count = static_cast<unsigned>(std::max<std::size_t>(files.size(), 1));
    return {.order = options.order,
            .threads = std::max(1U, threads_of(options) / count),
            .file = static_cast<std::uint32_t>(number),
            .diagnostics = &findings,
            .select = selecting,
            .hides_header = event_log_of(files[number]) != nullptr};
}

// The numbers of the files stay the same: schemas and facts are found by them.
Result<void> Trace::State::open_readers(const Selection& selecting) {
    const bool is_first = infos.empty();
    run = {};
    at = 0;
    source = nullptr;
    windowed.reset();
    joined.reset();
    parts.clear();
    readers.clear();
    infos.clear();
    findings.clear();
    while (readers.size() < files.size()) {
        const auto file = files.begin() + static_cast<std::ptrdiff_t>(readers.size());
        auto reader = trace::Reader::open(*file, reader_options(readers.size(), selecting));
        if (reader) {
            report_conversion(static_cast<std::uint32_t>(readers.size()));
            infos.push_back(&(*reader)->info());
            readers.push_back(std::move(*reader));
        } else if (is_first) {
            problems.push_back({reader.error(), (*file)->name(), {}});
            files.erase(file);
        } else {
            return std::unexpected(reader.error());
        }
    }
    return {};
}

// With a part: a trace that has no index is read once.
void Trace::State::read_indexes() {
    for (const auto& reader : readers) {
        auto index = gather::read_index(*reader, remarks);
        if (index == nullptr) {
            index = std::make_shared<const trace::TraceIndex>(
                gather::index_of(*reader, threads_of(options)).index);
        }
        indexes.push_back(std::move(index));
    }
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
    if (is_part()) {
        read_indexes();
    }
    facts::OriginCollector collected;
    const bool needs_origins =
        condition.needs_origins() || gather::may_have_several_origins(readers);
    const auto schemas = gather::schemas_of(readers, indexes, schema_options(options), remarks,
                                            needs_origins ? &collected : nullptr);
    if (!schemas) {
        return TraceError{schemas.error().error, schemas.error().path, {}};
    }
    const bool needs_facts = options.enrich || condition.needs_facts();
    using facts::Scope;
    const auto facts =
        needs_facts
            ? gather::facts_of(readers, indexes, schemas->by_trace,
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

Result<void> Trace::State::open_parts() {
    std::vector<trace::IndexedTrace> indexed;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        indexed.push_back({readers[i].get(), indexes[i].get()});
    }
    const auto wanted = trace::window_of({.part = options.part,
                                          .window = window,
                                          .ends_with_window = upstream_of(readers, options.order) ==
                                                              flow::TimeFilter::Upstream::ordered},
                                         indexed);
    for (std::size_t i = 0; i < readers.size(); ++i) {
        auto part =
            trace::WindowReader::open(files[i], reader_options(i, select), *indexes[i], wanted);
        if (!part) {
            return std::unexpected(part.error());
        }
        parts.push_back(*std::move(part));
    }
    return {};
}

Result<void> Trace::State::join() {
    if (is_part()) {
        if (auto opened = open_parts(); !opened) {
            return opened;
        }
    }
    std::vector<flow::Source*> list;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        list.push_back(is_part() ? static_cast<flow::Source*>(parts[i].get()) : readers[i].get());
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
        windowed = std::make_unique<flow::TimeFilter>(
            *source, window, upstream_of(readers, options.order), &condition.notes().untimed);
        source = windowed.get();
    }
    return {};
}

void Trace::State::come_to_end() {
    has_ended = true;
    for (const auto& reader : readers) {
        reader->report_truncation();
    }
}

} // namespace etl::inline view
