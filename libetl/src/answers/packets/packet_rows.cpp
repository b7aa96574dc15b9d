#include "packets/packet_rows.hpp"

#include "packets/flows.hpp"

#include <fmt/format.h>

#include <optional>

namespace etl::packets {

namespace {

using analysis::Cell;
using analysis::Column;
using analysis::Unit;

constexpr Column key(std::string_view name, Unit unit = Unit::text) {
    return {.name = name, .unit = unit, .adding = analysis::Adding::key};
}

constexpr std::array<Column, std::tuple_size_v<PacketCells>> columns{
    key("time", Unit::time),
    key("interface"),
    key("direction"),
    key("link"),
    key("vlan", Unit::id),
    key("protocol"),
    key("source"),
    key("source_port", Unit::id),
    key("destination"),
    key("destination_port", Unit::id),
    key("tcp_flags"),
    key("sequence", Unit::id),
    key("acknowledgment", Unit::id),
    key("payload_bytes", Unit::bytes),
    key("bytes", Unit::bytes),
    key("captured_bytes", Unit::bytes),
    key("drop_reason"),
    key("drop_location"),
    key("summary"),
};

template <typename T>
Cell number_cell(const std::optional<T>& value) {
    return value ? Cell(std::uint64_t{*value}) : Cell();
}

Cell text_cell(std::string text) {
    return text.empty() ? Cell() : Cell(std::move(text));
}

Cell address_cell(Bytes address) {
    std::string text;
    append_address(text, address);
    return text_cell(std::move(text));
}

std::string protocol_of(const Packet& packet, const Dissection& headers) {
    if (headers.arp_operation) {
        return "ARP";
    }
    if (headers.protocol) {
        return protocol_name(*headers.protocol);
    }
    return headers.ether_type ? fmt::format("{:#06x}", *headers.ether_type)
                              : std::string(name(packet.link));
}

Cell direction_cell(Direction direction) {
    return direction == Direction::unknown
               ? Cell()
               : Cell(std::string(direction == Direction::sent ? "sent" : "received"));
}

} // namespace

std::span<const Column> packet_columns() noexcept {
    return columns;
}

PacketCells PacketRows::cells_of(const Packet& packet, const Dissection& headers) {
    std::string summary;
    append_packet_text(summary, packet, headers);
    std::string flags;
    if (headers.tcp_flags) {
        append_tcp_flags(flags, *headers.tcp_flags);
    }
    const auto with_flag = [&](bool has_it, std::uint32_t value) {
        return has_it ? Cell(std::uint64_t{value}) : Cell();
    };
    const bool is_ack = (headers.tcp_flags.value_or(0) & tcp_flag::ack) != 0;
    const std::uint16_t of_switch = packet.place.vlan; // its frames have no tag
    const auto drop = [&](auto text) { return packet.drop ? Cell(text()) : Cell(); };
    return {Cell(static_cast<std::uint64_t>(packet.time.ticks)),
            Cell(names_.of(packet)),
            direction_cell(packet.direction),
            Cell(std::string(name(packet.link))),
            headers.vlan ? number_cell(headers.vlan) : with_flag(of_switch != 0, of_switch),
            Cell(protocol_of(packet, headers)),
            address_cell(headers.source),
            number_cell(headers.source_port),
            address_cell(headers.destination),
            number_cell(headers.destination_port),
            text_cell(std::move(flags)),
            with_flag(headers.tcp_flags.has_value(), headers.sequence),
            with_flag(is_ack, headers.acknowledgment),
            number_cell(headers.payload_size),
            Cell(std::uint64_t{packet.original_size}),
            Cell(std::uint64_t{packet.data.size()}),
            drop([&] { return drops_.reason(*packet.drop, packet.place.trace); }),
            drop([&] { return fmt::format("{:#x}", packet.drop->location); }),
            Cell(std::move(summary))};
}

std::string PacketRows::drop_of(const Packet& packet) {
    std::string text;
    drops_.append(text, *packet.drop, packet.place.trace);
    return text;
}

} // namespace etl::packets
