// etl symbols: the images of traces and their symbol files, and names of addresses.
#include "cli/verbs.hpp"
#include "verbs/symbols/resolve.hpp"

namespace cli {

namespace {

constexpr const char* footer = R"(Examples:
  etl symbols --resolve pump.pdb 1040 0x1042
  etl symbols --resolve pump.exe --symbols 'srv*/srv/symbols' - <addresses.txt
--resolve prints a tab-separated line for each function at an address, innermost first: RVA, depth,
function, linkage name, file, line; `-` if unknown. A seventh column marks an approximate name: that
of the nearest public or exported symbol.
Exit codes: 0 success, 1 some addresses are invalid, 2 failure, 64 usage error. See docs/symbols.md.)";

} // namespace

void add_symbols(CLI::App& etl, ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("symbols", "Resolve addresses to functions and lines");
    auto options = std::make_shared<ResolveOptions>();
    verb.add_option("--resolve", options->file, "PDB file or executable")
        ->required()
        ->type_name("FILE");
    verb.add_option("RVA...", options->addresses,
                    "hexadecimal addresses relative to the image base; - for standard input")
        ->required()
        ->type_name("");
    options->path.add_to(verb);
    verb.add_flag("--json", options->json, "print one JSON object per function, one per line");
    verb.footer(footer);
    verb.callback([options, &exit] { exit = resolve_addresses(*options); });
}

} // namespace cli
