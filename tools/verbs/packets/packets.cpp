#include "captures/capture.hpp"
#include "captures/options.hpp"
#include "captures/packet_output.hpp"
#include "captures/pcapng.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_values.hpp"
#include "cli/verbs.hpp"
#include "outputs/output_options.hpp"
#include "outputs/table_output.hpp"
#include "packets/dissect.hpp"
#include "packets/packet_tables.hpp"
#include "rows/writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace cli {

// etl packets and etl flows. docs/packets.md

struct ListingOptions {
    CaptureOptions capture;
    TableRows rows;                    // of conversations
    std::optional<TableFormat> format; // none: by the extension of the output, else text
    BigNumbers big_numbers = BigNumbers::number;
    std::string output = "-";
    bool force = false;
};

/// A line or row for each packet.
ExitCode list_packets(const ListingOptions& options);

/// A row for each conversation.
ExitCode list_flows(const ListingOptions& options);

// etl packets: a line for each packet, like those of tcpdump, or a row with its headers.

namespace {

using etl::packets::Direction;
using etl::packets::Dissection;
using etl::packets::Packet;

std::vector<etl::rows::RowColumn> columns_of_rows() {
    std::vector<etl::rows::RowColumn> columns;
    for (const etl::analysis::Column& column : etl::packets::packet_columns()) {
        columns.push_back({.name = std::string(column.name), .unit = column.unit});
    }
    return columns;
}

/// Writes rows; null: lines of text.
std::unique_ptr<etl::rows::Writer> writer_for(TableFormat format, BigNumbers big_numbers,
                                              std::string& to) {
    return format == TableFormat::text
               ? nullptr
               : etl::rows::make_writer(columns_of_rows(),
                                        {.format = format, .max_number = largest_of(big_numbers)},
                                        to);
}

/// The result without packets: an empty list, or a table with its header.
std::string empty_list(TableFormat format) {
    std::string text;
    if (const auto writer = writer_for(format, BigNumbers::number, text)) {
        writer->begin();
        writer->end();
    }
    return text;
}

/// One pass from packets to text.
class Listing {
public:
    Listing(Capture& capture, TableFormat format, BigNumbers big_numbers, PacketOutput& output)
        : output_(&output), writer_(writer_for(format, big_numbers, output.text())), pass_(capture),
          rows_(pass_.extractor(), capture.labels, capture.schemas) {}

    ExitCode run() {
        const ExitCode exit = pass_.run(
            [&](const Packet& packet) {
                add(packet);
                return output_->write_batch();
            },
            [&] { return output_->flush(); });
        if (writer_ != nullptr) {
            begin_rows();
            writer_->end();
        }
        return worst(exit, output_->finish());
    }

    ExitCode report() const { return pass_.report(); }

private:
    void begin_rows() {
        if (!std::exchange(has_begun_, true)) {
            writer_->begin();
        }
    }

    void add(const Packet& packet) {
        const Dissection headers = etl::packets::dissect(packet);
        if (writer_ == nullptr) {
            add_line(packet, headers);
            return;
        }
        begin_rows();
        const etl::packets::PacketCells cells = rows_.cells_of(packet, headers);
        std::array<etl::rows::Value, std::tuple_size_v<etl::packets::PacketCells>> values;
        std::ranges::transform(cells, values.begin(), etl::rows::value_of);
        writer_->add(values);
    }

    void add_line(const Packet& packet, const Dissection& headers) {
        std::string& to = output_->text();
        etl::append_rfc3339(to, packet.time);
        to += ' ';
        to += printable(rows_.interface_of(packet));
        to += packet.direction == Direction::sent       ? " > "
              : packet.direction == Direction::received ? " < "
                                                        : " - ";
        append_packet_text(to, packet, headers);
        if (packet.data.size() < packet.original_size) {
            to +=
                fmt::format(" [captured {} of {} bytes]", packet.data.size(), packet.original_size);
        }
        if (packet.is_incomplete) {
            to += " [incomplete]";
        }
        if (packet.drop) {
            to += " drop: ";
            to += printable(rows_.drop_of(packet));
        }
        to += '\n';
    }

    PacketOutput* output_;
    std::unique_ptr<etl::rows::Writer> writer_; // null: lines of text
    bool has_begun_ = false;
    PacketPass pass_;
    etl::packets::PacketRows rows_;
};

} // namespace

ExitCode list_packets(const ListingOptions& options) {
    if (!options.capture.permits(options.output, options.force)) {
        return ExitCode::failed;
    }
    const auto format = table_format_of(options.format, options.output);
    if (!format) {
        return format.error();
    }
    const auto print = [&](Capture& capture) {
        PacketOutput output(options.output);
        if (!output.open()) {
            return ExitCode::failed;
        }
        Listing listing(capture, *format, options.big_numbers, output);
        const ExitCode listed = listing.run();
        return listed == ExitCode::failed ? listed : worst(listed, listing.report());
    };
    const auto print_none = [&] {
        const std::string empty = empty_list(*format);
        return empty.empty() ? ExitCode::well : write_file(options.output, empty);
    };
    return read_capture(options.capture, print, print_none);
}

