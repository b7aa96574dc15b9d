#include "base/file_name.hpp"
#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/exit_code.hpp"
#include "cli/json_object.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "gather/facts.hpp"
#include "gather/store_symbols.hpp"
#include "inputs/schemas.hpp"
#include "inputs/symbol_path.hpp"
#include "inputs/traces.hpp"
#include "io/input_file.hpp"
#include "symbols/demangle.hpp"
#include "symbols/pe_file.hpp"
#include "symbols/symbol_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace cli {

// etl symbols TRACE: the images of traces and their symbol files.

struct SymbolListOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    SymbolPathOptions path;
    bool json = false;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

/// Prints a line for each image, once per identity. Missing symbols are not an error.
ExitCode list_symbols(const SymbolListOptions& options);

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

// etl symbols --resolve: names of addresses of one file.

struct ResolveOptions {
    std::string file;
    std::vector<std::string> addresses; // `-`: standard input
    SymbolPathOptions path;
    bool json = false;
};

/// Prints the frames of each address. Failed if the file cannot be opened, or if no address is
/// valid; damaged if some are invalid.
ExitCode resolve_addresses(const ResolveOptions& options);

namespace {

using etl::symbols::Frame;
using etl::symbols::SymbolFile;
using File = std::shared_ptr<const SymbolFile>;

/// The program database of an executable: next to it, then on the symbol path.
File database_of(const std::string& path, etl::Bytes image,
                 std::vector<etl::symbols::SearchPlace> places) {
    const auto identity = etl::symbols::read_image_identity(image);
    if (!identity || !identity->database) {
        say(fmt::format("note: {}: names no program database; only exported symbols are used",
                        printable(path)));
        return nullptr;
    }
    const auto& wanted = *identity->database;
    const auto found = find_database_of(path, wanted, std::move(places));
    if (!found.file) {
        say(fmt::format("note: {}: {} {} not found; only exported symbols are used (use --symbols)",
                        printable(path), printable(wanted.path), wanted.identity.key()));
    }
    return found.file;
}

File open_symbols(const ResolveOptions& options) {
    auto places = options.path.places();
    auto input = etl::io::InputFile::map(options.file);
    auto file = input ? SymbolFile::open(*input) : std::unexpected(input.error());
    if (!file) {
        say(printable(options.file), file.error());
        return nullptr;
    }
    if ((*file)->kind() == etl::symbols::FileKind::executable) {
        if (File database = database_of(options.file, (*input)->bytes(), std::move(places))) {
            return database;
        }
    }
    return *std::move(file);
}

std::optional<std::uint32_t> parse_rva(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
    }
    std::uint32_t rva = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rva, 16);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(rva)
                                                                    : std::nullopt;
}

/// With parameters if the decorated name is known, because overloads differ in them only.
std::string function_of(const Frame& frame) {
    constexpr etl::symbols::DemangleStyle style{
        .access = false, .member_kind = false, .calling_convention = false, .return_type = false};
    auto readable = etl::symbols::demangle(frame.linkage_name, style);
    return readable ? *std::move(readable) : std::string(frame.function);
}

/// Prints in portions, so that a pipe is answered while it is open.
class Resolving {
public:
    Resolving(File file, bool json) : resolver_(std::move(file)), json_(json) {}

    void add(std::string_view text) {
        const auto rva = parse_rva(text);
        if (!rva) {
            say(fmt::format("'{}' is not a hexadecimal RVA", printable(text)));
            ++bad_;
            return;
        }
        ++good_;
        const auto frames = resolver_.resolve(*rva);
        if (frames.empty()) {
            write(*rva, 0, {});
        }
        for (std::size_t depth = 0; depth < frames.size(); ++depth) {
            write(*rva, depth, frames[depth]);
        }
        if (text_.size() >= portion) {
            flush();
        }
    }

    /// Returns the exit code of all.
    ExitCode finish() {
        flush();
        return worst(printed_, bad_ == 0    ? ExitCode::well
                               : good_ == 0 ? ExitCode::failed
                                            : ExitCode::damaged);
    }

private:
    static constexpr std::size_t portion = std::size_t{64} << 10U;

    void flush() { printed_ = worst(printed_, print(std::exchange(text_, {}))); }

    void write(std::uint32_t rva, std::size_t depth, const Frame& frame) {
        const std::string function = function_of(frame);
        const std::string_view linkage =
            frame.linkage_name.empty() ? frame.function : frame.linkage_name;
        if (json_) {
            JsonObject json;
            json.text("rva", fmt::format("0x{:x}", rva)).number("depth", depth);
            const auto text = [&](std::string_view key, std::string_view value) {
                value.empty() ? json.raw(key, "null") : json.text(key, utf8_text(value));
            };
            text("function", function);
            text("linkage_name", linkage);
            text("file", frame.file);
            frame.line == 0 ? json.raw("line", "null") : json.number("line", frame.line);
            json.boolean("approximate", frame.is_approximate);
            text_ += json.take() + "\n";
            return;
        }
        const auto cell = [](std::string_view text) {
            return text.empty() ? std::string("-") : printable(text);
        };
        text_ +=
            fmt::format("{:x}\t{}\t{}\t{}\t{}\t{}{}\n", rva, depth, cell(function), cell(linkage),
                        cell(frame.file), frame.line == 0 ? "-" : std::to_string(frame.line),
                        frame.is_approximate ? "\tapproximate" : "");
    }

    etl::symbols::Resolver resolver_;
    bool json_;
    std::string text_;
    std::size_t good_ = 0, bad_ = 0;
    ExitCode printed_ = ExitCode::well;
};

} // namespace

ExitCode resolve_addresses(const ResolveOptions& options) {
    const File file = open_symbols(options);
    if (!file) {
        return ExitCode::failed;
    }
    Resolving resolving(file, options.json);
    for (const std::string& address : options.addresses) {
        if (address != "-") {
            resolving.add(address);
            continue;
        }
        for (std::string line; std::getline(std::cin, line);) {
            if (const std::string_view text = etl::trimmed(line); !text.empty()) {
                resolving.add(text);
            }
        }
    }
    return resolving.finish();
}

// etl symbols: the images of traces and their symbol files, and names of addresses.

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
