#include <etl/time.hpp>

#include "flow/context.hpp"
#include "relog/edit.hpp"

#include <unordered_map>
#include <vector>

namespace etl::relog {

namespace {

/// Whether raw time stamps are FILETIMEs.
bool has_wall_time_stamps(const flow::Clock& clock) noexcept {
    return clock.frequency() == Filetime::per_second && clock.to_filetime(0).ticks == 0;
}

/// 0: not known.
std::int64_t shifted(std::int64_t time, std::int64_t ticks) noexcept {
    return time != 0 ? saturating_sum(time, ticks) : 0;
}

void shift_header(format::LogfileHeader& header, std::int64_t ticks) noexcept {
    for (std::int64_t* const time : {&header.start_time, &header.end_time, &header.boot_time}) {
        *time = shifted(*time, ticks);
    }
}

/// Adds to a stamp at the front of `bytes`, if it is `stamp`.
void shift_stamp(MutableBytes bytes, std::int64_t stamp, std::int64_t ticks) noexcept {
    if (bytes.size() >= sizeof(stamp) && load_le<std::int64_t>(bytes.data()) == stamp) {
        store_le(bytes.data(), shifted(stamp, ticks));
    }
}

/// Stacks whose user part comes in a record of its own have the stamp of that one. `items` is room
/// to work in.
void shift_matches(Draft& draft, std::int64_t ticks, std::vector<std::byte>& items) {
    const flow::EventHeader header = flow::read_header(draft.event());
    flow::StackItems stacks(header);
    flow::StackItem stack;
    bool has_match = false;
    while (stacks.next(stack)) {
        if (stack.match == 0) {
            continue;
        }
        if (!has_match) {
            has_match = true;
            items.assign(header.items.begin(), header.items.end());
        }
        const std::ptrdiff_t at = stack.match_bytes.data() - header.items.data();
        store_le(items.data() + at, saturating_sum(stack.match, ticks));
    }
    if (has_match) {
        std::vector<format::ExtendedItem> changed;
        format::ExtendedItems from(items);
        for (format::ExtendedItem item; from.next(item);) {
            changed.push_back(item);
        }
        static_cast<void>(draft.set_items(changed)); // as large as they were
    }
}

} // namespace

struct TimeShift::State {
    struct Trace {
        flow::TraceInfo shifted;
        bool moves_stamps = false;
    };

    const Trace& trace_of(const flow::TraceInfo& trace);

    std::int64_t ticks = 0;
    std::unordered_map<const flow::TraceInfo*, std::unique_ptr<Trace>> traces;
    const flow::TraceInfo* last = nullptr; // asked for; `last_trace` is what it became
    const Trace* last_trace = nullptr;
    Draft draft;
    std::vector<std::byte> items;
};

const TimeShift::State::Trace& TimeShift::State::trace_of(const flow::TraceInfo& trace) {
    if (last == &trace) {
        return *last_trace;
    }
    std::unique_ptr<Trace>& made = traces[&trace];
    if (!made) {
        made = std::make_unique<Trace>(Trace{trace, has_wall_time_stamps(trace.clock)});
        flow::TraceInfo& info = made->shifted;
        shift_header(info.header, ticks);
        if (made->moves_stamps) {
            info.reference_time = saturating_sum(info.reference_time, ticks);
        } else {
            info.clock = flow::Clock(info.header, info.reference_time);
        }
    }
    last = &trace;
    last_trace = made.get();
    return *made;
}

TimeShift::TimeShift(std::int64_t ticks) : state_(std::make_unique<State>()) {
    state_->ticks = ticks;
}

TimeShift::~TimeShift() = default;

void TimeShift::edit(const flow::Event& event, Output& to) {
    const State::Trace& trace = state_->trace_of(event.trace());
    const std::int64_t ticks = state_->ticks;
    flow::Event moved = event;
    if (trace.moves_stamps) {
        // Also of a record that has no place for it: it stays behind the one before.
        moved.raw_time = saturating_sum(event.raw_time, ticks);
    }
    Draft& draft = state_->draft;
    draft.assign(moved);
    draft.set_trace(trace.shifted);
    if (trace.moves_stamps) {
        if (event.has_time) {
            draft.set_raw_time(moved.raw_time);
        }
        if (const auto stack = flow::stack_target(event)) {
            shift_stamp(draft.payload(), stack->time, ticks);
        }
        shift_matches(draft, ticks, state_->items);
    }
    to.emit_now(draft);
}

trace::Recording TimeShift::shift(trace::Recording recording) const {
    if (has_wall_time_stamps(flow::Clock(recording.header, recording.reference_time))) {
        recording.reference_time = saturating_sum(recording.reference_time, state_->ticks);
    }
    shift_header(recording.header, state_->ticks);
    return recording;
}

} // namespace etl::relog
