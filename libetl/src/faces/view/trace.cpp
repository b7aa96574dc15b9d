#include "io/find_files.hpp"
#include "io/inherit_rights.hpp"
#include "relog/context_filter.hpp"
#include "relog/edit.hpp"
#include "rewrite/output.hpp"
#include "trace/limits.hpp"
#include "trace/writer.hpp"
#include "view/trace_state.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace etl::inline view {

namespace {

/// The first option that is set and needs a complete trace; empty if none is.
const char* needs_complete_trace(const dataset::Options& options,
                                 const match::Condition& where) noexcept {
    return !options.from.empty()                          ? "from"
           : !options.to.empty()                          ? "to"
           : options.enrich                               ? "enrich"
           : options.part.count != 1                      ? "part"
           : where.needs_facts() || where.needs_origins() ? "where"
                                                          : "";
}

std::optional<TraceError> problem_of_part(const dataset::Options& options) {
    const auto [number, count] = options.part;
    const bool is_valid = number >= 1 && number <= count && count <= trace::limits::parts;
    if (is_valid && (count == 1 || options.order == trace::Order::time)) {
        return std::nullopt;
    }
    return TraceError{{.code = ErrorCode::invalid_option, .what = "part"},
                      "part",
                      is_valid ? "a part is a span of time, which requires the order of time"
                               : fmt::format("{} of {} is not a part; use 1 of 8 to 8 of 8, and at "
                                             "most {} parts",
                                             number, count, trace::limits::parts)};
}

std::unexpected<TraceError> reject(const Error& error, std::string about, std::string detail = {}) {
    return std::unexpected(TraceError{error, std::move(about), std::move(detail)});
}

trace::Order order_of(EventOrder order) noexcept {
    return order == EventOrder::file       ? trace::Order::file
           : order == EventOrder::recorded ? trace::Order::recorded
                                           : trace::Order::time;
}

dataset::Options options_of(const TraceOptions& from) {
    return {.schemas = from.schemas,
            .culture = from.culture,
            .where = from.where,
            .from = from.from,
            .to = from.to,
            .order = order_of(from.order),
            .threads = from.threads,
            .recursive = from.recursive,
            .enrich = from.enrich,
            .symbols = from.symbols,
            .part = {from.part.number, from.part.count},
            .uses_indexes = from.uses_indexes,
            .max_unpacked = from.max_unpacked,
            .pointer_size = from.pointer_size};
}

/// Returns the number of events.
Result<std::uint64_t> write_trace(flow::Source& source, const flow::TraceInfo& info,
                                  const std::string& path, const std::vector<std::string>& inputs) {
    io::AtomicFiles files; // the output appears when it is complete
    trace::WriterOptions options{.recording = trace::relogged(info),
                                 .files = &files,
                                 .keep_logger_ids = !info.merged_inputs.empty()};
    options.file.buffer_size = trace::buffer_size_for(info);
    // Not longer: an edit can create files of its own.
    std::optional<io::InheritedRights> rights(std::in_place, inputs);
    auto writer = trace::Writer::create(path, std::move(options));
    rights.reset();
    if (!writer) {
        return std::unexpected(writer.error());
    }
    const auto copied = trace::copy(source, **writer);
    if (!copied) {
        return std::unexpected(copied.error());
    }
    if (auto closed = (*writer)->close(); !closed) {
        return std::unexpected(closed.error());
    }
    if (const auto& failure = (*writer)->status().failure) {
        return std::unexpected(failure->error);
    }
    if (auto committed = files.commit(); !committed) {
        return std::unexpected(committed.error());
    }
    return copied->events;
}

} // namespace

std::expected<Trace, TraceError> Trace::open(const std::string& path, const TraceOptions& options) {
    return open_all({path}, options);
}

std::expected<Trace, TraceError> Trace::open_all(const std::vector<std::string>& paths,
                                                 const TraceOptions& options) {
    const dataset::Options how = options_of(options);
    auto trace = State::open(dataset::open_inputs(paths, how),
                             paths.empty() ? std::string() : paths.front(), how);
    if (trace) {
        trace->state_->paths = paths;
    }
    return trace;
}

