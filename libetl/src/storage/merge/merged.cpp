#include "flow/context.hpp"
#include "flow/losses.hpp"
#include "flow/merge_order.hpp"
#include "flow/merged_inputs.hpp"
#include "merge/merge.hpp"
#include "merge/plan.hpp"
#include "merge/repeats.hpp"
#include "merge/source_events.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace etl::merge {

namespace {

/// One input under way.
struct Lane {
    Input input;
    Rewriting what;
    std::int64_t start = 0; // in the output's clock: nothing of it is expected before
    /// By flow::BufferContext::merged_input: numbers of machines and boots.
    std::vector<std::uint32_t> machines;
    std::unique_ptr<Rewriter> events; // none: not open yet; stays, as the trace of what it gave
    flow::Run rest;                   // of its last run
};

/// What the writer will make of the recording, as far as the events about sources go.
flow::TraceInfo output_trace(const trace::Recording& recording) {
    flow::TraceInfo info;
    info.name = "merged traces";
    info.has_header = true;
    info.header = recording.header;
    info.reference_time = recording.reference_time;
    info.clock = flow::Clock(info.header, info.reference_time);
    return info;
}

/// Numbers the machines and boots of lanes and of their inputs. Traces that keep their timestamps
/// are of one machine and boot.
class LaneMachines {
public:
    std::vector<std::uint32_t> of(const Lane& lane) {
        const flow::TraceInfo& trace = *lane.input.trace;
        const std::uint32_t first_processor = lane.what.first_processor;
        std::vector<std::uint32_t> machines{
            lane.what.to_system_time
                ? numbers_.of(first_processor, {trace.header.start_time}, {trace.header.boot_time})
                : of_kept_};
        for (const flow::MergedInput& input : trace.merged_inputs) {
            machines.push_back(
                numbers_.of(first_processor + input.first_processor, input.start, input.boot));
        }
        return machines;
    }

private:
    flow::MachineNumbers numbers_;
    std::uint32_t of_kept_ = numbers_.of(0, {}, {});
};

/// How many of the first events come before a time.
std::size_t count_before(flow::Run run, std::int64_t time) noexcept {
    const flow::Event* at = run.data();
    const flow::Event* const end = at + run.size();
    while (at != end && at->raw_time < time) {
        ++at;
    }
    return static_cast<std::size_t>(at - run.data());
}

/// Context that parts of a trace repeat. Not their log file headers, which are no events.
bool may_repeat(const flow::Event& event) noexcept {
    return flow::context_of(event) != flow::Context::none && !flow::is_logfile_header(event);
}

} // namespace

Result<Beginning> beginning_of(flow::Source& source) {
    Beginning begins;
    begins.first = std::numeric_limits<std::int64_t>::max();
    while (!begins.first_event) {
        const flow::Run run = source.next_run();
        if (run.empty()) {
            break;
        }
        begins.first = std::min(begins.first, run.front().raw_time);
        if (run.front().buffer->number != 0) { // 0 is the header buffer
            begins.first_event = run.front().raw_time;
        }
    }
    if (const Error* const error = source.error()) {
        return std::unexpected(*error);
    }
    return begins;
}

struct MergedSource::State {
    State(std::vector<Input> inputs, Plan plan);

    std::vector<Lane> lanes;
    std::vector<std::uint32_t> unopened; // the first to open is the last
    flow::MergeOrder<Lane*> order;       // of those that are open
    Repeats repeats;
    std::uint64_t repeated = 0;
    trace::Recording recording;
    flow::TraceInfo info; // of the output
    SourceEvents sources{info};
    bool keeps_repeats = false;
    bool has_tags = false;
    bool tells_sources = false; // as long as the last run was one of them
    Lane* given = nullptr;      // that the last run came from; the first of the order
    std::optional<Error> error;

    void note(const Error& failure) { error = error.value_or(failure); }

    bool open(std::uint32_t number);
    void open_due();
    bool refill(Lane& lane);
    void go_on();
    flow::Run take(Lane& lane, std::size_t count);
    flow::Run take_tied(Lane& lane);
    flow::Run next();
};

MergedSource::State::State(std::vector<Input> inputs, Plan plan)
    : recording(std::move(plan.recording)), info(output_trace(recording)) {
    LaneMachines machines;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        Lane lane{.input = std::move(inputs[i]),
                  .what = plan.inputs[i],
                  .start = std::numeric_limits<std::int64_t>::min(),
                  .machines = {},
                  .events = nullptr,
                  .rest = {}};
        const flow::TraceInfo& trace = *lane.input.trace;
        lane.machines = machines.of(lane);
        info.has_unknown_losses = info.has_unknown_losses || !flow::counts_losses(trace);
        if (lane.input.beginning || trace.has_header) {
            const std::int64_t raw =
                lane.input.beginning ? lane.input.beginning->first : trace.reference_time;
            lane.start = Restamp(trace, lane.what)(raw);
        }
        lanes.push_back(std::move(lane));
        unopened.push_back(static_cast<std::uint32_t>(i));
    }
    std::ranges::sort(unopened, [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(lanes[a].start, a) > std::pair(lanes[b].start, b);
    });
    for (const flow::MergedInput& source : plan.sources) {
        sources.add(source);
        has_tags = true;
        tells_sources = true;
    }
}

