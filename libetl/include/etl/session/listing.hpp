// Texts of what runs: sessions, providers, kernel flags, as the tools of Windows print them.
// docs/sessions.md#listing
#pragma once

#include <etl/session/kernel_flags.hpp>
#include <etl/session/runtime.hpp>
#include <etl/session/session_options.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace etl::session {

/// The name that belongs to a provider's GUID, or "".
using NameLookup = std::function<std::string(const Guid&)>;

enum class ListingStyle : std::uint8_t {
    xperf,     // `xperf -loggers`: Real Time Mode in a line of its own
    xperf_hex, // of other versions: `<0x...>` behind the words of the mode, no line for real time
    tracelog,  // `tracelog -q`
    logman,    // `logman query NAME -ets`
};

/// A block per session. `name_of` may be empty.
void append_sessions(std::string& to, std::span<const SessionState> sessions,
                     const NameLookup& name_of, ListingStyle form = ListingStyle::xperf);

/// `logman query -ets`: a line per session.
void append_session_table(std::string& to, std::span<const SessionState> sessions);

/// "Secure PersistOnHybridShutdown ...", in ascending order of bits, with `between` between them.
/// Bits without a word in hex.
void append_mode_words(std::string& to, std::uint32_t mode, std::string_view between = " ");

/// `xperf -providers R`: a line per registered provider: names in their order, then the GUIDs of
/// those without.
void append_registered(std::string& to, std::span<const ProviderState> providers,
                       const NameLookup& name_of);

/// Providers for which there is a schema: name and GUID.
struct InstalledProvider {
    std::string name;
    Guid guid;
};

/// `xperf -providers I`: GUID and name, in the order of names.
void append_installed(std::string& to, std::span<const InstalledProvider> providers);

/// `xperf -providers KF`, `KG`; K is one behind the other.
void append_kernel_flags(std::string& to);
void append_kernel_groups(std::string& to);

} // namespace etl::session
