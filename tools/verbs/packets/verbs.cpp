// etl pcapng, packets, flows: what captures of the network contain.
#include "cli/verbs.hpp"

#include "captures/pcapng.hpp"
#include "cli/choice.hpp"
#include "outputs/output_options.hpp"
#include "verbs/packets/listing.hpp"

#include <memory>

namespace cli {

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
