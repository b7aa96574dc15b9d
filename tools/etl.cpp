// etl: the command line around libetl.
#include "base/file_name.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/help.hpp"
#include "cli/refusal.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"
#include "io/input_file.hpp"
#include "io/output_file.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* footer = R"(Examples:
  etl dump trace.etl                          print every event
  etl dump --format jsonl trace.etl           one JSON object per event
  etl export --to xml trace.etl               write events as Windows' event XML
  etl pcapng trace.etl -o capture.pcapng      write captured packets for Wireshark
  etl packets trace.etl                       print captured packets
  etl report trace.etl -o report.html         write a page with tables and charts of a trace
  etl report --brief trace.etl                print the most important parts
  etl info trace.etl                          show trace metadata and contents
  etl info --needs trace.etl                  list the schemas that are missing
  etl check trace.etl                         check for damage
  etl cpu trace.etl                           print which processes used the processors
  etl top --by file trace.etl                 print the files that took most time
  etl sql trace.etl 'SELECT ... FROM events'  query events and tables in SQL
  etl flame trace.etl -o cpu.html             draw a flame graph of processor time
  etl diff before.etl after.etl               compare two traces
  etl schema list manifests/                  list the events that schemas describe
  etl index trace.etl                         write an index, for --part K/N
  etl combine *.part                          print the table that its parts add up to
  etl symbols trace.etl                       list the symbol files of images, and what is missing
  etl generate -o synthetic.etl               generate a synthetic trace for tests
  etl write events.jsonl -o trace.etl         create a trace from JSON lines
  etl record --provider Service -o s.etl -- ./service   record a program while it runs
  etl session start Day --provider Service -o day.etl   record running programs
  etl relog trace.etl --process 42 -o s.etl   keep the events of a process and their context
  etl merge kernel.etl user.etl -o all.etl    merge traces into one
  etl join log_1.etl -o log.etl               join a series of files into one trace
  etl split trace.etl --by cpu -o 'part_%d.etl'   split a trace into several
  etl repair damaged.etl -o fixed.etl         recover intact records into a valid trace
  etl tracefmt trace.etl -p tmf/ -o trace.txt as Windows' tracefmt does; also as `tracefmt`
  etl xperf -i trace.etl -a dumper            as Windows' xperf does; also as `xperf`
  etl logman query -ets                       as Windows' logman does; also as `logman`
  etl mcp --root traces/                      let an assistant read the traces of a directory
Run `etl help VERB` or `etl VERB --help` for a verb's options.

Exit codes: 0 success, 1 damage, losses, or skipped data, 2 failure, 3 a condition of diff, 64 usage
error. An output never replaces an input. See docs/files.md.)";

bool is_in(std::string_view names, std::string_view name) {
    return std::ranges::any_of(std::views::split(names, ' '), [&](const auto& one) {
        return std::string_view(one.begin(), one.end()) == name;
    });
}

/// Declares the verb that the command line names, or all: to declare all takes longer than many
/// verbs run. A program of another name may be a verb itself.
void add_verbs(cli::Verb& app, cli::ExitCode& exit, std::string_view program,
               const std::vector<std::string>& words) {
    const bool is_etl = etl::file_name_of(program).starts_with("etl");
    const std::string_view first = is_etl && !words.empty() ? words.front() : std::string_view();
    if (words.size() == 1 && (first == "--version" || first == "-v")) {
        return;
    }

    struct Declaration {
        void (*add)(cli::Verb& etl, cli::ExitCode& exit);
        std::string names;
    };

#define DECLARATION(name, names) {cli::add_##name, names},
    using cli::names_of_tables;
    const Declaration declarations[] = {ETL_VERBS(DECLARATION)};
#undef DECLARATION
    const auto* const named = std::ranges::find_if(
        declarations, [&](const Declaration& one) { return is_in(one.names, first); });
    if (named != std::end(declarations)) {
        named->add(app, exit);
        return;
    }
    for (const Declaration& one : declarations) {
        one.add(app, exit);
    }
}

int run(int count, char** arguments) {
    cli::Verb etl("Read, write, and process Windows event traces (.etl) on any machine", "etl");
    etl.group("Verbs");
    etl.set_version_flag("-v,--version", "etl " ETL_VERSION, "print the version");
    etl.set_help_flag("-h,--help", "print this help");
    etl.require_subcommand(0, 1);
    etl.footer(footer);
    cli::ExitCode exit = cli::ExitCode::well;
    const std::string_view program = count > 0 ? arguments[0] : "";
    const std::vector<std::string> given(arguments + std::min(count, 1), arguments + count);
    add_verbs(etl, exit, program, given);
    const std::vector<std::string> words = cli::read_windows_words(etl, program, given);
    if (words.empty()) {
        return cli::print_help(etl, {});
    }
    const std::optional<cli::ParseEnd> end = etl.parse(words);
    if (!end) {
        return static_cast<int>(exit);
    }
    if (end->why == cli::ParseEnd::Why::version) {
        return static_cast<int>(cli::print(end->text + '\n'));
    }
    if (end->why == cli::ParseEnd::Why::help) {
        const auto refused = cli::refuse_unknown_verb(etl);
        return refused ? *refused : static_cast<int>(cli::print(help_of(etl.last_verb())));
    }
    return cli::refuse(etl, *end, words.front());
}

} // namespace

int main(int count, char** arguments) {
    etl::io::ignore_closed_pipes(); // write() reports a closed pipe
    etl::io::ignore_file_size_signal();
    const etl::io::MappingGuard guard; // a truncated input is reported as damage
    try {
        return run(count, arguments);
    } catch (const std::exception& error) {
        cli::say(error.what());
        return static_cast<int>(cli::ExitCode::failed);
    }
}
