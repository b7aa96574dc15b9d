// Conversations as a table. docs/packets.md#flows
#pragma once

#include <etl/analysis/table.hpp>
#include <etl/packets/flows.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace cli {

/// Returns a row for each flow, in their order, with a total. `packets`: that the flows come from;
/// `traces`: in which they were.
etl::analysis::Table flow_table(const std::vector<etl::packets::Flow>& flows, std::uint64_t packets,
                                std::span<const etl::flow::TraceInfo* const> traces = {});

} // namespace cli
