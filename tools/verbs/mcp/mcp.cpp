// `etl mcp`: a server of the Model Context Protocol on standard input and output. docs/mcp.md
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "cli/verbs.hpp"
#include "host/programs.hpp"
#include "io/byte_stream.hpp"
#include "io/find_files.hpp"
#include "io/output_file.hpp"
#include "outputs/anonymizing.hpp"
#include "verbs/mcp/server.hpp"

#include <fmt/format.h>

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

namespace {

struct Asked {
    std::string root;
    std::vector<std::string> schemas, symbols;
    BigNumbers big_numbers = BigNumbers::number;
    unsigned time_limit = 60;
    bool anonymizes = false;
    std::optional<std::string> key; // a file name or the secret itself; none: random
};

/// Where copies of traces go; nothing: they are not wanted. Prints why there cannot be any.
std::expected<std::optional<mcp::Copies>, ExitCode> copies_for(const Asked& asked) {
    if (!asked.anonymizes) {
        return std::nullopt;
    }
    if (!find_key(asked.key)) {
        return std::unexpected(ExitCode::failed);
    }
    auto copies = mcp::Copies::create(asked.key);
    if (!copies) {
        say(etl::io::spool_directory(), copies.error());
        return std::unexpected(ExitCode::failed);
    }
    return *std::move(copies);
}

ExitCode serve(const Verb& etl, const Asked& asked) {
    if (!asked.root.empty() && !etl::io::is_directory(asked.root)) {
        say(fmt::format("--root: {} is not a directory", printable(asked.root)));
        return ExitCode::usage;
    }
    if (etl::host::own_program().empty()) {
        say("mcp is not supported on this system: it starts other programs");
        return ExitCode::failed;
    }
    auto stream = etl::io::open_stream("-");
    if (!stream) {
        say("standard input", stream.error());
        return ExitCode::failed;
    }
    if (etl::io::standard_input_is_terminal()) {
        say("note: expecting messages of the Model Context Protocol on standard input; see "
            "docs/mcp.md");
    }
    auto copies = copies_for(asked);
    if (!copies) {
        return copies.error();
    }
    mcp::MessageInput input(std::move(*stream), mcp::max_message);
    mcp::CallOptions options{
        .root = asked.root.empty() ? "" : etl::io::real_path(asked.root),
        .schemas = asked.schemas,
        .symbols = asked.symbols,
        .big_numbers = asked.big_numbers,
        .time_limit = std::chrono::seconds(asked.time_limit),
    };
    return mcp::Server(etl, std::move(options), *std::move(copies), input).run();
}

} // namespace

void add_mcp(Verb& etl, ExitCode& exit) {
    Verb& verb = *etl.add_subcommand("mcp", "Let an assistant read traces (MCP server)");
    auto asked = std::make_shared<Asked>();
    verb.add_option("--root", asked->root,
                    "refuse files outside of this directory, also through links; relative paths "
                    "start there (default: all files are allowed)")
        ->type_name("DIR");
    verb.add_option("--schema", asked->schemas, "as for the verbs, for every call; repeatable")
        ->type_name("PATH");
    verb.add_option("--symbols", asked->symbols, "as for the verbs, for every call; repeatable")
        ->type_name("PATH");
    add_big_numbers(verb, asked->big_numbers);
    constexpr unsigned a_day = 86'400;
    verb.add_option("--time-limit", asked->time_limit,
                    "end a call after this time, in seconds (default: 60)")
        ->check(in_range(1U, a_day))
        ->type_name("N");
    verb.add_flag("--anonymize", asked->anonymizes,
                  "answer about anonymized copies of the traces, as `etl relog --anonymize` writes "
                  "them (docs/anonymize.md)")
        ->group("Privacy");
    verb.add_option("--anonymize-key", asked->key,
                    "key for consistent pseudonyms across files (default: random)")
        ->type_name("FILE|TEXT")
        ->group("Privacy");
    verb.parse_complete_callback([asked] {
        if (asked->key && !asked->anonymizes) {
            throw UsageError("--anonymize-key", "requires --anonymize");
        }
    });
    verb.footer(R"(Examples:
  etl mcp --root traces/
  etl mcp --root traces/ --anonymize
  etl mcp --root traces/ --symbols /srv/symbols --time-limit 300
  claude mcp add etl -- etl mcp --root ~/traces

A server of the Model Context Protocol, revisions 2024-11-05, 2025-06-18, 2025-11-25, and 2026-07-28,
on standard input and output. It ends with its input. Its tools are verbs of etl that read; each
call runs in a process of its own. Exit codes: 0 success, 2 failure, 64 usage error. See docs/mcp.md.)");
    verb.callback([&etl, &exit, asked] { exit = serve(etl, *asked); });
}

} // namespace cli
