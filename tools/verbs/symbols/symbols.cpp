// etl symbols: the images of traces and their symbol files, and names of addresses.
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "verbs/symbols/listing.hpp"
#include "verbs/symbols/resolve.hpp"

namespace cli {

namespace {

constexpr const char* symbols_footer = R"(Examples:
  etl symbols trace.etl                             list the images, and which symbols are missing
  etl symbols trace.etl --symbols /srv/symbols --json | jq -r 'select(.status == "missing").pdb_key'
  etl symbols --resolve pump.pdb 1040 0x1042
  etl symbols --resolve pump.exe --symbols 'srv*/srv/symbols' - <addresses.txt
Symbol files are used only if their identity (GUID and age) is the recorded one. Servers are never
contacted. --resolve prints a tab-separated line for each function at an address, innermost first:
RVA, depth, function, linkage name, file, line; `-` if unknown. A seventh column marks an approximate
name: that of the nearest public or exported symbol.
Exit codes: 0 success, also with missing symbols, 1 damage, or invalid addresses, 2 failure, 64 usage
error. See docs/symbols.md.)";

struct Options {
    std::string file; // of --resolve; empty: list
    SymbolListOptions list;
};

ExitCode run(const Options& options) {
    if (options.file.empty()) {
        return list_symbols(options.list);
    }
    return resolve_addresses({.file = options.file,
                              .addresses = options.list.traces.arguments,
                              .path = options.list.path,
                              .json = options.list.json});
}

} // namespace

void add_symbols(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand(
        "symbols", "List the symbol files of traces, and resolve addresses to functions");
    auto options = std::make_shared<Options>();
    options->list.traces.add_to(verb);
    options->list.schemas.add_to(verb);
    options->list.path.add_to(verb);
    verb.add_option("--resolve", options->file,
                    "resolve addresses in a PDB file or executable; the arguments are hexadecimal "
                    "RVAs, or - for standard input")
        ->type_name("FILE");
    verb.add_flag("--json", options->list.json,
                  "print one JSON object per image or function, one per line");
    verb.footer(symbols_footer);
    verb.callback([options, &exit] { exit = run(*options); });
}

} // namespace cli
