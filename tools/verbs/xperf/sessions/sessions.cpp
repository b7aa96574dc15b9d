#include "verbs/xperf/sessions/sessions.hpp"

#include <etl/session.hpp>

#include "base/text.hpp"
#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "outputs/output_guard.hpp"
#include "session/kernel_flags.hpp"

#include <algorithm>
#include <iterator>
#include <map>

namespace cli::xperf {

namespace {

using Kind = SessionSteps::Kind;
using Step = SessionSteps::Step;

constexpr const char* group = "Sessions";

void add_providers(WindowsSession& to, const OptionValues& values) {
    auto specs = parse_provider_specs(values.text());
    if (!specs) {
        values.refuse(specs.error());
    }
    for (const ProviderSpec& spec : *specs) {
        if (is_kernel_flag(spec.provider)) {
            values.refuse(printable(spec.provider) + ": " + no_kernel_events);
        }
    }
    std::ranges::move(*specs, std::back_inserter(to.providers));
}

void set_clock(WindowsSession& to, const OptionValues& values) {
    constexpr NamedValue clocks[] = {{"PerfCounter", 1}, {"SystemTime", 2}, {"Cycle", 3}};
    to.options.clock = values.one_of(clocks);
}

constexpr SessionWord words[] = {
    {"--on", 1, 1, add_providers, "SPEC",
     "enable providers: NAME|GUID[:KEYWORDS[:LEVEL[:'stack']]], joined by +"},
    {"--f", 1, 1, [](auto& to, auto& values) { to.file.path = values.text(); }, "FILE",
     "log file (default: user.etl); of -flush and -stop: write a session in memory to it"},
    {"--buffersize", 1, 1, [](auto& to, auto& values) { to.options.buffer_kb = values.number(); },
     "KB", "size of a buffer in KB"},
    {"--minbuffers", 1, 1,
     [](auto& to, auto& values) { to.options.minimum_buffers = values.number(); }, "N",
     "buffers at the start"},
    {"--maxbuffers", 1, 1,
     [](auto& to, auto& values) { to.options.maximum_buffers = values.number(); }, "N",
     "maximum number of buffers"},
    {"--maxfile", 1, 1,
     [](auto& to, auto& values) { to.options.maximum_file_size = values.number(); }, "MB",
     "limit the file to this size in MB"},
    {"--filemode", 1, 1, [](auto& to, auto& values) { to.set(values.mode_bits(values.text())); },
     "MODE", "Sequential, Circular, Append, NewFile (%d in FILE), or Preallocate, joined by +",
     "Sequential,Circular,Append,NewFile,Preallocate"},
    {"--buffering", 0, 0, [](auto& to, auto&) { to.set(etl::session::mode::buffering); }, "",
     "keep the newest events in memory; -flush -f and -stop -f write them"},
    {"--realtime", 0, 0, [](auto& to, auto&) { to.real_time = true; }, "",
     "real-time mode, for `etl live`; -f is optional"},
    {"--clocktype", 1, 1, set_clock, "CLOCK", "PerfCounter, SystemTime, or Cycle",
     "PerfCounter,SystemTime,Cycle"},
    {"--flushtimer", 1, 1, [](auto& to, auto& values) { to.options.flush_timer = values.number(); },
     "SECONDS", "write partly filled buffers after this time"},
};

constexpr const char* no_save = "`-flush NAME -f FILE` writes a session in memory, and "
                                "`-update NAME -f FILE` continues in another file";

constexpr RefusedWord refused[] = {
    {"--stopall", "name the sessions: `-stop NAME...`; -loggers lists them"},
    {"--cancel", "`-stop NAME...` stops sessions"},
    {"--save", no_save},
    {"--boottraceoff", configures_kernel_events},
    {"--m", "marks are kernel events, which are recorded on Windows only; write an event of a "
            "provider of your own"},
    {"--stackwalk",
     "it selects kernel events; `-on PROVIDER:0:0:'stack'` records stacks of others"},
    {"--pooltag", configures_kernel_events},
    {"--setprofint", configures_kernel_events},
    {"--pids", configures_kernel_events},
    {"--heap", configures_kernel_events},
    {"--critsec", configures_kernel_events},
    {"--seteresourcesample", configures_kernel_events},
    {"--setspinlocksample", configures_kernel_events},
};

/// The session that options describe: that of the last step, or the kernel's, as in Windows.
WindowsSession& described(SessionSteps& what) {
    std::vector<Step>& steps = what.steps;
    if (steps.empty()) {
        steps.push_back({.names = {kernel_logger}, .session = {}, .merged = {}});
    }
    const Kind kind = steps.back().kind;
    if (kind != Kind::start && kind != Kind::update && kind != Kind::flush && kind != Kind::stop) {
        throw UsageError("options of a session follow -start, -update, -flush, or -stop");
    }
    return steps.back().session;
}

} // namespace

void add_sessions(Verb& verb, SessionSteps& to) {
    const auto begin = [&to](Kind kind) {
        return [&to, kind](const OptionValues& values) {
            to.steps.push_back(
                {.kind = kind, .names = values.texts(), .session = {}, .merged = {}});
            if (kind != Kind::loggers && to.steps.back().names.empty()) {
                to.steps.back().names.emplace_back(kernel_logger);
            }
        };
    };
    const auto add = [&](const SessionWord& word, auto run) {
        add_action_word(verb, word, group, run);
    };
    add({"--start", 0, 1, nullptr, "NAME", "start a session; options follow; repeatable"},
        begin(Kind::start));
    add({"--stop", 0, 60, nullptr, "NAME...", "stop sessions"}, begin(Kind::stop));
    add({"--update", 0, 1, nullptr, "NAME", "change a session: -f, -MaxBuffers, -FlushTimer, -on"},
        begin(Kind::update));
    add({"--flush", 0, 1, nullptr, "NAME", "write all events recorded so far"}, begin(Kind::flush));
    add({"--loggers", 0, 60, nullptr, "NAME...", "list sessions and their state"},
        begin(Kind::loggers));
    add({"--capturestate", 2, 2, nullptr, "NAME SPEC", "ask providers to record their state"},
        [&to](const OptionValues& values) {
            to.steps.push_back({.kind = Kind::capture_state,
                                .names = {values.text()},
                                .session = {},
                                .merged = {}});
            add_providers(to.steps.back().session, {"-capturestate", {values.text(1)}});
        });
    add({"--providers", 0, 10, nullptr, "LIST...",
         "list providers: Installed (I), Registered (R), Kernel (K)"},
        [&to](const OptionValues& values) {
            static_cast<void>(lists_named(values)); // refuses other words
            to.steps.push_back(
                {.kind = Kind::providers, .names = values.texts(), .session = {}, .merged = {}});
        });
    add({"--d", 1, 1, nullptr, "FILE", "merge the files of the stopped sessions into FILE"},
        [&to](const OptionValues& values) {
            if (to.steps.empty() || to.steps.back().kind != Kind::stop) {
                values.refuse("follows -stop");
            }
            to.steps.back().merged = values.text();
        });
    add_session_words(verb, words, [&to]() -> WindowsSession& { return described(to); }, group);
    refuse_words(verb, refused);
}

// xperf -start, -stop, -update, -flush, -capturestate.

namespace {

/// Stops the sessions, and merges their files if -d was given.
ExitCode stop(const Step& step, Options options) {
    if (step.names.size() > 1 && !step.session.file.path.empty()) {
        say("-stop with -f stops one session: the events of a second one would replace the file");
        return ExitCode::usage;
    }
    if (!step.merged.empty() &&
        !OutputGuard("-y").permits(step.merged, existing_files(options.replaces))) {
        return ExitCode::failed;
    }
    auto host = connect_to_host();
    ExitCode exit = host ? ExitCode::well : ExitCode::failed;
    for (const std::string& name : host ? step.names : std::vector<std::string>()) {
        WindowsSession session = step.session;
        session.options.name = name;
        const auto state = finish(*host, session, Ending::stop, exit);
        if (state && !state->file.empty()) {
            options.merge.push_back(state->file);
        }
    }
    if (step.merged.empty() || exit == ExitCode::failed) {
        return exit;
    }
    options.merge.push_back(step.merged);
    return options.merge.size() > 1 ? worst(exit, merge(options)) : exit;
}

ExitCode capture_state(const std::string& name, const std::vector<ProviderSpec>& specs) {
    auto host = connect_to_host();
    const auto providers = host ? find_providers(*host, specs) : std::nullopt;
    return providers ? change_providers(*host, name, *providers, Change::capture_state)
                     : ExitCode::failed;
}

ExitCode control(const Step& step, const WindowsSession& session) {
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    if (step.kind == Kind::update) {
        return update(*host, session);
    }
    ExitCode exit = ExitCode::well;
    finish(*host, session, Ending::flush, exit);
    return exit;
}

ExitCode run_step(const Step& step, const Options& options) {
    WindowsSession session = step.session;
    session.options.name = step.names.empty() ? kernel_logger : step.names.front();
    session.file.force = options.replaces;
    switch (step.kind) {
    case Kind::start:
        return start(session, "user.etl");
    case Kind::stop:
        return stop(step, options);
    case Kind::update:
    case Kind::flush:
        return control(step, session);
    case Kind::capture_state:
        return capture_state(session.options.name, session.providers);
    case Kind::loggers:
        return list_loggers(step.names);
    case Kind::providers:
        return list_providers(lists_named({"-providers", step.names}));
    }
    return ExitCode::failed;
}

void stop_started(const std::vector<std::string>& names) {
    auto host = names.empty() ? std::nullopt : connect_to_host();
    for (const std::string& name : host ? names : std::vector<std::string>()) {
        static_cast<void>(host->stop(name));
        say(printable(name) + ": the session was stopped");
    }
}

} // namespace

ExitCode run_sessions(const SessionSteps& what, const Options& options) {
    ExitCode exit = ExitCode::well;
    std::vector<std::string> started;
    for (const Step& step : what.steps) {
        exit = worst(exit, run_step(step, options));
        if (exit == ExitCode::failed || exit == ExitCode::usage) {
            stop_started(started);
            return exit;
        }
        if (step.kind == Kind::start) {
            started.push_back(step.names.front());
        }
    }
    return exit;
}

// xperf -loggers, -providers.

namespace {

std::vector<etl::session::InstalledProvider> installed_providers() {
    std::vector<etl::session::InstalledProvider> list;
    for (const auto& names : read_described_providers()) {
        list.push_back({printable(names->name), names->guid});
    }
    return list;
}

/// Registered providers by name, if a program or a schema has given them one.
bool append_registered(std::string& text) {
    auto host = connect_to_host();
    if (!host) {
        return false;
    }
    const auto providers = host->providers();
    if (!providers) {
        say_failure("machine sessions", providers.error());
        return false;
    }
    etl::session::append_registered(text, *providers, names_of(*host));
    return true;
}

} // namespace

ExitCode list_loggers(const std::vector<std::string>& names) {
    auto host = connect_to_host();
    if (!host) {
        return ExitCode::failed;
    }
    std::vector<etl::session::SessionState> states;
    ExitCode exit = ExitCode::well;
    for (const std::string& name : names) {
        auto state = host->query(name);
        exit = state ? exit : say_failure(name, state.error());
        if (state) {
            states.push_back(*std::move(state));
        }
    }
    if (names.empty()) {
        auto all = host->sessions();
        if (!all) {
            return say_failure("machine sessions", all.error());
        }
        states = *std::move(all);
        if (states.empty()) {
            say("no sessions; `-start NAME -on PROVIDER -f FILE` starts one");
        }
    }
    std::string text;
    etl::session::append_sessions(text, states, names_of(*host));
    return worst(exit, print(text));
}

std::vector<List> lists_named(const OptionValues& values) {
    using enum List;
    static const std::map<std::string, std::vector<List>> known{
        {"installed", {installed}}, {"i", {installed}},       {"registered", {registered}},
        {"r", {registered}},        {"kernelflags", {flags}}, {"kf", {flags}},
        {"kernelgroups", {groups}}, {"kg", {groups}},         {"kernel", {flags, groups}},
        {"k", {flags, groups}}};
    std::vector<List> lists;
    for (const std::string& word : values.texts()) {
        const auto found = known.find(etl::to_lower_ascii(word));
        if (found == known.end()) {
            values.refuse("expected Installed (I), Registered (R), KernelFlags (KF), KernelGroups "
                          "(KG), or Kernel (K); found '" +
                          printable(word) + "'");
        }
        std::ranges::copy(found->second, std::back_inserter(lists));
    }
    return lists.empty() ? std::vector<List>{installed, registered, flags, groups} : lists;
}

ExitCode list_providers(const std::vector<List>& lists) {
    std::string text;
    for (const List list : lists) {
        text += text.empty() ? "" : "\n";
        switch (list) {
        case List::installed:
            etl::session::append_installed(text, installed_providers());
            break;
        case List::registered:
            if (!append_registered(text)) {
                return ExitCode::failed;
            }
            break;
        case List::flags:
            etl::session::append_kernel_flags(text);
            break;
        case List::groups:
            etl::session::append_kernel_groups(text);
            break;
        }
    }
    return print(text);
}

} // namespace cli::xperf
