#include "merge/merge.hpp"

#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "flow/context.hpp"
#include "flow/event.hpp"
#include "flow/losses.hpp"
#include "flow/merge_order.hpp"
#include "flow/merged_inputs.hpp"
#include "flow/source.hpp"
#include "format/encode.hpp"
#include "format/own_events.hpp"
#include "merge/limits.hpp"
#include "merge/plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace etl::merge {

// The events at the beginning of a tagged merge: which input each number stands for.
// docs/merge.md#sources

/// Events that lie in memory of their own, each in a buffer with its number. Not moved.
class SourceEvents {
public:
    /// `trace` is the output's; it outlives this.
    explicit SourceEvents(const flow::TraceInfo& trace) : trace_(&trace) {}

    SourceEvents(const SourceEvents&) = delete;
    SourceEvents& operator=(const SourceEvents&) = delete;
    ~SourceEvents() = default;

    void add(const flow::MergedInput& input);

    /// The next one, by itself; empty behind the last.
    flow::Run next() noexcept;

private:
    struct One {
        std::vector<std::byte> record;
        flow::BufferContext context;
        flow::Event event;
    };

    const flow::TraceInfo* trace_;
    std::vector<std::unique_ptr<One>> events_;
    std::size_t at_ = 0;
};

namespace {

namespace event = format::source_event;

constexpr std::uint8_t information = 4; // level

// Types of TraceLogging. docs/format/decoding.md
enum class InType : std::uint8_t { utf16z = 1, u16 = 6, u32 = 8, i64 = 9, filetime = 17 };

constexpr std::array<std::pair<std::string_view, InType>, 13> fields{{
    {"Number", InType::u16},
    {"File", InType::utf16z},
    {"Session", InType::utf16z},
    {"Start", InType::filetime},
    {"Boot", InType::filetime},
    {"FirstProcessor", InType::u32},
    {"LastProcessor", InType::u32},
    {"EventsLost", InType::u32},
    {"BuffersLost", InType::u32},
    {"Offset100ns", InType::i64},
    {"Path", InType::utf16z},
    {"MissingBuffers", InType::u32},
    {"Build", InType::u32},
}};

std::vector<std::byte> event_metadata() {
    ByteWriter blob;
    blob.u16(0).u8(0).zero_terminated8(event::name);
    for (const auto& [name, type] : fields) {
        blob.zero_terminated8(name).u8(static_cast<std::uint8_t>(type));
    }
    return format::with_size(blob);
}

/// As a value of a zero-terminated field, and short enough for any record.
std::u16string_view text_value(std::u16string_view text) noexcept {
    constexpr std::size_t max_size = 4096;
    return text.substr(0, std::min(text.find(u'\0'), max_size));
}

void put_payload(ByteWriter& to, const flow::MergedInput& input) {
    to.u16(input.number)
        .zero_terminated16(text_value(to_utf16(input.file)))
        .zero_terminated16(text_value(input.session))
        .value(input.start.ticks)
        .value(input.boot.ticks)
        .u32(input.first_processor)
        .u32(input.last_processor)
        .u32(input.events_lost)
        .u32(input.buffers_lost)
        .value(input.offset)
        .zero_terminated16(text_value(to_utf16(input.path)))
        .u32(input.missing_buffers)
        .u32(input.build);
}

} // namespace

void SourceEvents::add(const flow::MergedInput& input) {
    const auto metadata = event_metadata();
    const auto traits = format::provider_traits(event::provider_name);
    const std::array items{format::ExtendedItem{format::ItemType::provider_traits, traits},
                           format::ExtendedItem{format::ItemType::event_schema_tl, metadata}};
    ByteWriter payload;
    put_payload(payload, input);
    ByteWriter record;
    const format::EventRecord made{
        .time = trace_->reference_time,
        .provider = event::provider,
        .descriptor = {.channel = format::tracelogging_channel, .level = information},
        .items = items,
        .payload = payload.view()};
    if (!format::encode(made, record)) {
        return; // cannot be: all of it is bounded
    }
    auto one = std::make_unique<One>();
    one->record = record.take();
    one->context = {.trace = trace_, .bytes = one->record, .logger_id = input.number};
    one->event = {.record = one->record.data(),
                  .raw_time = trace_->reference_time,
                  .buffer = &one->context,
                  .size = static_cast<std::uint32_t>(one->record.size()),
                  .kind = format::wide(format::RecordFamily::event)};
    events_.push_back(std::move(one));
}

