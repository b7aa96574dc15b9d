
#include "base/text.hpp"
#include "session/kernel_flags.hpp"
#include "verbs/xperf/sessions/sessions.hpp"

#include <algorithm>

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

} // namespace cli::xperf
