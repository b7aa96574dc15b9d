// xperf -start, -stop, -update, -flush, -capturestate.
#include "cli/console.hpp"
#include "outputs/output_guard.hpp"
#include "verbs/xperf/sessions/sessions.hpp"

namespace cli::xperf {

namespace {

using Kind = SessionSteps::Kind;
using Step = SessionSteps::Step;

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

} // namespace cli::xperf
