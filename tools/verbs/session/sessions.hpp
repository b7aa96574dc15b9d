// What the commands for machine sessions share: the connection to the host, and starting,
// enabling, and files.
#pragma once

#include <etl/machine.hpp>
#include <etl/session.hpp>

#include "cli/exit_code.hpp"
#include "cli/provider_spec.hpp"
#include "cli/verb.hpp"
#include "verbs/session/providers.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// Prints `etl: SUBJECT: reason` and returns the exit code.
ExitCode say_failure(const std::string& subject, const etl::session::Failure& failure);

/// Connects to the host and starts it if none runs. Prints errors.
std::optional<etl::machine::Controller> connect_to_host();

/// The description of a provider specification.
inline constexpr const char* spec_help =
    "PROVIDER[:KEYWORDS[:LEVEL[:'stack']]], several joined by +; a name, glob, or GUID";

/// `--provider` or positional specifications.
struct ProviderArguments {
    std::vector<std::string> texts;
    std::vector<std::string> processes; // --pid, --executable
    std::vector<std::uint32_t> ids;

    /// Prints what is not valid.
    std::optional<std::vector<ProviderSpec>> parse() const;
};

enum class Change : unsigned char { enable, disable, capture_state };

/// Makes the change for every provider. Prints errors; of providers that are enabled, also which of
/// them other sessions do not record any more.
ExitCode change_providers(etl::machine::Controller& host, const std::string& session,
                          const std::vector<NamedProvider>& providers, Change change);

/// Which providers without a program are worth a warning; before a command starts, those of
/// Windows.
enum class Unregistered : unsigned char { all, of_windows };

/// Prints which providers no program has registered: nothing of them is recorded.
void warn_of_unregistered(etl::machine::Controller& host,
                          const std::vector<NamedProvider>& providers, Unregistered which);

/// Says of a session that has ended that it recorded nothing, and why.
class NothingRecorded {
public:
    /// Asks while the session runs what it records.
    NothingRecorded(etl::machine::Controller& host, const std::string& session);

    /// `file`: that an in-memory session was written to, or empty.
    void warn(const etl::session::SessionState& ended, const std::string& file = {}) const;

private:
    std::vector<std::string> unregistered_; // providers
};

/// The providers of a session that other sessions have taken over; empty: none.
std::string taken_over_text(const etl::session::SessionState& state);

/// A file that a session writes to.
struct SessionFile {
    std::string path; // or empty
    bool force = false;
    bool continues_existing = false; // appends to a file
    etl::session::AfterCrash after_crash = etl::session::AfterCrash::refuse;
    const char* replace_option = "--force";

    void add_to(Verb& verb, const std::string& description);
    /// Returns the absolute path; empty if there is none. Nothing: the file, the first of a series,
    /// exists and must not be replaced; prints that. Prints what has become of the files of a
    /// killed session.
    std::optional<std::string> permitted() const;
};

/// What to create a session from.
struct SessionArguments {
    SessionFile output;
    std::string mode = "sequential";
    std::uint32_t buffer_kb = 0, minimum = 0, maximum = 0, size_mb = 0, flush_seconds = 0;
    std::string clock = "perf";
    bool live = false;

    void add_to(Verb& verb);
    /// Prints what does not go together. Without the file.
    std::optional<etl::session::SessionOptions> options(const std::string& name) const;
};

/// A session that has started, with the providers that it does not record yet.
struct StartedSession {
    etl::machine::Controller host;
    std::vector<NamedProvider> providers;
};

/// Starts a session that writes to `file`. Prints errors; then there is no session.
std::optional<StartedSession> start_session(const std::vector<ProviderSpec>& specs,
                                            etl::session::SessionOptions options,
                                            const SessionFile& file);

/// Starts a session with its providers; stops it again if one cannot be enabled. Prints errors.
ExitCode start_recording(const std::vector<ProviderSpec>& specs,
                         const etl::session::SessionOptions& options, const SessionFile& file);

/// `Morning: 12 buffers, 0 events lost: /home/me/morning.etl`. Damaged if events were lost.
ExitCode print_summary(const etl::session::SessionState& state);

} // namespace cli
