#include "verbs/symbols/listing.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "cli/print.hpp"
#include "gather/facts.hpp"
#include "gather/store_symbols.hpp"
#include "symbols/pe_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace cli {

namespace {

using etl::facts::Image;
using etl::gather::ImageSymbols;
using etl::gather::SymbolStatus;

/// An image by name and identity; one file loaded by many processes is one.
struct ListedImage {
    Image image;
    std::set<std::pair<std::size_t, std::uint32_t>> processes; // number of the trace, ID
};

std::string database_key(const Image& image) {
    return image.pdb ? etl::symbols::Identity{image.pdb->guid, image.pdb->age}.key()
                     : std::string();
}

std::string image_key(const Image& image) {
    return image.time_date_stamp == 0
               ? std::string()
               : etl::symbols::ImageIdentity{image.time_date_stamp,
                                             static_cast<std::uint32_t>(image.size),
                                             {}}
                     .key();
}

std::vector<ListedImage> images_of(const etl::facts::FactsByTrace& facts) {
    using Key = std::tuple<std::string, std::string, std::string>;
    std::map<Key, ListedImage> listed;
    for (std::size_t trace = 0; trace < facts.size(); ++trace) {
        for (const Image& image : facts[trace].images()) {
            Key key{etl::to_lower_ascii(image.name()), database_key(image), image_key(image)};
            ListedImage& one =
                listed.try_emplace(std::move(key), ListedImage{image, {}}).first->second;
            one.processes.emplace(trace, image.process);
        }
    }
    std::vector<ListedImage> all;
    for (auto& [key, one] : listed) {
        all.push_back(std::move(one));
    }
    return all;
}

std::string as_text(const ListedImage& one, const ImageSymbols& symbols) {
    const Image& image = one.image;
    const std::string key = image.pdb ? database_key(image) : image_key(image);
    const std::string_view file = image.pdb ? etl::file_name_of(image.pdb->name) : "-";
    return fmt::format("{:<11}  {:<32}  {:<32}  {:<33}  {}\n", name(symbols.status),
                       printable(image.name()), printable(file), key.empty() ? "-" : key,
                       symbols.path.empty() ? "-" : printable(symbols.path));
}

std::string as_json(const ListedImage& one, const ImageSymbols& symbols) {
    const Image& image = one.image;
    JsonObject json;
    const auto text = [&](std::string_view key, std::string_view value) {
        value.empty() ? json.raw(key, "null") : json.text(key, utf8_text(value));
    };
    text("image", image.name());
    text("path", image.path);
    json.number("size", image.size).number("processes", one.processes.size());
    text("image_key", image_key(image));
    text("pdb", image.pdb ? etl::file_name_of(image.pdb->name) : "");
    text("pdb_path", image.pdb ? image.pdb->name : "");
    text("guid", image.pdb ? etl::to_string(image.pdb->guid) : "");
    image.pdb ? json.number("age", image.pdb->age) : json.raw("age", "null");
    text("pdb_key", database_key(image));
    json.text("status", name(symbols.status));
    text("file", symbols.path);
    etl::JsonList rejected;
    for (const auto& file : symbols.rejected) {
        JsonObject object;
        object.text("file", utf8_text(file.path)).text("reason", utf8_text(file.reason));
        rejected.raw(object.take());
    }
    json.raw("rejected", rejected.take());
    return json.take() + "\n";
}

void report(const std::map<SymbolStatus, std::size_t>& counts, std::size_t all) {
    const auto count = [&](SymbolStatus status) {
        const auto found = counts.find(status);
        return found == counts.end() ? std::size_t{0} : found->second;
    };
    std::string text =
        fmt::format("{}: {} found", plural(all, "image"), count(SymbolStatus::found));
    for (const SymbolStatus status :
         {SymbolStatus::exports, SymbolStatus::no_names, SymbolStatus::missing,
          SymbolStatus::mismatch, SymbolStatus::no_identity}) {
        text += count(status) == 0 ? "" : fmt::format(", {} {}", count(status), name(status));
    }
    say(text);
}

} // namespace

ExitCode list_symbols(const SymbolListOptions& options) {
    const Traces traces(options.traces);
    if (traces.readers().empty()) {
        return ExitCode::failed;
    }
    const auto context =
        context_of(traces, options.schemas, {.facts = etl::facts::Scope::everything});
    if (!context) {
        return ExitCode::failed;
    }
    etl::gather::StoreSymbols symbols(options.path.places());
    std::map<SymbolStatus, std::size_t> counts;
    std::string text;
    const std::vector<ListedImage> images = images_of(*context->facts);
    for (const ListedImage& one : images) {
        const ImageSymbols& found = symbols.symbols_of(one.image);
        ++counts[found.status];
        text += options.json ? as_json(one, found) : as_text(one, found);
    }
    const ExitCode printed = print(text);
    report(counts, images.size());
    return worst(printed, traces.exit_code_of_buffers());
}

} // namespace cli
