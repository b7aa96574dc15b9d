#include "inputs/symbol_path.hpp"

#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "io/find_files.hpp"

#include <fmt/format.h>

namespace cli {

void SymbolPathOptions::add_to(Verb& verb) {
    verb.add_option("--symbols", paths,
                    "directory or symbol store with PDB files, or a symbol path "
                    "(dir;srv*store); repeatable. Also searched: _NT_SYMBOL_PATH. Servers are "
                    "never contacted (docs/symbols.md)")
        ->allow_extra_args(false)
        ->type_name("PATH");
}

std::vector<etl::symbols::SearchPlace> SymbolPathOptions::places() const {
    auto all = etl::gather::symbol_places(paths);
    for (const auto& place : all) {
        if (place.kind == etl::symbols::SearchPlace::Kind::server) {
            say(fmt::format("note: {} is not contacted; `etl symbols TRACE --json` lists what to "
                            "download",
                            printable(place.path)));
        } else if (!etl::io::is_directory(place.path)) {
            say(fmt::format("warning: symbol path {}: no such directory", printable(place.path)));
        }
    }
    return all;
}

std::shared_ptr<etl::gather::StoreSymbols> SymbolPathOptions::open() const {
    auto all = places();
    return all.empty() ? nullptr : std::make_shared<etl::gather::StoreSymbols>(std::move(all));
}

void report_missing(const etl::gather::StoreSymbols* symbols) {
    if (symbols == nullptr) {
        return;
    }
    const etl::gather::StoreSymbols::Counts counts = symbols->counts();
    if (counts.unnamed != 0) {
        say(fmt::format("note: {} of {} images have no symbols (`etl symbols TRACE` lists them)",
                        counts.unnamed, counts.images));
    }
    if (counts.silent != 0) {
        say(fmt::format("note: the symbol files of {} name none of the addresses looked up",
                        plural(counts.silent, "image")));
    }
}

} // namespace cli
