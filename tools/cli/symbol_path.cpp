#include "cli/symbol_path.hpp"

#include <etl/io/find_files.hpp>

#include "cli/console.hpp"

#include <fmt/format.h>

#include <iterator>

namespace cli {

void SymbolPathOptions::add_to(CLI::App& verb) {
    verb.add_option("--symbols", paths,
                    "directory or symbol store with PDB files, or a symbol path "
                    "(dir;srv*store); repeatable. Also searched: _NT_SYMBOL_PATH. Servers are "
                    "never contacted (docs/symbols.md)")
        ->allow_extra_args(false)
        ->type_name("PATH");
}

std::vector<etl::symbols::SearchPlace> SymbolPathOptions::places() const {
    std::vector<etl::symbols::SearchPlace> all;
    const auto add = [&](const std::string& path) {
        auto places = etl::symbols::parse_symbol_path(path);
        std::ranges::move(places, std::back_inserter(all));
    };
    std::ranges::for_each(paths, add);
    add(etl::io::environment("_NT_SYMBOL_PATH"));
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

} // namespace cli