/// Opens an input and reads its first run; false when there is none.
bool MergedSource::State::open(std::uint32_t number) {
    Lane& lane = lanes[number];
    auto source = lane.input.open();
    lane.input.open = nullptr; // and what it holds
    if (!source) {
        note(source.error());
        return false;
    }
    lane.events = std::make_unique<Rewriter>(*std::move(source), *lane.input.trace, lane.what);
    return refill(lane);
}

/// Opens what may begin before the first event of those that are open, or with it.
void MergedSource::State::open_due() {
    while (!unopened.empty() &&
           (order.empty() || lanes[unopened.back()].start <= order.first().time)) {
        const std::uint32_t number = unopened.back();
        unopened.pop_back();
        if (open(number)) {
            order.add({lanes[number].rest.front().raw_time, number, &lanes[number]});
        }
    }
}

/// The next run of an input; false at its end.
bool MergedSource::State::refill(Lane& lane) {
    lane.rest = lane.events->next_run();
    if (lane.rest.empty()) {
        if (const Error* const failure = lane.events->error()) {
            note(*failure);
        }
        lane.events->close();
        return false;
    }
    return true;
}

/// What the last run pointed into may go now, so only now is its source asked for more.
void MergedSource::State::go_on() {
    if (given == nullptr) {
        return;
    }
    Lane& lane = *std::exchange(given, nullptr);
    if (lane.rest.empty() && !refill(lane)) {
        order.remove_first();
    } else {
        order.replace_first({lane.rest.front().raw_time, order.first().rank, &lane});
    }
}

flow::Run MergedSource::State::take(Lane& lane, std::size_t count) {
    const flow::Run run = lane.rest.first(count);
    lane.rest = lane.rest.subspan(count);
    given = &lane;
    return run;
}

/// Of the events at the time of the first one: those in front of the next that another input gave
/// already, which is left out. Nothing, when the first is such a one.
flow::Run MergedSource::State::take_tied(Lane& lane) {
    const std::int64_t time = lane.rest.front().raw_time;
    const auto number = static_cast<std::uint32_t>(&lane - lanes.data());
    std::size_t count = 0;
    for (; count < lane.rest.size() && lane.rest[count].raw_time == time; ++count) {
        const flow::Event& event = lane.rest[count];
        const std::size_t input = event.buffer->merged_input;
        const std::uint32_t machine = lane.machines[input < lane.machines.size() ? input : 0];
        if (!keeps_repeats && may_repeat(event) && repeats.is_repeated(event, number, machine)) {
            const flow::Run run = take(lane, count);
            lane.rest = lane.rest.subspan(1);
            ++repeated;
            return run;
        }
    }
    return take(lane, count);
}

flow::Run MergedSource::State::next() {
    if (tells_sources) {
        if (const flow::Run run = sources.next(); !run.empty()) {
            return run;
        }
        tells_sources = false;
    }
    while (true) {
        go_on();
        open_due();
        if (order.empty()) {
            return {};
        }
        const std::int64_t time = order.first().time;
        Lane& lane = *order.first().what;
        std::optional<std::int64_t> bound;
        if (const auto* const second = order.second()) {
            bound = second->time;
        }
        if (!unopened.empty()) {
            const std::int64_t start = lanes[unopened.back()].start;
            bound = std::min(bound.value_or(start), start);
        }
        if (bound == time || repeats.is_at(time)) {
            if (const flow::Run run = take_tied(lane); !run.empty()) {
                return run;
            }
            continue;
        }
        return take(lane, bound ? count_before(lane.rest, *bound) : lane.rest.size());
    }
}

MergedSource::MergedSource(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

MergedSource::~MergedSource() = default;

Result<std::unique_ptr<MergedSource>> MergedSource::create(std::vector<Input> inputs,
                                                           const Options& options) {
    auto plan = make_plan(inputs, options);
    if (!plan) {
        return std::unexpected(plan.error());
    }
    auto state = std::make_unique<State>(std::move(inputs), *std::move(plan));
    state->keeps_repeats = options.keeps_repeated_context;
    return std::unique_ptr<MergedSource>(new MergedSource(std::move(state)));
}

trace::Recording MergedSource::recording() const {
    return state_->recording;
}

trace::WriterOptions MergedSource::writer_options() const {
    return {.file = {},
            .recording = state_->recording,
            .files = nullptr,
            .keep_logger_ids = state_->has_tags};
}

const flow::TraceInfo& MergedSource::info() const noexcept {
    return state_->info;
}

std::uint64_t MergedSource::repeated_context() const noexcept {
    return state_->repeated;
}

flow::Run MergedSource::next_run() {
    return state_->next();
}

flow::Pin MergedSource::pin() const {
    // Events about sources live as long as this.
    return state_->given != nullptr ? state_->given->events->pin() : nullptr;
}

const Error* MergedSource::error() const noexcept {
    return state_->error ? &*state_->error : nullptr;
}

} // namespace etl::merge
