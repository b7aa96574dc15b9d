#include <etl/flow/context.hpp>
#include <etl/relog/edit.hpp>

#include <limits>
#include <unordered_map>
#include <vector>

namespace etl::relog {

namespace {

using format::ItemType;

__extension__ using Wide = __int128;

constexpr std::int64_t saturate(Wide value) noexcept {
    constexpr auto low = std::numeric_limits<std::int64_t>::min();
    constexpr auto high = std::numeric_limits<std::int64_t>::max();
    return value < low ? low : value > high ? high : static_cast<std::int64_t>(value);
}

constexpr std::int64_t sum(std::int64_t a, std::int64_t b) noexcept {
    return saturate(Wide{a} + b);
}

/// Raw time stamps are FILETIMEs.
bool is_wall_time(const flow::Clock& clock) noexcept {
    return clock.frequency() == Filetime::per_second && clock.to_filetime(0).ticks == 0;
}

void shift_header(format::LogfileHeader& header, std::int64_t ticks) noexcept {
    for (std::int64_t* const time : {&header.start_time, &header.end_time, &header.boot_time}) {
        *time = *time != 0 ? sum(*time, ticks) : 0; // 0: not known
    }
}

/// Adds to a stamp at the front of `bytes`, if it is `stamp`.
void shift_stamp(MutableBytes bytes, std::int64_t stamp, std::int64_t ticks) noexcept {
    if (bytes.size() >= sizeof(stamp) && load_le<std::int64_t>(bytes.data()) == stamp) {
        store_le(bytes.data(), sum(stamp, ticks));
    }
}

bool has_match(const format::ExtendedItem& item) noexcept {
    const bool is_stack = item.type == ItemType::stack_trace32 ||
                          item.type == ItemType::stack_trace64 ||
                          item.type == ItemType::stack_key32 || item.type == ItemType::stack_key64;
    return is_stack && item.data.size() >= 8 && load_le<std::int64_t>(item.data.data()) != 0;
}

/// Stacks whose user part comes in a record of its own have the stamp of that one.
void shift_matches(Draft& draft, std::int64_t ticks) {
    const flow::EventHeader header = flow::read_header(draft.event());
    std::vector<format::ExtendedItem> shifted;
    std::vector<std::vector<std::byte>> stacks;
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        if (has_match(item)) {
            std::vector<std::byte>& data = stacks.emplace_back(item.data.begin(), item.data.end());
            store_le(data.data(), sum(load_le<std::int64_t>(data.data()), ticks));
            item.data = data;
        }
        shifted.push_back(item);
    }
    if (!stacks.empty() && !header.broken_items) {
        (void)draft.set_items(shifted); // as large as they were
    }
}

} // namespace

struct ShiftTime::State {
    struct Trace {
        flow::TraceInfo shifted;
        bool is_wall_time = false;
    };

    const Trace& trace_of(const flow::TraceInfo& trace);

    std::int64_t ticks = 0;
    std::unordered_map<const flow::TraceInfo*, std::unique_ptr<Trace>> traces;
    const flow::TraceInfo* last = nullptr; // asked for; `last_trace` is what it became
    const Trace* last_trace = nullptr;
    Draft draft;
};

const ShiftTime::State::Trace& ShiftTime::State::trace_of(const flow::TraceInfo& trace) {
    if (last == &trace) {
        return *last_trace;
    }
    std::unique_ptr<Trace>& made = traces[&trace];
    if (!made) {
        made = std::make_unique<Trace>(Trace{trace, is_wall_time(trace.clock)});
        flow::TraceInfo& info = made->shifted;
        shift_header(info.header, ticks);
        if (made->is_wall_time) {
            info.reference_time = sum(info.reference_time, ticks);
        } else {
            info.clock = flow::Clock(info.header, info.reference_time);
        }
    }
    last = &trace;
    last_trace = made.get();
    return *made;
}

ShiftTime::ShiftTime(std::int64_t ticks) : state_(std::make_unique<State>()) {
    state_->ticks = ticks;
}

ShiftTime::~ShiftTime() = default;

void ShiftTime::edit(const flow::Event& event, Output& to) {
    const State::Trace& trace = state_->trace_of(event.trace());
    const std::int64_t ticks = state_->ticks;
    Draft& draft = state_->draft;
    draft.assign(event);
    draft.set_trace(trace.shifted);
    const bool has_moved = trace.is_wall_time &&
                           draft.set_raw_time(sum(event.raw_time, ticks)) == format::Place::found;
    if (has_moved) {
        if (const auto stack = flow::stack_of(event)) {
            shift_stamp(draft.payload(), stack->time, ticks);
        }
        if (event.kind == format::RecordKind::event32 ||
            event.kind == format::RecordKind::event64) {
            shift_matches(draft, ticks);
        }
    }
    to.give_here(draft);
}

trace::Recording ShiftTime::shift(trace::Recording recording) const {
    if (is_wall_time(flow::Clock(recording.header, recording.reference_time))) {
        recording.reference_time = sum(recording.reference_time, state_->ticks);
    }
    shift_header(recording.header, state_->ticks);
    return recording;
}

} // namespace etl::relog
