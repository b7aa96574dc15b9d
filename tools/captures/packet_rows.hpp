// Packets as rows of a table. docs/packets.md#lines
#pragma once

#include "analysis/table.hpp"
#include "packets/dissect.hpp"
#include "packets/drop_names.hpp"
#include "packets/interface_names.hpp"

#include <array>
#include <span>
#include <string>

namespace cli {

using PacketCells = std::array<etl::analysis::Cell, 19>;

/// The columns of `etl packets`, one for each of PacketCells.
std::span<const etl::analysis::Column> packet_columns() noexcept;

/// One thread.
class PacketRows {
public:
    /// `extractor` outlives it. `schemas`: with the names of drops.
    PacketRows(const etl::packets::Extractor& extractor, etl::packets::TraceLabels labels,
               etl::schema::SchemasByTrace schemas)
        : names_(extractor, std::move(labels)), drops_(std::move(schemas)) {}

    PacketCells cells_of(const etl::packets::Packet& packet,
                         const etl::packets::Dissection& headers);

    const std::string& interface_of(const etl::packets::Packet& packet) {
        return names_.of(packet);
    }

    /// Returns the reason and the place of a dropped packet.
    std::string drop_of(const etl::packets::Packet& packet);

private:
    etl::packets::InterfaceNames names_;
    etl::packets::DropNames drops_;
};

} // namespace cli
