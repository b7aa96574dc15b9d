// What the session commands of Windows share: xperf, logman, and tracelog describe a session in
// words of their own. docs/machine-sessions.md#windows
#pragma once

#include "cli/verb.hpp"
#include "session/kernel_flags.hpp"
#include "verbs/session/sessions.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// Why kernel events are refused: continues a sentence after a semicolon or colon.
inline constexpr const char* no_kernel_events =
    "kernel events are recorded on Windows only; name a session, and providers of programs "
    "(`etl session providers` lists the registered ones)";

/// Why an option is refused: continues a sentence after a semicolon.
inline constexpr const char* configures_kernel_events =
    "it configures kernel events, which are recorded on Windows only";

/// The session that xperf and tracelog mean if none is named.
inline constexpr const char* kernel_logger = "NT Kernel Logger";

/// A session as the words of a command line describe it. Fields that they do not name have the
/// defaults of SessionOptions.
struct WindowsSession {
    etl::session::SessionOptions options; // without the file and real-time mode
    std::optional<bool> real_time;
    SessionFile file{.path = {}, .replace_option = "-y"};
    std::vector<ProviderSpec> providers;

    void set(std::uint32_t mode_bits) { options.mode |= mode_bits; }
};

/// A word, in any case, and the value that it stands for.
struct NamedValue {
    std::string_view name; // as the command writes it
    std::uint32_t value = 0;
};

/// The values of an option. Errors: UsageError that names the option.
class OptionValues {
public:
    OptionValues(std::string option, std::vector<std::string> texts)
        : option_(std::move(option)), texts_(std::move(texts)) {}

    const std::vector<std::string>& texts() const { return texts_; }

    /// The text at `at`; empty if there are fewer.
    const std::string& text(std::size_t at = 0) const;

    std::uint32_t number(std::size_t at = 0) const { return number_of(text(at)); }

    std::uint32_t
    number_of(std::string_view text,
              std::uint32_t maximum = std::numeric_limits<std::uint32_t>::max()) const;
    std::uint64_t mask() const;
    /// The value of the text, which must be one of two or more names.
    std::uint32_t one_of(std::span<const NamedValue> names) const;
    /// IDs after their number, `2 100 101`: at least one. `what`: for messages.
    std::vector<std::uint32_t> counted_ids(std::uint32_t maximum, std::string_view what) const;
    /// Seconds from `[[hh:]mm:]ss`.
    std::uint32_t seconds() const;
    /// The bits of names of log file modes, joined by `+` or `|`.
    std::uint32_t mode_bits(std::string_view names) const;

    [[noreturn]] void refuse(const std::string& why) const;

private:
    std::string option_; // with one dash
    std::vector<std::string> texts_;
};

/// An option of a session, and what its values change.
struct SessionWord {
    const char* name; // with two dashes
    int least = 0, most = 0;
    void (*apply)(WindowsSession&, const OptionValues&) = nullptr;
    const char* type = "";
    const char* help = "";
    const char* values = ""; // that completion offers, joined by commas
};

/// An option that has no meaning here.
struct RefusedWord {
    const char* name; // with two dashes
    const char* why;  // continues a sentence after a semicolon
};

/// Declares options that apply, in the order of the command line, to what `session` returns.
void add_session_words(Verb& verb, std::span<const SessionWord> words,
                       const std::function<WindowsSession&()>& session, const char* group);

/// Declares an option for an action: `run` is called with its values in the order of the command
/// line.
Option& add_action_word(Verb& verb, const SessionWord& word, const char* group,
                        const std::function<void(const OptionValues&)>& run);

/// Declares options whose use is an error that gives the reason.
void refuse_words(Verb& verb, std::span<const RefusedWord> words);

/// Returns whether this is a kernel flag or a group of them, as `xperf -on` accepts. Ignores case.
bool is_kernel_flag(std::string_view name);

/// Returns whether this is a name or GUID of the kernel's provider or sessions. Ignores case.
bool is_of_kernel(std::string_view name);

/// Starts a session and enables its providers; refuses those of the kernel. If the words name
/// neither a file nor a mode without one, `default_file` is written. Prints errors.
ExitCode start(WindowsSession session, const std::string& default_file);

/// Changes the file, limits, and mode of a session that runs, and enables providers. Prints errors.
ExitCode update(etl::machine::Controller& host, const WindowsSession& session);

/// Stops or flushes a session; an in-memory session is written to its file. Prints errors and
/// losses. `exit` receives the exit code.
enum class Ending : unsigned char { stop, flush };
std::optional<etl::session::SessionState>
finish(etl::machine::Controller& host, const WindowsSession& session, Ending how, ExitCode& exit);

} // namespace cli
