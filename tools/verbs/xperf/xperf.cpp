// etl xperf: the command line of Windows' xperf: processing and sessions. docs/xperf.md
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/help.hpp"
#include "cli/option_values.hpp"
#include "cli/verbs.hpp"
#include "cli/windows_words.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/xperf/options.hpp"
#include "verbs/xperf/parts.hpp"
#include "verbs/xperf/sessions/sessions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <memory>

namespace cli {

namespace xperf {

namespace {

constexpr const char* xperf_footer = R"(Examples:
  etl xperf -i trace.etl                              print all events (dumper)
  etl xperf -i trace.etl -o trace.csv -symbols -a dumper -range 1s 1500ms
  etl xperf -i trace.etl -tle -a process -tree -withcmdline -a profile -detail
  etl xperf -i trace.etl -a stack -event SampledProfile -symbol 'tea.*Boil'
  xperf -merge kernel.etl user.etl all.etl -compress
  xperf -start Day -on MyCompany.Coffee:0x1:4 -f day.etl   record programs, until
  xperf -stop Day
  xperf -loggers
Options are read in any case, with - or /. A time is a number of microseconds
from the start of the trace, or has a unit (1500ms, 1.5s), or is
2024/05/17:04:00:01.5[+UTC]. Lost events are an error unless -tle is given, a
clock that was set back unless -tti; the output is complete nevertheless.
Existing files are kept unless -y is given. Exit codes: 0 success, 1 damage or
losses, 2 failure, 64 usage error. See docs/xperf.md.)";

/// What the headers of the traces say against trusting them.
ExitCode check_reliability(const Options& options) {
    const OpenedFiles opened = open_files(options.traces);
    const Traces traces(opened, options.traces, Traces::Findings::silent);
    ExitCode exit = ExitCode::well;
    for (const auto& reader : traces.readers()) {
        const etl::flow::TraceInfo& trace = reader->info();
        const std::uint64_t events = trace.header.events_lost, buffers = trace.header.buffers_lost;
        if (events > 0) {
            // Scripts look for this line of Windows' xperf.
            say_plainly(
                fmt::format("{} Events were lost in this trace.  Data may be unreliable.", events));
        }
        if (!options.tolerates_lost_events && events + buffers > 0) {
            say(fmt::format("error: {}: {} and {} were lost while it was recorded; use -tle to "
                            "accept that",
                            printable(trace.name), plural(events, "event"),
                            plural(buffers, "buffer")));
            exit = ExitCode::damaged;
        }
        if (!options.tolerates_inversions && !trace.clock_rollbacks.empty()) {
            say(fmt::format("error: {}: the clock was set back while it was recorded; use -tti to "
                            "accept that",
                            printable(trace.name)));
            exit = ExitCode::damaged;
        }
    }
    return exit;
}

/// Runs the actions in their order, after one pass for the tables of all of them.
ExitCode run_actions(const Options& options, const std::vector<const Action*>& actions,
                     etl::Output& output) {
    std::vector<Report> reports;
    for (const Action* action : actions) {
        auto report = action->report ? action->report() : Report();
        if (!report) {
            return report.error();
        }
        reports.push_back(*std::move(report));
    }
    const auto tables = compute(options, reports);
    if (!tables) {
        return tables.error();
    }
    const Run run{.options = &options,
                  .output = &output,
                  .start = tables->empty() ? etl::Filetime{} : bounds_of(options).start};
    ExitCode exit = ExitCode::well;
    std::size_t next = 0; // of the tables
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const std::size_t count = reports[i].parts.size();
        exit =
            worst(exit, actions[i]->run(run, reports[i], std::span(*tables).subspan(next, count)));
        next += count;
        if (exit == ExitCode::failed || exit == ExitCode::usage) {
            return exit;
        }
    }
    return worst(exit, check_reliability(options));
}

/// The actions of the command line, in its order.
std::vector<const Action*> chosen(const Verb& verb, const std::vector<Action>& actions) {
    std::vector<const Action*> list;
    for (const Verb* app : verb.get_subcommands()) {
        const auto action = std::ranges::find(actions, app, &Action::app);
        if (action == actions.end()) {
            continue;
        }
        if (app->count() > 1) {
            throw UsageError("-a " + app->get_name(), "given twice");
        }
        list.push_back(&*action);
    }
    if (verb.count("--a") > list.size()) {
        throw UsageError("-a", "the name of an action is missing");
    }
    if (list.empty()) {
        list.push_back(&*std::ranges::find(
            actions, "dumper", [](const Action& action) { return action.app->get_name(); }));
    }
    return list;
}

ExitCode run_xperf(const Verb& verb, const Options& options, const SessionSteps& sessions,
                   const std::vector<Action>& actions) {
    if (!sessions.steps.empty()) {
        if (!options.traces.arguments.empty() || !options.merge.empty()) {
            throw UsageError("options of sessions exclude -i and -merge");
        }
        return run_sessions(sessions, options);
    }
    if (!options.merge.empty()) {
        return merge(options);
    }
    if (options.traces.arguments.empty()) {
        throw UsageError("-i", "required: the traces to process");
    }
    const auto list = chosen(verb, actions);
    OutputGuard guard("-y");
    guard.reads(options.traces);
    guard.reads(options.schemas);
    if (!guard.permits(options.output, existing_files(options.replaces))) {
        return ExitCode::failed;
    }
    Destination to(options.output);
    return to.open() ? to.finish(run_actions(options, list, to.output())) : ExitCode::failed;
}

void add_options(Verb& verb, Options& options) {
    verb.add_option("--i", options.traces.arguments,
                    "traces; several are merged by time. Also compressed, or in an archive")
        ->type_name("FILE...");
    verb.add_option("--o", options.output, "write to FILE (default: standard output)")
        ->type_name("FILE");
    verb.add_option_function<std::vector<std::string>>(
            "--symbols",
            [&options](const std::vector<std::string>& paths) {
                options.has_symbols = true;
                for (const std::string& path : paths) {
                    if (!path.empty() && path != "verbose") {
                        options.symbols.paths.push_back(path);
                    }
                }
            },
            "name functions with the symbol files in PATH and _NT_SYMBOL_PATH")
        ->expected(0, -1)
        ->type_name("PATH...");
    add_choice<bool>(verb, "--target", options.for_machine, {{"human", false}, {"machine", true}},
                     "human, or machine: one line for each stack (default: human)", "WHOM");
    verb.add_flag("--quiet", options.is_quiet, "hide the progress bar");
    verb.add_flag("--tle", options.tolerates_lost_events, "accept lost events");
    verb.add_flag("--tti", options.tolerates_inversions, "accept a clock that was set back");
    verb.add_flag("--y", options.replaces, "replace an existing file, never an input");
    verb.add_option("--schema", options.schemas.paths,
                    "schemas of events, as in etl dump (not in Windows' xperf)")
        ->type_name("PATH...");
    verb.add_option("--merge", options.merge, "merge traces of one boot: IN... OUT")
        ->expected(2, -1)
        ->type_name("FILE...");
    verb.add_flag("--compress", options.compresses, "compress the output of -merge");
}

/// -a, which stands before each action: what follows is a subcommand, or not an action.
void add_action_word(Verb& verb, const std::vector<Action>& actions) {
    std::vector<std::string> names;
    std::ranges::transform(actions, std::back_inserter(names),
                           [](const Action& action) { return action.app->get_name(); });
    verb.add_option_function<std::vector<std::string>>(
            "--a",
            [names](const std::vector<std::string>& words) {
                for (const std::string& word : words) {
                    if (!word.empty()) {
                        throw UsageError("-a",
                                         fmt::format("unknown action '{}'; the actions are {}; not "
                                                     "supported: {}",
                                                     printable(word), fmt::join(names, ", "),
                                                     fmt::join(refused_actions(), ", ")));
                    }
                }
            })
        ->expected(0, 1)
        ->take_all()
        ->group("");
}

/// The options of all actions, as --help shows them.
std::string help_of_actions(const Verb& verb, const std::vector<Action>& actions) {
    std::string text = "Options of actions:\n";
    for (const Action& action : actions) {
        text += fmt::format("  -a {}\n", action.app->get_name());
        for (const Option* option : action.app->get_options()) {
            if (option != action.app->help_option()) {
                text += cli::help_of(verb, *option);
            }
        }
    }
    return text + '\n';
}

} // namespace