std::expected<Trace, TraceError> Trace::open_memory(std::vector<std::byte> bytes,
                                                    const std::string& name,
                                                    const TraceOptions& options) {
    const dataset::Options how = options_of(options);
    return State::open(
        dataset::open_inputs(io::InputFile::from_memory(std::move(bytes), name), how), name, how);
}

std::expected<Trace, TraceError> Trace::State::open(dataset::Inputs inputs, std::string about,
                                                    const dataset::Options& options) {
    // Before anything is open times mean nothing: only what is wrong with the expression counts.
    auto condition = dataset::compile_where(options.where, {.start = {}, .end = Filetime{}});
    if (!condition) {
        return std::unexpected(std::move(condition.error()));
    }
    if (auto error = problem_of_part(options)) {
        return std::unexpected(*std::move(error));
    }
    auto state = std::make_unique<State>();
    state->options = options;
    state->select = options.select;
    if (condition->may_reject_by_header()) {
        state->select = [condition = *condition, of = state.get()](const flow::Event& event) {
            // Once it is stopped, the first event ends the loop.
            const auto& select = of->options.select;
            return (condition.may_match(event) && (!select || select(event))) ||
                   of->is_stopped.load(std::memory_order_relaxed);
        };
    }
    state->open_traces(std::move(inputs));
    if (state->traces->is_empty()) {
        return state->problems.empty()
                   ? reject({.code = ErrorCode::not_found, .what = "a trace"}, std::move(about))
                   : std::unexpected(state->problems.front());
    }
    if (auto error = state->complete()) {
        return std::unexpected(*std::move(error));
    }
    return Trace(std::move(state));
}

std::expected<Trace, TraceError> Trace::listen(const session::Session& session,
                                               const TraceOptions& options) {
    const dataset::Options how = options_of(options);
    auto state = std::make_unique<State>();
    state->options = how;
    auto condition = dataset::compile_where(options.where, {});
    if (!condition) {
        return std::unexpected(std::move(condition.error()));
    }
    if (const char* const option = needs_complete_trace(how, *condition); *option != '\0') {
        return reject({.code = ErrorCode::invalid_option, .what = option}, option,
                      "not available for a live session; requires a complete trace");
    }
    state->filters.condition = *std::move(condition);
    auto schemas = gather::StreamSchemas::open(
        {.paths = options.schemas, .culture = options.culture, .threads = how.worker_threads()},
        std::ref(state->remarks));
    if (!schemas) {
        return reject(schemas.error().error, schemas.error().path);
    }
    auto live = session::LiveSource::listen(session);
    if (!live) {
        return reject(live.error(), "session", session::describe(live.error()));
    }
    state->live = *std::move(live);
    schemas->set_build(state->live->info().header.provider_version);
    state->infos = {&state->live->info()};
    state->live_schemas = *std::move(schemas);
    state->feed.emplace(*state->live, *state->live_schemas,
                        gather::SchemaFeed::Harvesting::on_passage);
    state->feed->on_renewal(
        [state = state.get()] { state->use_schemas(state->live_schemas->newest()); });
    state->source = &*state->feed;
    state->use_schemas(state->live_schemas->newest());
    return Trace(std::move(state));
}

Trace::Trace(Owned<State> state) noexcept : state_(std::move(state)) {}

Trace::Trace(Trace&& other) noexcept = default;
Trace& Trace::operator=(Trace&& other) noexcept = default;
Trace::~Trace() = default;

Trace::Iterator Trace::begin() {
    State& state = *state_;
    if (state.live == nullptr) {
        state.is_stopped = false;
        Result<void> opened;
        if (std::exchange(state.has_begun, true)) {
            opened = state.open_traces_again(state.select);
        }
        if (opened) {
            opened = state.open_events();
        }
        state.failure = opened ? std::nullopt : std::optional(opened.error());
    }
    return {state, state.failure ? nullptr : next(state)};
}

