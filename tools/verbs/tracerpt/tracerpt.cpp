#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/option_values.hpp"
#include "cli/progress.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"
#include "verbs/tracerpt/options.hpp"

#include <fmt/format.h>

#include <expected>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

// The settings file of -config. docs/tracerpt.md#settings

/// Returns the words of a settings file as they would be on a command line, with options as
/// `--name`. Each line contains options (`-of CSV`) or one setting (`of = CSV`); lines in brackets
/// and after `#` or `;` are ignored.
std::vector<std::string> words_of_settings(std::string_view text);

/// The same for a file. Errors: text for messages.
std::expected<std::vector<std::string>, std::string> read_settings(const std::string& path);

namespace {

constexpr std::size_t max_settings = 1U << 20U;

/// Splits at blanks outside of quotes.
void add_words(std::vector<std::string>& to, std::string_view line) {
    std::string word;
    bool is_quoted = false;
    bool has_word = false;
    for (const char c : line) {
        if (c == '"') {
            is_quoted = !is_quoted;
            has_word = true;
        } else if (!is_quoted && (c == ' ' || c == '\t')) {
            if (has_word) {
                to.push_back(std::move(word));
            }
            word.clear();
            has_word = false;
        } else {
            word.push_back(c);
            has_word = true;
        }
    }
    if (has_word) {
        to.push_back(std::move(word));
    }
}

/// `-OF` as `--of`.
std::string as_long_option(std::string_view word) {
    return "--" +
           etl::to_lower_ascii(word.substr(std::min(word.find_first_not_of("-/"), word.size())));
}

void add_line(std::vector<std::string>& to, std::string_view line) {
    if (line.starts_with('-') || line.starts_with('/')) {
        std::vector<std::string> words;
        add_words(words, line);
        for (std::string& word : words) {
            to.push_back(word.size() > 1 && word.starts_with('-') ? as_long_option(word)
                                                                  : std::move(word));
        }
        if (!words.empty() && line.starts_with('/')) {
            to[to.size() - words.size()] = as_long_option(words.front());
        }
        return;
    }
    const std::size_t equals = line.find('=');
    if (equals == line.npos) {
        add_words(to, line); // traces
        return;
    }
    to.push_back(as_long_option(etl::trimmed(line.substr(0, equals))));
    add_words(to, etl::trimmed(line.substr(equals + 1)));
}

} // namespace

std::vector<std::string> words_of_settings(std::string_view text) {
    std::vector<std::string> words;
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.remove_prefix(3);
    }
    while (!text.empty()) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), whole.size() + 1));
        const std::string_view line = etl::trimmed(whole);
        if (!line.empty() && !line.starts_with('#') && !line.starts_with(';') &&
            !line.starts_with('[')) {
            add_line(words, line);
        }
    }
    return words;
}

std::expected<std::vector<std::string>, std::string> read_settings(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(max_settings + 1, '\0');
    if (!file) {
        return std::unexpected(fmt::format("-config: {}: cannot open", printable(path)));
    }
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() > max_settings) {
        return std::unexpected(fmt::format("-config: {}: larger than 1 MB", printable(path)));
    }
    return words_of_settings(text);
}

// etl tracerpt: the command line of tracerpt. docs/tracerpt.md

namespace {

constexpr const char* tracerpt_footer = R"(Examples:
  etl tracerpt trace.etl
  etl tracerpt kernel.etl user.etl -o -report
  etl tracerpt trace.etl -o d.xml -of XML -lr -summary s.txt -report r.xml
  etl tracerpt trace.etl -o l.csv -of CSV -y
Without -o, -summary, -report, -export, and -int: -o and -summary. Options are written -name or /name, in
any case. Several traces are merged by time. Exit codes: 0 success, 1 damage, or some inputs could not be
opened, 2 failure, 64 usage error. See docs/tracerpt.md.)";

void add_optional_file(Verb& verb, const char* name, OptionalFile& to, const char* help) {
    verb.add_option_function<std::vector<std::string>>(
            name,
            [&to](const std::vector<std::string>& words) {
                to.emplace();
                // CLI11 passes one empty text for an option that stands alone.
                if (!words.empty() && !words.front().empty()) {
                    to->push_back(words.front());
                }
            },
            help)
        ->expected(0, 1)
        ->type_name("[FILE]");
}

void add_list(Verb& verb, const char* name, std::vector<std::string>& to, const char* help,
              const char* type, bool takes_several = false) {
    verb.add_option(name, to, help)->allow_extra_args(takes_several)->type_name(type);
}

