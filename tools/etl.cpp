// etl: the command line around libetl.
#include <etl/base/similar.hpp>
#include <etl/io/mapping_guard.hpp>
#include <etl/io/output_file.hpp>

#include "cli/console.hpp"
#include "cli/help.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"
#include "verbs/flame/verbs.hpp"
#include "verbs/report/verbs.hpp"
#include "verbs/session/verbs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
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
  etl flame trace.etl -o cpu.html             draw a flame graph of processor time
  etl diff before.etl after.etl               compare two traces
  etl schema list manifests/                  list the events that schemas describe
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
Run `etl help VERB` or `etl VERB --help` for a verb's options.

Exit codes: 0 success, 1 damage, losses, or skipped data, 2 failure, 3 a condition of diff, 64 usage
error. An output never replaces an input. See docs/files.md.)";

std::vector<std::string> names_of_verbs(const CLI::App& etl) {
    std::vector<std::string> names;
    for (const CLI::App* verb : etl.get_subcommands({})) {
        names.push_back(verb->get_name());
    }
    return names;
}

std::vector<std::string> names_of_options(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options()) {
        for (const std::string& name : option->get_lnames()) {
            names.push_back("--" + name);
        }
    }
    return names;
}

std::string similar_to(const std::string& word, const std::vector<std::string>& names) {
    const auto similar = etl::similar_words(word, names);
    return similar.empty() ? "" : fmt::format("; similar: {}", fmt::join(similar, ", "));
}

/// Returns the requested verb, which may be nested: `etl schema list`.
const CLI::App& verb_asked_for(const CLI::App& etl) {
    const CLI::App* verb = &etl;
    while (!verb->get_subcommands().empty()) {
        verb = verb->get_subcommands().front();
    }
    return *verb;
}

std::string path_of(const CLI::App& verb) {
    return verb.get_parent() == nullptr ? verb.get_name()
                                        : path_of(*verb.get_parent()) + " " + verb.get_name();
}

int refuse(const std::string& text) {
    cli::say(cli::printable(text));
    return static_cast<int>(cli::ExitCode::usage);
}

int refuse_verb(const std::string& word, const CLI::App& parent) {
    return refuse(fmt::format("unknown verb '{}'{}; `{} --help` lists the verbs", word,
                              similar_to(word, names_of_verbs(parent)), path_of(parent)));
}

std::string with_one_dash(std::string text) {
    for (std::size_t at = 0; (at = text.find("--", at)) != std::string::npos; ++at) {
        text.erase(at, 1);
    }
    return text;
}