void Range::add_to(Verb& action, int least) {
    action.add_option("--range", words, "begin and end")->expected(least, 2)->type_name("TIME");
    action.parse_complete_callback([this] { check(); });
}

void Range::check() const {
    for (const std::string& word : words) {
        if (!parse_moment(word)) {
            throw UsageError("-range", fmt::format("'{}' is not a time; expected {}",
                                                   printable(word), moment_forms));
        }
    }
}

std::optional<Moment> Range::from() const {
    return words.empty() ? std::nullopt : parse_moment(words.front());
}

std::optional<Moment> Range::to() const {
    return words.size() < 2 ? std::nullopt : parse_moment(words[1]);
}

ExitCode Run::write(std::string_view text) const {
    const auto written = output->write(text);
    if (!written) {
        say(options->output == "-" ? std::string("standard output") : printable(options->output),
            written.error());
    }
    return written ? ExitCode::well : ExitCode::failed;
}

} // namespace xperf

void add_xperf(Verb& etl, ExitCode& exit) {
    Verb& verb = add_windows_tool(
        etl, "xperf", "Process and record traces with the command line of Windows' xperf");
    const auto sessions = std::make_shared<xperf::SessionSteps>();
    const auto options = std::make_shared<xperf::Options>();
    const auto actions = std::make_shared<std::vector<xperf::Action>>();
    verb.subcommand_label("-a ACTION [OPTIONS]");
    verb.require_subcommand(0, 0); // any number of actions
    xperf::add_options(verb, *options);
    xperf::add_dumper(verb, *actions);
    xperf::add_lists(verb, *actions);
    xperf::add_cpudisk(verb, *options, *actions);
    xperf::add_dpcisr(verb, *actions);
    xperf::add_stack(verb, *actions);
    xperf::add_tables(verb, *options, *actions);
    xperf::add_io_tables(verb, *actions);
    xperf::add_trace_actions(verb, *actions);
    xperf::add_refused(verb);
    xperf::add_sessions(verb, *sessions);
    std::ranges::sort(*actions, {}, [](const auto& action) { return action.app->get_name(); });
    xperf::add_action_word(verb, *actions);
    for (const xperf::Action& action : *actions) {
        action.app->group("Actions");
        action.app->fallthrough(); // options of all actions may follow, and the next action
    }
    verb.footer(xperf::help_of_actions(verb, *actions) + xperf::xperf_footer);
    verb.callback([&verb, options, sessions, actions, &exit] {
        exit = xperf::run_xperf(verb, *options, *sessions, *actions);
    });
}

} // namespace cli

