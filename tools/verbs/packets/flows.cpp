// etl flows: sums over the packets of each conversation.
#include "captures/capture.hpp"
#include "cli/plural.hpp"
#include "cli/print.hpp"
#include "packets/flow_table.hpp"
#include "verbs/packets/listing.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

/// A row for each conversation; without packets, an empty table that is not text.
ExitCode print_table(const ListingOptions& options, TableFormat format,
                     etl::packets::FlowTable& flows, const etl::packets::FlowSource& from) {
    const bool is_empty = flows.counts().packets == 0;
    if (is_empty && format == TableFormat::text) {
        return ExitCode::well;
    }
    etl::analysis::Table table = etl::packets::flow_table(flows, from);
    if (const ExitCode sorted = sort_table(table, options.rows.sort); sorted != ExitCode::well) {
        return sorted;
    }
    const TableView view{.table = &table,
                         .rows = options.rows.count_of(table),
                         .width = text_width(options.output),
                         .big_numbers = options.big_numbers};
    const ExitCode written = write_file(options.output, text_of(view, format));
    if (!is_empty && is_bare(format)) {
        say(coverage_line(view));
    }
    return written;
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
    const ExitCode printed = print_table(options, format, flows,
                                         {.extractor = &pass.extractor(),
                                          .not_chosen = pass.not_chosen(),
                                          .traces = capture.traces,
                                          .has_packets = !capture.is_stream}); // files: surveyed
    if (printed == ExitCode::usage) {
        return printed;
    }
    exit = worst(exit, printed);
    if (flows.other() > 0) {
        say(fmt::format("note: {} to no flow",
                        plural(flows.other(), "packet without an IP header belongs",
                               "packets without an IP header belong")));
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
    const auto print_none = [&] {
        etl::packets::FlowTable none;
        return print_table(options, *format, none, {});
    };
    return read_capture(
        options.capture, [&](Capture& capture) { return print_flows(options, *format, capture); },
        print_none);
}

} // namespace cli
