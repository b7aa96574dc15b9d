// etl: the command line around libetl.
#include <etl/io/mapping_guard.hpp>
#include <etl/io/output_file.hpp>

#include "cli/console.hpp"
#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <exception>
#include <string>

namespace {

constexpr const char* footer = R"(Examples:
  etl dump trace.etl                          every event as text
  etl dump --format jsonl trace.etl           one JSON object per event
  etl info trace.etl                          what the trace says of itself, and what it holds
  etl check trace.etl                         is it whole?
  etl schema list manifests/                  which events are described there
  etl generate -o made.etl                    an invented trace, for tests
  etl write events.jsonl -o trace.etl         a trace of such objects
  etl relog trace.etl --process 42 -o s.etl   a trace of some of its events, with what decoding needs
  etl merge kernel.etl user.etl -o all.etl    one trace of several
  etl join log_1.etl -o log.etl               one trace of a series of files
  etl split trace.etl --by cpu -o 'part_%d.etl'   several traces of one
  etl repair broken.etl -o fixed.etl          a whole trace of what is intact
`etl VERB --help` tells the options of a verb.

Exit codes: 0 success, 1 finished, but something was damaged, lost, or skipped, 2 nothing could be done, 64 usage
error. No output ever replaces an input. See docs/files.md.)";

bool is_unknown_verb(const CLI::App& etl, const std::string& word) {
    return !word.empty() && !word.starts_with('-') &&
           etl.get_subcommands([&](const CLI::App* verb) { return verb->check_name(word); })
               .empty();
}

int run(int count, char** arguments) {
    CLI::App etl("Reads and writes Windows event trace logs (.etl) on any machine.", "etl");
    etl.set_version_flag("--version", "etl " ETL_VERSION);
    etl.require_subcommand(1);
    etl.footer(footer);
    cli::ExitCode exit = cli::ExitCode::well;
    cli::add_dump(etl, exit);
    cli::add_info(etl, exit);
    cli::add_check(etl, exit);
    cli::add_generate(etl, exit);
    cli::add_schema(etl, exit);
    cli::add_relog(etl, exit);
    cli::add_merge(etl, exit);
    cli::add_join(etl, exit);
    cli::add_split(etl, exit);
    cli::add_repair(etl, exit);
    cli::add_compress(etl, exit);
    cli::add_decompress(etl, exit);
    cli::add_write(etl, exit);
    try {
        etl.parse(count, arguments);
    } catch (const CLI::Success& asked) { // --help, --version
        return etl.exit(asked);
    } catch (const CLI::ParseError& error) {
        if (const std::string word = count > 1 ? arguments[1] : ""; is_unknown_verb(etl, word)) {
            cli::say(fmt::format("'{}' is no verb; `etl --help` lists them", word));
            return static_cast<int>(cli::ExitCode::usage);
        }
        etl.exit(error);
        return static_cast<int>(cli::ExitCode::usage);
    }
    return static_cast<int>(exit);
}

} // namespace

int main(int count, char** arguments) {
    etl::io::ignore_closed_pipes(); // a closed pipe is an answer of write(), not a death
    etl::io::outlive_file_size_limit();
    const etl::io::MappingGuard guard; // a truncated input is damage, not a death
    try {
        return run(count, arguments);
    } catch (const std::exception& error) {
        cli::say(error.what());
        return static_cast<int>(cli::ExitCode::failed);
    }
}