namespace cli::xperf {

// What only Windows can do, or what is not supported: refused with what to use instead.

namespace {

struct Refused {
    const char* name;
    const char* why; // continues a sentence after a semicolon
};

constexpr const char* no_boot = "boot phases are not computed; `etl timeline` and `etl cpu` show "
                                "what happened when";
constexpr const char* no_memory =
    "its events are not summed; `-a dumper` and `etl stats --by event` "
    "show them";

constexpr Refused all_refused[] = {
    {"boot", no_boot},
    {"bootprefetch", no_boot},
    {"diskidlehistogram", "`-a diskio` prints disk times"},
    {"drvdelay", "`-a dpcisr` and `-a diskio` print times by routine and disk"},
    {"heap", no_memory},
    {"memfootprint", no_memory},
    {"pnp", no_memory},
    {"pool", no_memory},
    {"prefetch", no_boot},
    {"registry", no_memory},
    {"screenshots", "traces with screenshots are read with `-a dumper`"},
    {"services", no_memory},
    {"shutdown", no_boot},
    {"spinlock", no_memory},
    {"suspend", no_boot},
    {"symcache", "symbol files are read in place; `etl symbols TRACE` lists them"},
    {"syscall", no_memory},
    {"winsat", no_memory},
    {"wmi", no_memory},
};

constexpr Refused merge_words[] = {
    {"injectonly", "image identities come from the machine that was traced"},
    {"suppresspii", "`etl relog --anonymize` replaces personal data"},
};

} // namespace

void add_refused(Verb& verb) {
    for (const Refused& action : all_refused) {
        Verb& app = *verb.add_subcommand(action.name, fmt::format("Not supported: {}", action.why));
        app.group("");
        app.prefix_command();
        app.callback([action] {
            throw UsageError(fmt::format("-a {}", action.name),
                             fmt::format("not supported; {}", action.why));
        });
    }
    for (const Refused& word : merge_words) {
        refuse_option(verb, std::string("--") + word.name, word.why);
    }
}

std::vector<std::string> refused_actions() {
    std::vector<std::string> names;
    std::ranges::transform(all_refused, std::back_inserter(names), &Refused::name);
    return names;
}

} // namespace cli::xperf
