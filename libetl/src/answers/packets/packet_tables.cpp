#include "packets/packet_tables.hpp"

#include "flow/losses.hpp"
#include "packets/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
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

namespace {

using analysis::Adding;
using analysis::Table;

std::vector<Column> flow_columns() {
    const auto key = [](std::string_view name, Unit unit = Unit::text) {
        return Column{.name = name, .unit = unit, .adding = Adding::key};
    };
    return {key("protocol"),
            key("source"),
            key("source_port", Unit::id),
            key("destination"),
            key("destination_port", Unit::id),
            {.name = "routing_domain", .unit = Unit::text, .adding = Adding::none},
            {.name = "packets"},
            {.name = "bytes", .unit = Unit::bytes},
            {.name = "packets_back"},
            {.name = "bytes_back", .unit = Unit::bytes},
            {.name = "retransmissions"},
            {.name = "resets"},
            {.name = "drops"},
            {.name = "first", .unit = Unit::time, .adding = Adding::minimum},
            {.name = "last", .unit = Unit::time, .adding = Adding::maximum}};
}

std::vector<Cell> cells_of_flow(const Flow& flow, const Extractor& extractor) {
    const bool has_ports = flow.source.port != 0 || flow.destination.port != 0;
    const auto port = [&](std::uint16_t number) {
        return has_ports ? Cell(std::uint64_t{number}) : Cell();
    };
    const auto time = [](Filetime at) { return Cell(static_cast<std::uint64_t>(at.ticks)); };
    return {Cell(protocol_name(flow.protocol)),
            Cell(flow.source_text()),
            port(flow.source.port),
            Cell(flow.destination_text()),
            port(flow.destination.port),
            flow.routing_domain == 0 ? Cell()
                                     : Cell(extractor.routing_domains()[flow.routing_domain - 1]),
            Cell(flow.forward.packets),
            Cell(flow.forward.bytes),
            Cell(flow.backward.packets),
            Cell(flow.backward.bytes),
            Cell(flow.forward.retransmissions + flow.backward.retransmissions),
            Cell(flow.forward.resets + flow.backward.resets),
            Cell(flow.drops),
            time(flow.first),
            time(flow.last)};
}

void add_coverage(analysis::Coverage& to, const flow::TraceInfo& trace) {
    const bool says_processors = trace.has_header && trace.header.number_of_processors != 0;
    to.processors = std::max(to.processors, says_processors ? trace.header.number_of_processors
                                                            : trace.processors);
}

void add_losses(analysis::Coverage& to, std::span<const flow::TraceInfo* const> traces) {
    if (!traces.empty()) {
        to.lost_events = to.lost_buffers = 0;
    }
    for (const flow::TraceInfo* const trace : traces) {
        const flow::StatedLosses losses = flow::stated_losses(*trace);
        to.lost_events = flow::sum_of_losses(to.lost_events, losses.events);
        to.lost_buffers = flow::sum_of_losses(to.lost_buffers, losses.buffers);
    }
}

void add_coverage(analysis::Coverage& to, const FlowTable::Counts& flows) {
    constexpr std::uint64_t tick = 100;
    to.begin = flows.first;
    to.end = flows.last;
    if (flows.first) {
        to.duration_ns = static_cast<std::uint64_t>(flows.last->ticks - flows.first->ticks) * tick;
    }
    to.remainders = {{"packets_without_ip", flows.without_ip},
                     {"packets_beyond_limit", flows.beyond_limit},
                     {"packets_at_other_places", flows.at_other_places},
                     {"later_fragments", flows.later_fragments},
                     {"packets_without_ports", flows.truncated}};
}

/// `events` are those that contain packets or parts of them.
void add_coverage(analysis::Coverage& to, const Extractor::Counts& events) {
    to.events = events.events + events.unknown_layouts;
    to.used_events =
        events.events - std::min(events.events, events.malformed + events.no_link + events.dropped);
    for (const auto& one :
         std::initializer_list<analysis::Remainder>{{"incomplete_packets", events.incomplete},
                                                    {"dropped_fragments", events.dropped},
                                                    {"events_without_link", events.no_link},
                                                    {"malformed_events", events.malformed},
                                                    {"unknown_layouts", events.unknown_layouts}}) {
        to.remainders.push_back(one);
    }
}

} // namespace

Table flow_table(FlowTable& flows, const FlowSource& from) {
    Table table;
    table.name = "flows";
    table.columns = flow_columns();
    table.is_ordered = true;
    auto& coverage = table.coverage;
    for (const Flow& flow : flows.take()) {
        table.rows.push_back({.cells = cells_of_flow(flow, *from.extractor)});
    }
    add_coverage(coverage, flows.counts());
    if (from.extractor != nullptr) {
        add_coverage(coverage, from.extractor->counts());
    }
    coverage.remainders.push_back({"packets_not_chosen", from.not_chosen});
    if (coverage.events == 0 && !from.has_packets) {
        coverage.not_recorded.push_back(
            {.source = "packets",
             .columns = {"packets", "bytes", "packets_back", "bytes_back", "retransmissions",
                         "resets", "drops"},
             .record = record_packets});
    }
    for (const flow::TraceInfo* const trace : from.traces) {
        add_coverage(coverage, *trace);
    }
    add_losses(coverage, from.traces);
    table.add_up();
    return table;
}

} // namespace etl::packets