const Event* Trace::next(State& state) {
    while (const flow::Event* const record = state.next_record()) {
        const Event& event = state.at_record(*record);
        if (state.wants(event)) [[likely]] {
            return &event;
        }
    }
    return nullptr;
}

Result<std::uint64_t> Trace::save(const std::string& path, Existing existing) {
    return state_->write(path, nullptr, existing);
}

Result<std::uint64_t> Trace::relog(const std::string& path, const Edit& edit, Existing existing) {
    return state_->write(path, edit ? &edit : nullptr, existing);
}

// Context passes whatever the filters are, so that headers must not select.
Result<std::uint64_t> Trace::State::write(const std::string& path, const Edit* edit,
                                          Existing existing) {
    if (infos.size() != 1 || live != nullptr || is_part()) {
        return fail(ErrorCode::unsupported, "saving several traces, a part, or a session");
    }
    if (io::is_same_file(path, traces->inputs().front().name())) {
        return fail(ErrorCode::invalid_option, "saving a trace over itself");
    }
    if (existing == Existing::keep && io::is_regular_file(path)) {
        return fail(ErrorCode::invalid_option, "saving over an existing file");
    }
    if (auto opened = open_traces_again({}); !opened) {
        return std::unexpected(opened.error());
    }
    has_begun = true;
    flow::Source& all = *traces->readers().front();
    source = &all;
    const auto is_of_walk = [this](const flow::Event& record) {
        const Event& shown = at_record(record);
        const auto& [from, to] = filters.window;
        const bool is_early = from && (!record.has_time || record.time() < *from);
        const bool is_late = to && (!record.has_time || record.time() >= *to);
        return !is_early && !is_late && wants(shown);
    };
    relog::ContextFilter kept(all, is_of_walk);
    const flow::TimeFilter::Window& window = filters.window;
    const bool is_filtered = window.from || window.to || matches;
    flow::Source& chosen = is_filtered ? static_cast<flow::Source&>(kept) : all;
    relog::FunctionEdit edits([&](const flow::Event& record, relog::Output& to) {
        if (is_of_walk(record)) {
            (*edit)(*event, to);
        } else {
            to.pass();
        }
    });
    relog::EditedSource edited(chosen, edits);
    flow::Source& written = edit != nullptr ? static_cast<flow::Source&>(edited) : chosen;
    auto count =
        write_trace(written, *infos.front(), path, rewrite::files_of(paths, options.recursive));
    come_to_end();
    return count;
}

const Error* Trace::error() const noexcept {
    return state_->failure             ? &*state_->failure
           : state_->source != nullptr ? state_->source->error()
                                       : nullptr;
}

std::span<const TraceError> Trace::problems() const noexcept {
    return state_->problems;
}

std::span<const Diagnostic> Trace::findings() const noexcept {
    return state_->findings.list();
}

std::uint64_t Trace::finding_count() const noexcept {
    return state_->findings.count();
}

std::vector<std::string> Trace::remarks() const {
    std::vector<std::string> lines = state_->remarks.lines();
    if (state_->has_ended && !state_->is_part()) { // another part may have them
        for (const match::UnmatchedName& name : state_->filters.condition.unmatched()) {
            lines.push_back(describe(name));
        }
    }
    if (const auto count = state_->filters.condition.notes().untimed.load(); count > 0) {
        lines.push_back("no usable timestamp, and therefore in no time window: " +
                        std::to_string(count) + (count == 1 ? " event" : " events"));
    }
    return lines;
}

std::vector<TraceInfo> Trace::infos() const {
    std::vector<TraceInfo> infos;
    for (const flow::TraceInfo* const info : state_->infos) {
        infos.push_back({.name = info->name,
                         .header = &info->header,
                         .size = info->file_size,
                         .buffers = info->buffers,
                         .has_header = info->has_header,
                         .is_finalized = !info->is_unfinalized});
    }
    return infos;
}

void Trace::stop() noexcept {
    state_->is_stopped = true;
    if (state_->live != nullptr) {
        state_->live->close();
    }
}

} // namespace etl::inline view
