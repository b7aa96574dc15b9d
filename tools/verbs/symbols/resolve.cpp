#include "verbs/symbols/resolve.hpp"

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/print.hpp"
#include "inputs/image_databases.hpp"
#include "io/input_file.hpp"
#include "symbols/demangle.hpp"
#include "symbols/pe_file.hpp"
#include "symbols/symbol_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <optional>
#include <utility>

namespace cli {

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

} // namespace cli
