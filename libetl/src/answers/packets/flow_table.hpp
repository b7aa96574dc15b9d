// Conversations as a table. docs/packets.md#flows
#pragma once

#include "analysis/table.hpp"
#include "packets/extractor.hpp"
#include "packets/flows.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace etl::packets {

/// How packets are recorded.
inline constexpr std::string_view record_packets =
    "netsh trace start capture=yes, or pktmon start --capture --pkt-size 0";

/// Where flows come from.
struct FlowSource {
    const Extractor* extractor = nullptr; // null: there is no capture
    std::uint64_t not_chosen = 0;         // packets that were left out
    std::span<const flow::TraceInfo* const> traces{};
    bool has_packets =
        false; // the traces are known to have packets, whether they are chosen or not
};

/// Takes the flows. Returns a row for each, in their order, with a total and what it covers.
analysis::Table flow_table(FlowTable& flows, const FlowSource& from);

} // namespace etl::packets
