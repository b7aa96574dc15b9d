#include "verbs/session/sessions.hpp"

#include <etl/session.hpp>

#include "cli/console.hpp"
#include "cli/destination.hpp"
#include "cli/option_values.hpp"
#include "decode/known_names.hpp"
#include "flow/event.hpp"
#include "format/kernel_group.hpp"
#include "format/known_guids.hpp"
#include "format/provider_identity.hpp"
#include "io/input_file.hpp"
#include "outputs/output_guard.hpp"
#include "session/crashed_files.hpp"
#include "trace/reader.hpp"
#include "verbs/repair/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
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

/// What other sessions do not record any more since `session` does.
void warn_of_take_overs(Controller& host, const std::string& session,
                        const std::vector<NamedProvider>& providers) {
    const auto own = host.query(session);
    const auto all = own ? host.sessions() : std::unexpected(own.error());
    for (const auto& other : all ? *all : std::vector<etl::session::SessionState>()) {
        for (const auto& provider : other.providers) {
            const auto named = std::ranges::find(providers, provider.guid, &NamedProvider::guid);
            if (named != providers.end() && std::ranges::find(provider.taken_over_by, own->id) !=
                                                provider.taken_over_by.end()) {
                say(printable(fmt::format(
                    "warning: {}: a classic provider, which one session records at a time: {} "
                    "records it again when {} stops or disables it",
                    named->spec.provider, other.options.name, own->options.name)));
            }
        }
    }
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
    if (change == Change::enable && exit == ExitCode::well) {
        warn_of_take_overs(host, session, providers);
    }
    return exit;
}

namespace {

/// GUIDs of registered providers; nothing: the host does not tell.
std::optional<std::set<etl::Guid>> registered_providers(Controller& host) {
    const auto providers = host.providers();
    if (!providers) {
        return std::nullopt;
    }
    std::set<etl::Guid> guids;
    for (const auto& provider : *providers) {
        if (provider.is_registered) {
            guids.insert(provider.guid);
        }
    }
    return guids;
}

bool is_of_windows(const etl::Guid& provider) {
    return etl::decode::known_provider_name(provider).starts_with("Microsoft-Windows-");
}

/// Whether a trace has an event that is not about the session itself. True if it cannot be read.
bool has_events(const std::string& path) {
    const auto file = etl::io::InputFile::map(path);
    auto reader = file ? etl::trace::Reader::open(*file) : std::unexpected(file.error());
    if (!reader) {
        return true;
    }
    const std::array of_sessions{etl::format::event_trace_guid,
                                 etl::format::kernel_event_tracing_guid,
                                 etl::format::guid_of_provider_name("LibEtl.Sessions")};
    for (auto run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        if (std::ranges::any_of(run, [&](const etl::flow::Event& event) {
                return std::ranges::find(of_sessions, etl::flow::read_header(event).provider) ==
                       of_sessions.end();
            })) {
            return true;
        }
    }
    return false;
}

/// Whether a session that has ended may have recorded an event. `path`: its file, or empty.
bool may_have_recorded(const etl::session::SessionState& ended, const std::string& path) {
    if (path.empty()) { // only consumers got buffers; none of them is about the session itself
        return (ended.options.mode & mode::real_time) == 0 || ended.buffers_written != 0;
    }
    constexpr std::uint32_t max_buffers = 1024; // a longer file is not empty
    const bool is_later_file = (ended.options.mode & mode::new_file) != 0 &&
                               ended.buffers_written > 2 * ended.options.processors + 2U;
    return is_later_file || ended.buffers_written > max_buffers || has_events(path);
}

} // namespace

void warn_of_unregistered(Controller& host, const std::vector<NamedProvider>& providers,
                          Unregistered which) {
    const auto registered = registered_providers(host);
    if (!registered) {
        return;
    }
    std::map<std::string, std::size_t> missing; // by the word that names them
    for (const auto& [guid, spec] : providers) {
        if (!registered->contains(guid) && (which == Unregistered::all || is_of_windows(guid))) {
            ++missing[spec.provider];
        }
    }
    for (const auto& [word, count] : missing) {
        say(printable(fmt::format(
            "warning: {}: no program has registered {}; nothing is recorded until one does "
            "(`etl session providers` lists those that are registered)",
            word, count == 1 ? "this provider" : fmt::format("these {} providers", count))));
    }
}

