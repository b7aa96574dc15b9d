// Facts about which fields the start and the stop of a provider's activity have in common. Private
// to analysis. schemas/start-stop-keys.csv, docs/analysis.md#start-stop
#pragma once

#include <etl/guid.hpp>

#include <span>
#include <string_view>

namespace etl::analysis {

/// A row of the table. Lists are separated by blanks.
struct StartStopRule {
    Guid provider;
    std::string_view starts, stops;             // event IDs
    std::string_view start_fields, stop_fields; // of equal values, in the same order
};

std::span<const StartStopRule> start_stop_rules() noexcept;

} // namespace etl::analysis
