#include "flow/merged_inputs.hpp"

#include <etl/time.hpp>

#include "format/own_events.hpp"
#include "format/records.hpp"

namespace etl::flow {

std::uint32_t MachineNumbers::of(std::uint32_t first_processor, Filetime start, Filetime boot) {
    if (boot.ticks <= 0 || boot >= start) {
        if (start.ticks <= 0) {
            return count_++;
        }
        const auto [same, is_new] = started_.try_emplace({first_processor, start.ticks}, count_);
        count_ += is_new ? 1 : 0;
        return same->second;
    }
    const auto known = known_.lower_bound({first_processor, boot.ticks - boot_tolerance});
    if (known != known_.end() && known->first.first == first_processor &&
        known->first.second <= saturating_sum(boot.ticks, boot_tolerance)) {
        return known->second;
    }
    known_.emplace(std::pair(first_processor, boot.ticks), count_);
    return count_++;
}

std::vector<std::uint32_t> machines_of(std::span<const MergedInput> inputs) {
    MachineNumbers numbers;
    std::vector<std::uint32_t> machines;
    machines.reserve(inputs.size());
    for (const MergedInput& input : inputs) {
        machines.push_back(numbers.of(input.first_processor, input.start, input.boot));
    }
    return machines;
}

bool is_source_event(const Event& event) noexcept {
    return format::is_event(event.kind) &&
           stored<format::event_record::provider_id>(event) == format::source_event::provider &&
           stored<format::event_record::id>(event) == format::source_event::id;
}

} // namespace etl::flow