NothingRecorded::NothingRecorded(Controller& host, const std::string& session) {
    const auto state = host.query(session);
    const auto registered = state ? registered_providers(host) : std::nullopt;
    if (!registered) {
        return;
    }
    const auto name_of = names_of(host);
    constexpr std::size_t max_named = 3;
    std::size_t others = 0;
    for (const auto& provider : state->providers) {
        if (provider.is_group || registered->contains(provider.guid)) {
            continue;
        }
        if (unregistered_.size() == max_named) {
            ++others;
            continue;
        }
        const std::string name = name_of(provider.guid);
        unregistered_.push_back(name.empty() ? etl::to_string(provider.guid) : name);
    }
    if (others != 0) {
        unregistered_.push_back(fmt::format("{} others", others));
    }
}

void NothingRecorded::warn(const etl::session::SessionState& ended, const std::string& file) const {
    if (ended.events_lost != 0 || may_have_recorded(ended, file.empty() ? ended.file : file)) {
        return;
    }
    say(printable(
        fmt::format("warning: {}: no event was recorded; {}", ended.options.name,
                    unregistered_.empty()
                        ? "programs wrote none of the levels and keywords that the session records"
                        : fmt::format("no running program has registered {}",
                                      fmt::join(unregistered_, ", ")))));
}

namespace {

void say_repaired(const std::string& path, const etl::session::CrashedFiles& cleared) {
    say(printable(fmt::format("{}: of a session that was killed; recovered {} as {}; {}", path,
                              plural(cleared.report.records, "event"), cleared.repaired,
                              summary_text(cleared.report))));
}

/// Prints the new names. False: prints why not.
bool clear_crashed(const std::string& path, etl::session::AfterCrash how) {
    const auto cleared = etl::session::clear_crashed_files(path, how);
    if (!cleared) {
        say_failure(path, cleared.error());
        return false;
    }
    for (const etl::session::MovedFile& one : cleared->moved) {
        say(printable(
            fmt::format("{}: of a session that was killed; moved to {}", one.from, one.to)));
    }
    if (!cleared->repaired.empty()) {
        say_repaired(path, *cleared);
    } else if (!cleared->moved.empty()) {
        if (cleared->failure) {
            say(cleared->moved.front().to, *cleared->failure);
        }
        say(printable(
            fmt::format("`etl repair {} -o FILE` recovers its events", cleared->moved.front().to)));
    }
    return true;
}

} // namespace

std::string taken_over_text(const etl::session::SessionState& state) {
    const auto count = std::ranges::count_if(
        state.providers, [](const auto& one) { return !one.taken_over_by.empty(); });
    return count == 0 ? std::string() : fmt::format(" ({} taken over)", count);
}

void SessionFile::add_to(Verb& verb, const std::string& description) {
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
    if (!clear_crashed(path, after_crash)) {
        return std::nullopt;
    }
    const OutputGuard guard(replace_option);
    if (!guard.permits(first, existing_files(force || continues_existing))) {
        return std::nullopt;
    }
    return std::filesystem::absolute(path).string();
}

void SessionArguments::add_to(Verb& verb) {
    output.add_to(verb, "write to this file (.etl)");
    using etl::session::AfterCrash;
    add_choice<AfterCrash>(
        verb, "--after-crash", output.after_crash,
        {{"refuse", AfterCrash::refuse},
         {"move", AfterCrash::move_aside},
         {"repair", AfterCrash::repair}},
        "if files of a killed session are in the way: refuse, move (to FILE.crashed-N), or repair "
        "(as FILE.repaired-N) (default: refuse)",
        "HOW");
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
    } else {
        warn_of_unregistered(host, providers, Unregistered::all);
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
