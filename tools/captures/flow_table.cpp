#include "captures/flow_table.hpp"

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::Adding;
using etl::analysis::Cell;
using etl::analysis::Column;
using etl::analysis::Table;
using etl::analysis::Unit;
using etl::packets::Flow;

std::vector<Column> flow_columns() {
    const auto key = [](std::string_view name, Unit unit = Unit::text) {
        return Column{.name = name, .unit = unit, .adding = Adding::key};
    };
    return {key("protocol"),
            key("source"),
            key("source_port", Unit::id),
            key("destination"),
            key("destination_port", Unit::id),
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

std::vector<Cell> cells_of(const Flow& flow) {
    const bool has_ports = flow.source.port != 0 || flow.destination.port != 0;
    const auto port = [&](std::uint16_t number) {
        return has_ports ? Cell(std::uint64_t{number}) : Cell();
    };
    const auto time = [](etl::Filetime at) { return Cell(static_cast<std::uint64_t>(at.ticks)); };
    return {Cell(etl::packets::protocol_name(flow.protocol)),
            Cell(flow.source_text()),
            port(flow.source.port),
            Cell(flow.destination_text()),
            port(flow.destination.port),
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

void add(etl::analysis::Coverage& to, const etl::flow::TraceInfo& trace) {
    const bool says_processors = trace.has_header && trace.header.number_of_processors != 0;
    to.processors = std::max(to.processors, says_processors ? trace.header.number_of_processors
                                                            : trace.processors);
    if (trace.has_header && !trace.is_unfinalized) { // else they are not known yet
        to.lost_events = to.lost_events.value_or(0) + trace.header.events_lost;
        to.lost_buffers = to.lost_buffers.value_or(0) + trace.header.buffers_lost;
    }
}

} // namespace

Table flow_table(const std::vector<Flow>& flows, std::uint64_t packets,
                 std::span<const etl::flow::TraceInfo* const> traces) {
    Table table;
    table.name = "flows";
    table.columns = flow_columns();
    table.is_ordered = true;
    auto& coverage = table.coverage;
    for (const Flow& flow : flows) {
        table.rows.push_back({.cells = cells_of(flow)});
        coverage.begin = std::min(coverage.begin.value_or(flow.first), flow.first);
        coverage.end = std::max(coverage.end.value_or(flow.last), flow.last);
    }
    if (coverage.begin) {
        constexpr std::int64_t tick = 100;
        coverage.duration_ns =
            static_cast<std::uint64_t>((coverage.end->ticks - coverage.begin->ticks) * tick);
    }
    coverage.events = coverage.used_events = packets;
    for (const etl::flow::TraceInfo* const trace : traces) {
        add(coverage, *trace);
    }
    table.add_up();
    return table;
}

} // namespace cli