flow::Run SourceEvents::next() noexcept {
    return at_ < events_.size() ? flow::Run(&events_[at_++]->event, 1) : flow::Run{};
}

// Context that several inputs hold at one time, so that it is given once. One thread.

/// Remembers the context of one time stamp, byte for byte. Allocates only while it grows.
class Repeats {
public:
    /// Whether an earlier input gave this event at its time already, more often than this one did
    /// up to now. Events of another time begin anew, and those of another machine or boot are
    /// others. Context only.
    bool is_repeated(const flow::Event& event, std::uint32_t lane, std::uint32_t machine);

    /// Whether context of this time was asked about last.
    bool is_at(std::int64_t time) const noexcept { return !known_.empty() && time == time_; }

private:
    struct Known {
        std::uint64_t hash;
        std::size_t where; // in bytes_
        std::uint32_t size;
        std::uint32_t lane;  // that asked last
        std::uint32_t asked; // how often it did
        std::uint32_t given; // the most that one lane did
        std::uint32_t next;  // of the same chain, from 1; 0: none
        std::uint32_t machine;
        std::uint16_t processor;
    };

    void begin(std::int64_t time);
    Known* find(std::uint64_t hash, const flow::Event& event, std::uint32_t machine);
    void remember(std::uint64_t hash, const flow::Event& event, std::uint32_t lane,
                  std::uint32_t machine);

    std::int64_t time_ = 0;
    std::vector<Known> known_;
    std::vector<std::byte> bytes_;
    std::vector<std::uint32_t> chains_; // by the end of a hash: the first of known_, from 1
};

namespace {

constexpr std::size_t chain_count = 1024; // a power of two

std::uint64_t hash_of(const flow::Event& event) noexcept {
    constexpr std::uint64_t factor = 0x9E3779B97F4A7C15U;
    std::uint64_t hash = (std::uint64_t{event.size} << 16U | event.buffer->processor) * factor;
    const Bytes bytes = event.bytes();
    std::size_t at = 0;
    for (; at + 8 <= bytes.size(); at += 8) {
        hash = (hash ^ load_le<std::uint64_t>(bytes.data() + at)) * factor;
        hash ^= hash >> 32U;
    }
    for (; at < bytes.size(); ++at) {
        hash = (hash ^ std::to_integer<std::uint64_t>(bytes[at])) * factor;
    }
    return hash ^ hash >> 29U;
}

} // namespace

void Repeats::begin(std::int64_t time) {
    // A time stamp with little context, as nearly all, costs little to forget.
    for (const Known& known : known_) {
        chains_[known.hash % chain_count] = 0;
    }
    time_ = time;
    known_.clear();
    bytes_.clear();
    chains_.resize(chain_count);
}

Repeats::Known* Repeats::find(std::uint64_t hash, const flow::Event& event, std::uint32_t machine) {
    for (std::uint32_t at = chains_[hash % chain_count]; at != 0; at = known_[at - 1].next) {
        Known& known = known_[at - 1];
        if (known.hash == hash && known.size == event.size &&
            known.processor == event.buffer->processor && known.machine == machine &&
            std::equal(event.record, event.record + event.size, bytes_.data() + known.where)) {
            return &known;
        }
    }
    return nullptr;
}

void Repeats::remember(std::uint64_t hash, const flow::Event& event, std::uint32_t lane,
                       std::uint32_t machine) {
    if (bytes_.size() + event.size > limits::repeated_context) {
        return; // what is not remembered is not taken out
    }
    std::uint32_t& chain = chains_[hash % chain_count];
    known_.push_back({.hash = hash,
                      .where = bytes_.size(),
                      .size = event.size,
                      .lane = lane,
                      .asked = 1,
                      .given = 1,
                      .next = chain,
                      .machine = machine,
                      .processor = event.buffer->processor});
    chain = static_cast<std::uint32_t>(known_.size());
    bytes_.insert(bytes_.end(), event.record, event.record + event.size);
}

bool Repeats::is_repeated(const flow::Event& event, std::uint32_t lane, std::uint32_t machine) {
    if (!is_at(event.raw_time)) {
        begin(event.raw_time);
    }
    const std::uint64_t hash = hash_of(event);
    Known* const known = find(hash, event, machine);
    if (known == nullptr) {
        remember(hash, event, lane, machine);
        return false;
    }
    if (known->lane != lane) {
        known->lane = lane;
        known->asked = 0;
    }
    if (++known->asked <= known->given) {
        return true;
    }
    known->given = known->asked;
    return false;
}

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
