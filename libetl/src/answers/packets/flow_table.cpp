#include "packets/flow_table.hpp"

#include "flow/losses.hpp"

#include <algorithm>
#include <initializer_list>

namespace etl::packets {

namespace {

using analysis::Adding;
using analysis::Cell;
using analysis::Column;
using analysis::Table;
using analysis::Unit;

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
