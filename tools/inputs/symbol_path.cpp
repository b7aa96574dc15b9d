#include "inputs/symbol_path.hpp"

#include "base/file_name.hpp"
#include "cli/console.hpp"
#include "io/find_files.hpp"
#include "io/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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

namespace {

/// Empty: not found; why has been printed.
std::string database_of_image(const std::string& path,
                              std::vector<etl::symbols::SearchPlace> places) {
    const auto input = etl::io::InputFile::map(path);
    if (!input) {
        say(printable(path), input.error());
        return {};
    }
    const auto identity = etl::symbols::read_image_identity((*input)->bytes());
    if (!identity || !identity->database) {
        say(fmt::format("warning: {}: {}, so it leads to no formats of messages", printable(path),
                        identity ? "names no program database" : "not an executable"));
        return {};
    }
    const auto& wanted = *identity->database;
    const auto found = find_database_of(path, wanted, std::move(places));
    if (!found.file) {
        say(fmt::format("warning: {}: {} {} not found on the symbol path", printable(path),
                        printable(wanted.path), wanted.identity.key()));
    }
    return found.path;
}

} // namespace

etl::symbols::Lookup find_database_of(const std::string& image,
                                      const etl::symbols::DatabaseReference& wanted,
                                      std::vector<etl::symbols::SearchPlace> places) {
    const std::size_t name = image.size() - etl::file_name_of(image).size();
    places.insert(places.begin(), {etl::symbols::SearchPlace::Kind::directory,
                                   name == 0 ? "." : image.substr(0, name - 1)});
    auto found =
        etl::symbols::Stores(std::move(places)).find_database(wanted.path, wanted.identity);
    for (const auto& rejected : found.rejected) {
        say(fmt::format("warning: {}: {}", printable(rejected.path), rejected.reason));
    }
    return found;
}

std::vector<std::string> split_list(const std::string& list) {
    std::vector<std::string> elements;
    for (std::string_view rest = list; !rest.empty();) {
        const std::string_view element = rest.substr(0, rest.find(';'));
        rest.remove_prefix(std::min(element.size() + 1, rest.size()));
        if (!element.empty()) {
            elements.emplace_back(element);
        }
    }
    return elements;
}

std::vector<std::string> databases_of(const std::vector<std::string>& images,
                                      const std::vector<std::string>& symbol_paths) {
    std::vector<std::string> databases;
    if (images.empty()) {
        return databases;
    }
    const auto places = SymbolPathOptions{symbol_paths}.places();
    for (const std::string& image : images) {
        if (std::string path = database_of_image(image, places); !path.empty()) {
            databases.push_back(std::move(path));
        }
    }
    return databases;
}

} // namespace cli
