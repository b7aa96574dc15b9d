#include "verbs/session/sessions.hpp"

#include <etl/session/session_options.hpp>

#include "cli/choice.hpp"
#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "cli/print.hpp"
#include "outputs/output_guard.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <utility>

namespace cli {

namespace {

namespace mode = etl::session::mode;
using etl::machine::Controller;

/// How long to wait for programs to apply a change. A stopped program does not answer.
constexpr std::chrono::seconds patience{2};

etl::session::Outcome<void> make(Controller& host, const std::string& session,
                                 const etl::Guid& provider, const ProviderSpec& spec,
                                 Change change) {
    etl::session::EnableOptions how = spec.enable;
    how.timeout = patience;
    switch (change) {
    case Change::enable:
        return host.enable(session, provider, how);
    case Change::disable:
        return host.disable(session, provider, how);
    case Change::capture_state:
        return host.capture_state(session, provider, how);
    }
    return {};
}

} // namespace

ExitCode say_failure(const std::string& subject, const etl::session::Failure& failure) {
    say(printable(fmt::format("{}: {}", subject, describe(failure))));
    return ExitCode::failed;
}

std::optional<Controller> connect_to_host() {
    auto host = Controller::connect();
    if (!host) {
        say_failure("machine sessions", host.error());
        return std::nullopt;
    }
    return std::move(*host);
}

std::optional<std::vector<ProviderSpec>> ProviderArguments::parse() const {
    std::vector<ProviderSpec> all;
    for (const std::string& text : texts) {
        auto specs = parse_provider_specs(text);
        if (!specs) {
            say(printable(specs.error()));
            return std::nullopt;
        }
        std::ranges::move(*specs, std::back_inserter(all));
    }
    for (ProviderSpec& spec : all) {
        if (!ids.empty()) {
            spec.enable.filters.push_back(etl::session::make_process_filter(ids));
        }
        if (!processes.empty()) {
            spec.enable.filters.push_back(
                etl::session::make_executable_filter(fmt::format("{}", fmt::join(processes, ";"))));
        }
    }
    return all;
}

ExitCode change_providers(Controller& host, const std::string& session,
                          const std::vector<NamedProvider>& providers, Change change) {
    ExitCode exit = ExitCode::well;
    for (const auto& [guid, spec] : providers) {
        const auto done = make(host, session, guid, spec, change);
        if (!done && done.error().status == etl::session::Status::timeout) {
            say(printable(fmt::format("warning: {}: a program has not confirmed the change yet; it "
                                      "takes effect when the program continues",
                                      spec.provider)));
        } else if (!done) {
            exit = say_failure(spec.provider, done.error());
        }
    }
    return exit;
}

void SessionFile::add_to(CLI::App& verb, const std::string& description) {
    verb.add_option("-o,--output", path, description)->type_name("FILE");
    verb.add_flag("--force", force, "replace an existing file");
}

std::optional<std::string> SessionFile::permitted() const {
    if (path.empty()) {
        return path;
    }
    constexpr std::string_view number = "%d"; // of a series
    std::string first = path;
    if (const auto at = first.find(number); at != std::string::npos) {
        first.replace(at, number.size(), "1");
    }
    const OutputGuard guard(replace_option);
    if (!guard.permits(first, existing_files(force || continues_existing))) {
        return std::nullopt;
    }
    return std::filesystem::absolute(path).string();
}

void SessionArguments::add_to(CLI::App& verb) {
    output.add_to(verb, "write to this file (.etl)");
    add_choice<std::string>(verb, "--mode", mode,
                            {{"sequential", "sequential"},
                             {"circular", "circular"},
                             {"memory", "memory"},
                             {"newfile", "newfile"}},
                            "sequential, circular (keep the newest; needs --max-size), newfile "
                            "(a series; %d in FILE, needs --max-size), or memory (keep the newest "
                            "in memory; `stop -o` writes them) (default: sequential)",
                            "MODE");
    verb.add_option("--buffer-size", buffer_kb, "size of a buffer in KB, 4 to 16384 (default: 64)")
        ->type_name("KB");
    verb.add_option("--min-buffers", minimum, "buffers at the start (default: 2 per processor)")
        ->type_name("N");
    verb.add_option("--max-buffers", maximum, "maximum number of buffers (default: minimum + 22)")
        ->type_name("N");
    verb.add_option("--max-size", size_mb, "limit the file to this size in MB (default: no limit)")
        ->type_name("MB");
    verb.add_option("--flush-timer", flush_seconds,
                    "write partly filled buffers after this many seconds (default: never)")
        ->type_name("SECONDS");
    verb.add_flag("--live", live, "real-time mode, for `etl live`; -o is optional");
    add_choice<std::string>(verb, "--clock", clock, {{"perf", "perf"}, {"system", "system"}},
                            "perf or system (default: perf)", "CLOCK");
}

std::optional<etl::session::SessionOptions>
SessionArguments::options(const std::string& name) const {
    const std::map<std::string, std::uint32_t> modes{{"sequential", mode::sequential},
                                                     {"circular", mode::circular},
                                                     {"memory", mode::buffering},
                                                     {"newfile", mode::new_file}};
    if (mode == "memory" && (!output.path.empty() || live)) {
        say("--mode memory excludes -o and --live; `etl session stop NAME -o FILE` writes it");
        return std::nullopt;
    }
    if (mode != "memory" && output.path.empty() && !live) {
        say("-o is required (or --live, or --mode memory)");
        return std::nullopt;
    }
    etl::session::SessionOptions options;
    options.name = name;
    options.clock = clock == "system" ? 2 : 1;
    options.buffer_kb = buffer_kb;
    options.minimum_buffers = minimum;
    options.maximum_buffers = maximum;
    options.maximum_file_size = size_mb;
    options.flush_timer = flush_seconds;
    options.mode = live && output.path.empty() ? std::uint32_t{0} : modes.at(mode);
    options.mode |= live ? mode::real_time : 0U;
    return options;
}

std::optional<StartedSession> start_session(const std::vector<ProviderSpec>& specs,
                                            etl::session::SessionOptions options,
                                            const SessionFile& file) {
    const auto path = file.permitted();
    auto host = path ? connect_to_host() : std::nullopt;
    auto providers = host ? find_providers(*host, specs) : std::nullopt;
    if (!providers) {
        return std::nullopt;
    }
    options.file = *path;
    if (const auto started = host->start(options); !started) {
        say_failure(options.name, started.error());
        return std::nullopt;
    }
    return StartedSession{std::move(*host), std::move(*providers)};
}

ExitCode start_recording(const std::vector<ProviderSpec>& specs,
                         const etl::session::SessionOptions& options, const SessionFile& file) {
    auto session = start_session(specs, options, file);
    if (!session) {
        return ExitCode::failed;
    }
    auto& [host, providers] = *session;
    const ExitCode enabled = change_providers(host, options.name, providers, Change::enable);
    if (enabled != ExitCode::well) {
        static_cast<void>(host.stop(options.name));
        say(printable(options.name) + ": the session was stopped");
    }
    return enabled;
}

ExitCode print_summary(const etl::session::SessionState& state) {
    const auto lost = state.events_lost;
    std::string text = fmt::format("{}: {}, {} lost", printable(state.options.name),
                                   plural(state.buffers_written, "buffer"), plural(lost, "event"));
    if (state.log_buffers_lost != 0) {
        text += fmt::format(", {} lost", plural(state.log_buffers_lost, "buffer"));
    }
    if (!state.file.empty()) {
        text += fmt::format(": {}", printable(state.file));
    }
    const ExitCode printed = print(text + '\n');
    return lost != 0 || state.log_buffers_lost != 0 ? worst(printed, ExitCode::damaged) : printed;
}

} // namespace cli
