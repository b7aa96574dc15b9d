#include "analysis/prepared_events.hpp"

#include "base/prefetch.hpp"
#include "flow/losses.hpp"
#include "flow/merged_inputs.hpp"
#include "format/kernel_group.hpp"

#include <algorithm>

namespace etl::analysis {

bool is_about_the_trace(const flow::Event& event) noexcept {
    constexpr std::uint16_t groups = 0xFF00;
    if (format::has_hook(event.kind)) {
        return (flow::stored<format::system_record::hook_id>(event) & groups) == 0;
    }
    return flow::is_source_event(event) || flow::indicates_unknown_losses(event) ||
           (format::is_full(event.kind) &&
            flow::stored<format::full_record::guid>(event) == format::event_trace_guid);
}

namespace {

PreparedEvents::Code code_of(const flow::Event& event) noexcept {
    if (format::has_hook(event.kind)) {
        return flow::stored<PreparedEvents::hook>(event);
    }
    if (format::is_event(event.kind)) {
        return PreparedEvents::is_kernel_process(event) ? PreparedEvents::kernel_process_code
                                                        : PreparedEvents::event_code;
    }
    return format::is_full(event.kind) ? PreparedEvents::full_code : PreparedEvents::other_code;
}

} // namespace

void PreparedEvents::clear() noexcept {
    runs_.clear();
    size_ = 0;
}

std::vector<std::uint32_t>& PreparedEvents::events_with(Code code) {
    std::uint32_t& number = kind_by_code_[code];
    if (number == 0) [[unlikely]] {
        if (kind_count_ == kinds_.size()) {
            kinds_.emplace_back();
        }
        kinds_[kind_count_].code = code;
        kinds_[kind_count_].events.clear();
        number = static_cast<std::uint32_t>(++kind_count_);
    }
    return kinds_[number - 1].events;
}

void EventLookups::ask_for(SumsBy by, const std::shared_ptr<const facts::FactsByTrace>& facts) {
    asked_[static_cast<std::size_t>(by)] = true;
    if (by == SumsBy::process && !attributor_) {
        attributor_.emplace(facts, schemas_);
    }
}

std::uint32_t EventLookups::life_of(std::uint32_t process, const flow::Event& event,
                                    std::uint32_t scope) {
    constexpr unsigned low_bits = 2; // IDs are multiples of four
    Life& known = recent_[process >> low_bits & (recent_.size() - 1)];
    const std::int64_t time = event.raw_time;
    if (known.process != process || known.scope != scope || time < known.begin || time >= known.end)
        [[unlikely]] {
        const auto [begin, end] = attributor_->facts_of(event).life_around(process, time);
        const GroupKey key{scope, process, static_cast<std::uint64_t>(begin)};
        const std::uint32_t number = lives_.find(key);
        known = {process, scope, begin, end, number != lives_.none ? number : lives_.add(key)};
    }
    return known.number;
}

void NumberedSums::clear() noexcept {
    for (const std::uint32_t number : numbers_) {
        places_[number] = 0;
    }
    numbers_.clear();
    sums_.clear();
}

/// One walk for all sums: what they add up is in the event, not in its record.
void PreparedEvents::add_to_sums(const flow::Event& event, EventLookups& lookups) {
    const auto add = [&](SumsBy by, std::uint32_t number) -> EventSums& {
        EventSums& sums = sums_[static_cast<std::size_t>(by)].of(number);
        sums.add(event);
        return sums;
    };
    if (lookups.has(SumsBy::nothing)) {
        add(SumsBy::nothing, 0);
    }
    if (lookups.has(SumsBy::kind)) {
        const std::uint32_t kind = lookups.kind_of(event);
        has_all_kinds_ = has_all_kinds_ && kind < limits::analysis_kinds;
        if (has_all_kinds_) {
            add(SumsBy::kind, kind);
        }
    }
    if (lookups.has(SumsBy::processor)) {
        add(SumsBy::processor, event.buffer->processor);
    }
    if (lookups.has(SumsBy::process)) {
        processes_.push_back(lookups.process_of(event));
        if (scope_) {
            add(SumsBy::process, lookups.life_of(processes_.back(), event, *scope_)).about =
                processes_.back();
        }
    }
}

void PreparedEvents::prepare(const facts::FactsByTrace* facts, EventLookups* lookups) {
    scope_.reset();
    if (facts != nullptr && !runs_.empty()) {
        const std::uint32_t first = facts->number_of(runs_.front().front());
        const bool are_same = std::ranges::all_of(
            runs_, [&](const flow::Run& run) { return facts->number_of(run.front()) == first; });
        scope_ = are_same ? std::optional(first) : std::nullopt;
    }
    events_.clear();
    std::ranges::for_each(kinds(), [&](const Kind& kind) { kind_by_code_[kind.code] = 0; });
    kind_by_code_.resize(other_code + std::size_t{1});
    kind_count_ = 0;
    processes_.clear();
    std::ranges::for_each(sums_, &NumberedSums::clear);
    described_ = 0;
    is_plain_ = is_ascending_ = has_all_kinds_ = true;
    earliest_ = std::numeric_limits<std::int64_t>::max();
    latest_ = never;
    // Records follow each other in a buffer, which another thread has loaded.
    constexpr std::size_t distance = 512;
    for (const flow::Run& run : runs_) {
        auto number = static_cast<std::uint32_t>(events_.size());
        events_.insert(events_.end(), run.begin(), run.end());
        for (const flow::Event& event : run) {
            prefetch(event.record, distance);
            is_ascending_ = is_ascending_ && event.raw_time >= latest_;
            earliest_ = std::min(earliest_, event.raw_time);
            latest_ = std::max(latest_, event.raw_time);
            described_ += format::is_event(event.kind) ? 1U : 0U;
            is_plain_ = is_plain_ && event.has_time && !is_about_the_trace(event);
            events_with(code_of(event)).push_back(number++);
            if (lookups != nullptr) {
                add_to_sums(event, *lookups);
            }
        }
    }
    is_plain_ = is_plain_ && earliest_ != never;
    if (!has_all_kinds_) {
        sums_[static_cast<std::size_t>(SumsBy::kind)].clear();
    }
}

} // namespace etl::analysis
