// etl flows: sums over the packets of each conversation.
#include <etl/io/output_file.hpp>
#include <etl/packets/flows.hpp>

#include "captures/capture.hpp"
#include "cli/plural.hpp"
#include "cli/print.hpp"
#include "verbs/packets/listing.hpp"

#include <fmt/format.h>

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

Table table_of(std::vector<Flow> flows, std::uint64_t events) {
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
    coverage.events = coverage.used_events = events;
    table.add_up();
    return table;
}

ExitCode print_flows(const ListingOptions& options, TableFormat format, Capture& capture) {
    PacketPass pass(capture);
    etl::packets::FlowTable flows;
    ExitCode exit = pass.run(
        [&](const etl::packets::Packet& packet) {
            flows.add(packet);
            return true;
        },
        [] { return true; });
    exit = worst(exit, pass.report_without_places());
    if (pass.packets() == 0) {
        return exit;
    }
    Table table = table_of(flows.take(), pass.packets());
    if (const ExitCode sorted = sort_table(table, options.rows.sort); sorted != ExitCode::well) {
        return sorted;
    }
    const bool to_terminal = options.output == "-" && etl::io::standard_output_is_terminal();
    const auto columns = static_cast<std::size_t>(etl::io::standard_output_terminal().columns);
    const TableView view{
        .table = &table, .rows = options.rows.count_of(table), .width = to_terminal ? columns : 0};
    exit = worst(exit, write_file(options.output, text_of(view, format)));
    if (flows.other() > 0) {
        say(fmt::format("note: {} without an IP header in no flow",
                        plural(flows.other(), "packet is", "packets are")));
    }
    if (flows.beyond_limit() > 0) {
        say(fmt::format("warning: {} of further flows omitted: too many flows",
                        plural(flows.beyond_limit(), "packet")));
        exit = worst(exit, ExitCode::damaged);
    }
    return exit;
}

} // namespace

ExitCode list_flows(const ListingOptions& options) {
    if (!options.capture.permits(options.output, options.force)) {
        return ExitCode::failed;
    }
    const auto format = table_format_of(options.format, options.output);
    if (!format) {
        return format.error();
    }
    return read_capture(options.capture,
                        [&](Capture& capture) { return print_flows(options, *format, capture); });
}

} // namespace cli