int refuse_extras(const std::vector<std::string>& extras, const CLI::App& verb) {
    const auto unknown = std::ranges::find_if(
        extras, [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
    if (unknown == extras.end()) {
        return refuse(fmt::format("unexpected argument '{}'; `{} --help` shows the usage",
                                  extras.empty() ? "" : extras.front(), path_of(verb)));
    }
    const std::string name = unknown->substr(0, unknown->find('='));
    const std::string similar = similar_to(name, names_of_options(verb));
    // In a Windows tool options have one dash.
    const auto shown = [&](const std::string& text) {
        return cli::is_windows_tool(verb) ? with_one_dash(text) : text;
    };
    return refuse(fmt::format("unknown option {}{}; `{} --help` lists the options", shown(name),
                              shown(similar), path_of(verb)));
}

/// Rewords errors of the parser, such as `Could not convert: --pid = x`,
/// `--threads: Value x not in range 0 to 9`, and `FILE: At Most 1 required but received 2`.
std::string reworded(const CLI::ParseError& error) {
    const std::string_view what = error.what();
    constexpr std::string_view unread = "Could not convert: ";
    constexpr std::string_view equals = " = ";
    if (const auto at = what.find(equals); what.starts_with(unread) && at != what.npos) {
        return fmt::format("{}: '{}' is not a valid number",
                           what.substr(unread.size(), at - unread.size()),
                           what.substr(at + equals.size()));
    }
    constexpr std::string_view value = ": Value ";
    constexpr std::string_view outside = " not in range ";
    const auto begin = what.find(value);
    const auto end = what.find(outside);
    if (begin != what.npos && end != what.npos && begin + value.size() <= end) {
        return fmt::format("{}: '{}' is not a number from {}", what.substr(0, begin),
                           what.substr(begin + value.size(), end - begin - value.size()),
                           what.substr(end + outside.size()));
    }
    constexpr std::string_view received = " required but received ";
    for (const auto& [bound, shown] :
         {std::pair<std::string_view, std::string_view>{": At Most ", "at most"},
          {": At least ", "at least"}}) {
        const auto from = what.find(bound), to = what.find(received);
        if (from != what.npos && to != what.npos && from + bound.size() <= to) {
            return fmt::format("{}: expected {} {}, found {}", what.substr(0, from), shown,
                               what.substr(from + bound.size(), to - from - bound.size()),
                               what.substr(to + received.size()));
        }
    }
    return std::string(what);
}

/// Prints what is wrong with the command line and what to do.
int refuse(const CLI::App& etl, const CLI::ParseError& error, const std::string& first) {
    const CLI::App& verb = verb_asked_for(etl);
    const auto is = [&](CLI::ExitCodes code) {
        return error.get_exit_code() == static_cast<int>(code);
    };
    const std::vector<std::string> extras = etl.remaining(true);
    if (is(CLI::ExitCodes::ExtrasError)) {
        const bool is_verb = &verb == &etl && !first.empty() && !first.starts_with('-');
        return is_verb ? refuse_verb(first, etl) : refuse_extras(extras, verb);
    }
    if (is(CLI::ExitCodes::RequiredError) && !names_of_verbs(verb).empty()) {
        return extras.empty() || extras.front().starts_with('-')
                   ? refuse(fmt::format("`{0}` requires a verb; `{0} --help` lists the verbs",
                                        path_of(verb)))
                   : refuse_verb(extras.front(), verb);
    }
    std::string what = reworded(error); // for --where, several lines that show the position
    if (cli::is_windows_tool(verb) && what.starts_with("--")) {
        what.erase(0, 1);
    }
    cli::say(what);
    cli::say_plainly(fmt::format("Run `{} --help` for the options.", path_of(verb)));
    return static_cast<int>(cli::ExitCode::usage);
}

/// `etl help [VERB...]`
int print_help(const CLI::App& etl, const std::vector<std::string>& words) {
    const CLI::App* verb = &etl;
    for (const std::string& word : words) {
        const auto found =
            verb->get_subcommands([&](const CLI::App* one) { return one->check_name(word); });
        if (found.empty()) {
            return refuse_verb(word, *verb);
        }
        verb = found.front();
    }
    etl::io::StandardOutput output;
    const auto written = output.write(
        verb->get_formatter()->make_help(verb, path_of(*verb), CLI::AppFormatMode::Normal));
    return static_cast<int>(written ? cli::ExitCode::well : cli::ExitCode::failed);
}

void add_help(CLI::App& etl, cli::ExitCode& exit) {
    CLI::App& verb = *etl.add_subcommand("help", "Print the help of a verb, or this help");
    auto words = std::make_shared<std::vector<std::string>>();
    verb.add_option("VERB", *words, "verb, such as `relog` or `schema list`");
    verb.callback(
        [&etl, &exit, words] { exit = static_cast<cli::ExitCode>(print_help(etl, *words)); });
}

void add_verbs(CLI::App& etl, cli::ExitCode& exit) {
    cli::add_dump(etl, exit);
    cli::add_export(etl, exit);
    cli::add_packets(etl, exit);
    cli::add_report(etl, exit);
    cli::add_info(etl, exit);
    cli::add_check(etl, exit);
    cli::add_generate(etl, exit);
    cli::add_schema(etl, exit);
    cli::add_relog(etl, exit);
    cli::add_merge(etl, exit);
    cli::add_join(etl, exit);
    cli::add_split(etl, exit);
    cli::add_symbols(etl, exit);
    cli::add_repair(etl, exit);
    cli::add_compress(etl, exit);
    cli::add_decompress(etl, exit);
    cli::add_write(etl, exit);
    cli::add_tables(etl, exit);
    cli::add_flame(etl, exit);
    cli::add_live(etl, exit);
    cli::add_record(etl, exit);
    cli::add_session(etl, exit);
    cli::add_logman(etl, exit);
    cli::add_tracelog(etl, exit);
    cli::add_tracerpt(etl, exit);
    cli::add_tracefmt(etl, exit);
    cli::add_wevtutil(etl, exit);
    cli::add_xperf(etl, exit);
    add_help(etl, exit);
}

int run(int count, char** arguments) {
    CLI::App etl("Read, write, and process Windows event traces (.etl) on any machine", "etl");
    etl.group("Verbs");
    etl.formatter(std::make_shared<cli::HelpFormatter>(cli::help_width()));
    etl.set_version_flag("-v,--version", "etl " ETL_VERSION, "print the version");
    etl.set_help_flag("-h,--help", "print this help");
    etl.require_subcommand(0, 1);
    etl.footer(footer);
    cli::ExitCode exit = cli::ExitCode::well;
    add_verbs(etl, exit);
    const std::vector<std::string> words = cli::read_windows_words(
        etl, count > 0 ? arguments[0] : "", {arguments + std::min(count, 1), arguments + count});
    if (words.empty()) {
        return print_help(etl, {});
    }
    try {
        etl.parse(std::vector(words.rbegin(), words.rend())); // it takes them from the end
    } catch (const CLI::Success& asked) {                     // --help, --version
        return etl.exit(asked);
    } catch (const CLI::ParseError& error) {
        return refuse(etl, error, words.front());
    }
    return static_cast<int>(exit);
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
