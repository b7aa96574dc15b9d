// Texts of what runs: sessions, providers, kernel flags, as `xperf -loggers` and `-providers` print
// them. docs/sessions.md#listing
#pragma once

#include <etl/session/runtime.hpp>
#include <etl/session/session_options.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace etl::session {

/// The name that belongs to a provider's GUID, or "".
using NameOf = std::function<std::string(const Guid&)>;

enum class LoggerForm : std::uint8_t {
    xperf,     // Real Time Mode in a line of its own
    xperf_hex, // `<0x...>` behind the words of the mode, no line for real time
    tracelog,  // as `tracelog -q`
    logman,    // as `logman query NAME -ets`
};

/// A block per session.
void append_sessions(std::string& to, std::span<const SessionState> sessions, const NameOf& name_of,
                     LoggerForm form = LoggerForm::xperf);

/// "Secure PersistOnHybridShutdown ...", in ascending order of bits. Bits without a word in hex.
void append_mode_words(std::string& to, std::uint32_t mode);

/// A line per provider, sorted: the name, or the GUID where there is none.
void append_registered(std::string& to, std::span<const ProviderState> providers,
                       const NameOf& name_of);

/// Providers for which there is a schema: name and GUID.
struct InstalledProvider {
    std::string name;
    Guid guid;
};

void append_installed(std::string& to, std::span<const InstalledProvider> providers);

/// Flags of the kernel and the groups of them that xperf knows.
void append_kernel_flags(std::string& to);
void append_kernel_groups(std::string& to);

} // namespace etl::session
