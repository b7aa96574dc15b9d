// Conversations as a table. docs/packets.md#flows
#pragma once

#include "analysis/table.hpp"
#include "packets/extractor.hpp"
#include "packets/flows.hpp"

#include <cstdint>
#include <span>

namespace etl::packets {

/// Where flows come from.
struct FlowSource {
    const Extractor* extractor = nullptr; // null: there is no capture
    std::uint64_t not_chosen = 0;         // packets that were left out
    std::span<const flow::TraceInfo* const> traces{};
};

/// Takes the flows. Returns a row for each, in their order, with a total and what it covers.
analysis::Table flow_table(FlowTable& flows, const FlowSource& from);

} // namespace etl::packets