void add_inputs(Verb& verb, TracerptOptions& options) {
    verb.add_option("FILE", options.files, "traces")->type_name("");
    add_list(verb, "--l", options.listed, "traces", "FILE...", true);
    add_list(verb, "--rt", options.live, "refused: `etl live NAME` prints a machine session",
             "SESSION...", true);
    verb.add_option("--config", options.settings, "read more options from FILE")->type_name("FILE");
    verb.add_option("--threads", options.threads,
                    "number of worker threads (default: logical processors)")
        ->check(in_range(0, 1024))
        ->type_name("N");
}

void add_outputs(Verb& verb, TracerptOptions& options) {
    add_optional_file(verb, "--o", options.dump, "write all events (default: dumpfile.xml)");
    add_choice<DumpKind>(verb, "--of", options.dump_kind,
                         {{"xml", DumpKind::xml}, {"csv", DumpKind::csv}, {"evtx", DumpKind::evtx}},
                         "format of -o: XML, CSV, or EVTX (default: XML)", "FORMAT");
    add_choice<TextEncoding>(verb, "--en", options.encoding,
                             {{"ansi", TextEncoding::ansi}, {"unicode", TextEncoding::unicode}},
                             "encoding of text: ANSI (Windows-1252) or Unicode (UTF-16) "
                             "(default: UTF-8)",
                             "ENCODING");
    add_optional_file(verb, "--summary", options.summary,
                      "write the number of events of each kind (default: summary.txt)");
    add_optional_file(verb, "--report", options.report,
                      "write tables about processes, processors, disks, ... (default: "
                      "workload.xml)");
    add_choice<ReportFormat>(verb, "--f", options.report_format,
                             {{"xml", ReportFormat::xml}, {"html", ReportFormat::html}},
                             "format of -report: XML or HTML (default: XML)", "FORMAT");
    Option* const level =
        verb.add_option("--rl", options.report_level, "level of -report, 1 to 5 (default: 1)")
            ->check(in_range(1, 5))
            ->type_name("LEVEL");
    suggest_values(level, {"1", "2", "3", "4", "5"});
    verb.add_option("--df", options.report_schema, "report schema: ignored")->type_name("FILE");
    add_optional_file(verb, "--export", options.schemas,
                      "write the schemas of the events as a manifest (default: schema.man)");
    verb.add_option("--int", options.structure,
                    "write the structure of the events: a line for each field")
        ->type_name("FILE");
    verb.add_flag("--y", options.yes, "replace existing files without asking");
}

void add_decoding(Verb& verb, TracerptOptions& options) {
    verb.add_flag("--rts", options.raw_times, "write raw timestamps; only with -o");
    verb.add_flag("--lr", options.lenient, "write the fields of payloads that end early");
    add_list(verb, "--import", options.manifests, "manifests of providers", "FILE...", true);
    add_list(verb, "--tmf", options.tmf_files, "TMF file of trace messages", "FILE");
    add_list(verb, "--tp", options.tmf_paths, "directories of TMF files", "PATH;PATH");
    add_list(verb, "--i", options.images, "executables of providers", "PATH;PATH");
    add_list(verb, "--pdb", options.pdb_paths, "PDB files, or directories of them", "PATH;PATH");
    add_list(verb, "--schema", options.schema_paths, "any schema file, as for etl dump; repeatable",
             "PATH");
    verb.add_flag("--gmt", options.utc_messages, "times of trace messages in UTC");
    verb.add_flag("--compat-offset", options.short_offset,
                  "write UTC offsets one minute short, as tracerpt does (+00:59)");
}

void add_options(Verb& verb, TracerptOptions& options) {
    add_inputs(verb, options);
    add_outputs(verb, options);
    add_decoding(verb, options);
    add_progress(verb, options.progress);
}

/// Adds the options of the settings file. Throws like a command line.
void take_settings(TracerptOptions& options) {
    auto words = read_settings(options.settings);
    if (!words) {
        throw UsageError(words.error());
    }
    Verb settings("", "");
    add_options(settings, options);
    if (const auto end = settings.parse(*words)) {
        throw UsageError(end->text);
    }
}

} // namespace

void add_tracerpt(Verb& etl, ExitCode& exit) {
    Verb& verb = add_windows_tool(
        etl, "tracerpt", "Write events, summaries, and reports (Windows' tracerpt command)");
    auto options = std::make_shared<TracerptOptions>();
    add_options(verb, *options);
    verb.footer(tracerpt_footer);
    verb.callback([options, &exit] {
        if (!options->settings.empty()) {
            take_settings(*options);
        }
        exit = run_tracerpt(*options);
    });
}

} // namespace cli