// etl flows: sums over the packets of each conversation.

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
                         .max_number = largest_of(options.big_numbers)};
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

// etl pcapng, packets, flows: what captures of the network contain.

namespace {

constexpr const char* pcapng_footer = R"(Examples:
  etl pcapng trace.etl -o capture.pcapng
  etl pcapng --nic PktMon.etl -o capture.pcapng
  etl pcapng --drops PktMon.etl -o drops.pcapng
  etl pcapng --where 'pid == 4' --from +10s --to +20s trace.etl -o - | wireshark -k -i -
  etl pcapng --follow growing.etl | wireshark -k -i -
  etl pcapng --session Capture | wireshark -k -i -
Each place where packets were captured becomes an interface. Several traces are merged by time. Exit codes: 0 success,
1 damage, or no packets (then nothing is written), 2 failure, 64 usage error. See docs/packets.md.)";

void add_pcapng(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand(
        "pcapng", "Write captured packets as a pcapng file for Wireshark and others");
    auto options = std::make_shared<PcapngOptions>();
    options->capture.add_to(verb);
    verb.add_flag("--packet-pid", options->with_processes,
                  "add the process that logged each packet as a comment; it need not be the "
                  "process of the packet")
        ->group("Packets");
    auto* const events = verb.add_flag_callback(
                                 "--events",
                                 [options] {
                                     options->events = PcapngOptions::Events::journal;
                                     options->capture.with_events = true;
                                 },
                                 "also write events that are not packets, as journal entries")
                             ->group("Packets");
    Option* const link = verb.add_option_function<std::string>(
        "--link",
        [options](const std::string& word) {
            if (word != "etw") {
                throw UsageError("--link", "expected etw, found '" + word + "'");
            }
            options->events = PcapngOptions::Events::etw;
            options->capture.with_events = true;
        },
        "etw: also write events that are not packets, as packets of the link type ETW, which "
        "Wireshark decodes");
    suggest_values(link->excludes(events)->type_name("etw")->group("Packets"), {"etw"});
    verb.add_option("-o,--output", options->output,
                    "write to FILE, which appears when complete; - for a pipe (default: standard "
                    "output)")
        ->type_name("FILE");
    add_force(verb, options->force);
    verb.footer(pcapng_footer);
    verb.callback([options, &exit] {
        options->capture.require_input();
        exit = write_pcapng(*options);
    });
}

constexpr const char* packets_footer = R"(Examples:
  etl packets trace.etl
  etl packets --nic --from +10s --to +20s PktMon.etl
  etl packets --drops --format csv -o drops.csv PktMon.etl
  etl packets --format jsonl trace.etl | jq -c 'select(.tcp_flags == "R.")'
The columns are defined in docs/packets.md. Exit codes: 0 success, 1 damage, or no packets, 2 failure, 64 usage error.)";

constexpr const char* flows_footer = R"(Examples:
  etl flows trace.etl
  etl flows --format csv -o flows.csv trace.etl
  etl flows --component tcpip.sys PktMon.etl
  etl flows --sort retransmissions --limit 10 trace.etl
A packet that was captured at several places counts once. The columns are defined in docs/packets.md. Exit codes: 0
success, 1 damage, or no packets, 2 failure, 64 usage error.)";

struct ListingVerb {
    const char* name;
    const char* summary;
    const char* footer;
    ExitCode (*run)(const ListingOptions& options);
    bool has_table_rows = false; // --limit counts rows of a table, not packets
};

void add_listing(Verb& etl, ExitCode& exit, const ListingVerb& one) {
    Verb& verb = *etl.add_subcommand(one.name, one.summary);
    auto options = std::make_shared<ListingOptions>();
    options->capture.add_to(verb);
    if (one.has_table_rows) {
        add_table_rows(verb, options->rows, "bytes in both directions");
    }
    add_table_output(verb, options->format, options->big_numbers, options->output, options->force);
    verb.footer(one.footer);
    verb.callback([options, run = one.run, &exit] {
        options->capture.require_input();
        exit = run(*options);
    });
}

} // namespace

void add_packets(Verb& etl, ExitCode& exit) {
    add_pcapng(etl, exit);
    add_listing(etl, exit,
                {.name = "packets",
                 .summary = "Print captured packets, a line for each",
                 .footer = packets_footer,
                 .run = list_packets});
    add_listing(etl, exit,
                {.name = "flows",
                 .summary = "Print the conversations in captured packets",
                 .footer = flows_footer,
                 .run = list_flows,
                 .has_table_rows = true});
}

} // namespace cli
