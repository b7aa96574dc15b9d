#include <etl/flow/context.hpp>
#include <etl/relog/edit.hpp>

#include <limits>
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

std::int64_t to_raw(std::int64_t ticks, const flow::Clock& clock) noexcept {
    return saturate(Wide{ticks} * clock.frequency() / Filetime::per_second);
}

/// Adds to a stamp at the front of `bytes`, if it is `stamp`.
void shift_stamp(MutableBytes bytes, std::int64_t stamp, std::int64_t raw_ticks) noexcept {
    if (bytes.size() >= sizeof(stamp) && load_le<std::int64_t>(bytes.data()) == stamp) {
        store_le(bytes.data(), sum(stamp, raw_ticks));
    }
}

bool has_match(const format::ExtendedItem& item) noexcept {
    const bool is_stack = item.type == ItemType::stack_trace32 ||
                          item.type == ItemType::stack_trace64 ||
                          item.type == ItemType::stack_key32 || item.type == ItemType::stack_key64;
    return is_stack && item.data.size() >= 8 && load_le<std::int64_t>(item.data.data()) != 0;
}

/// Stacks whose user part comes in a record of its own have the stamp of that one.
void shift_matches(Draft& draft, std::int64_t raw_ticks) {
    const flow::EventHeader header = flow::read_header(draft.event());
    std::vector<format::ExtendedItem> shifted;
    std::vector<std::vector<std::byte>> stacks;
    format::ExtendedItems items(header.items);
    format::ExtendedItem item;
    while (items.next(item)) {
        if (has_match(item)) {
            std::vector<std::byte>& data = stacks.emplace_back(item.data.begin(), item.data.end());
            store_le(data.data(), sum(load_le<std::int64_t>(data.data()), raw_ticks));
            item.data = data;
        }
        shifted.push_back(item);
    }
    if (!stacks.empty() && !header.broken_items) {
        (void)draft.set_items(shifted); // as large as they were
    }
}

} // namespace

void ShiftTime::edit(const flow::Event& event, Output& to) {
    if (trace_ != &event.trace()) {
        trace_ = &event.trace();
        raw_ticks_ = to_raw(ticks_, trace_->clock);
    }
    draft_.assign(event);
    if (draft_.set_raw_time(sum(event.raw_time, raw_ticks_)) == format::Place::none) {
        return to.pass();
    }
    if (const auto stack = flow::stack_of(event)) {
        shift_stamp(draft_.payload(), stack->time, raw_ticks_);
    }
    const bool is_event =
        event.kind == format::RecordKind::event32 || event.kind == format::RecordKind::event64;
    if (is_event) {
        shift_matches(draft_, raw_ticks_);
    }
    to.give_here(draft_);
}

trace::Recording ShiftTime::shift(trace::Recording recording) const {
    const flow::Clock clock(recording.header, recording.reference_time);
    recording.reference_time = sum(recording.reference_time, to_raw(ticks_, clock));
    for (std::int64_t* const time :
         {&recording.header.start_time, &recording.header.end_time, &recording.header.boot_time}) {
        *time = *time != 0 ? sum(*time, ticks_) : 0; // 0: not known
    }
    return recording;
}

} // namespace etl::relog
