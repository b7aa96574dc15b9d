// Packets as rows of a table. docs/packets.md#lines
#pragma once

#include "analysis/table.hpp"
#include "packets/dissect.hpp"
#include "packets/drop_names.hpp"
#include "packets/interface_names.hpp"

#include <array>
#include <span>
#include <string>

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

} // namespace etl::packets
