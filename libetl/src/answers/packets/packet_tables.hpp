// Packets and conversations as tables. docs/packets.md
#pragma once

#include "analysis/table.hpp"
#include "packets/capture_names.hpp"
#include "packets/dissect.hpp"
#include "packets/extractor.hpp"
#include "packets/flows.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace etl::packets {

using PacketCells = std::array<analysis::Cell, 19>;

/// The columns of `etl packets`, one for each of PacketCells.
std::span<const analysis::Column> packet_columns() noexcept;

/// One thread.
class PacketRows {
public:
    /// `extractor` outlives it. `schemas`: with the names of drops.
    PacketRows(const Extractor& extractor, TraceLabels labels, schema::SchemasByTrace schemas)
        : names_(extractor, std::move(labels)), drops_(std::move(schemas)) {}

    PacketCells cells_of(const Packet& packet, const Dissection& headers);

    const std::string& interface_of(const Packet& packet) { return names_.of(packet); }

    /// Returns the reason and the place of a dropped packet.
    std::string drop_of(const Packet& packet);

private:
    InterfaceNames names_;
    DropNames drops_;
};

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
