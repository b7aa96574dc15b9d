// Listings of sessions, providers, and kernel flags, in the formats of Windows tools.
// docs/sessions.md#listing
#pragma once

#include "session/kernel_flags.hpp"
#include "session/runtime.hpp"
#include "session/session_options.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace etl::session {

/// Returns the name of a provider, or "".
using NameLookup = std::function<std::string(const Guid&)>;

/// Returns the names of the bits of a keyword mask, joined by commas, or "".
using KeywordLookup = std::function<std::string(const Guid&, std::uint64_t)>;

enum class ListingStyle : std::uint8_t {
    xperf,     // `xperf -loggers`: Real Time Mode on a separate line
    xperf_hex, // other versions: `<0x...>` after the mode names, no line for real time
    tracelog,  // `tracelog -q`
    logman,    // `logman query NAME -ets`
};

/// Appends one block per session. `name_of` may be empty; so may `keywords_of`, which only
/// ListingStyle::logman uses.
void append_sessions(std::string& to, std::span<const SessionState> sessions,
                     const NameLookup& name_of, ListingStyle form = ListingStyle::xperf,
                     const KeywordLookup& keywords_of = {});

/// Appends one line per session, like `logman query -ets`.
void append_session_table(std::string& to, std::span<const SessionState> sessions);

/// Appends the names of mode bits, in ascending bit order, separated by `between`: "Secure
/// PersistOnHybridShutdown ...". Bits without a name are in hex.
void append_mode_words(std::string& to, std::uint32_t mode, std::string_view between = " ");

/// Returns a GUID as logman prints it: uppercase, in braces.
std::string logman_guid(const Guid& guid);

/// Returns the mode bit of such a name, in any case; 0: none.
std::uint32_t parse_mode_word(std::string_view word) noexcept;

/// Appends one line per registered provider, like `xperf -providers R`: sorted names, then the
/// GUIDs of providers without a name.
void append_registered(std::string& to, std::span<const ProviderState> providers,
                       const NameLookup& name_of);

/// A provider with a schema.
struct InstalledProvider {
    std::string name;
    Guid guid;
};

/// Appends GUIDs and names, sorted by name, like `xperf -providers I`.
void append_installed(std::string& to, std::span<const InstalledProvider> providers);

/// Append the output of `xperf -providers KF` and `KG`; K is both in sequence.
void append_kernel_flags(std::string& to);
void append_kernel_groups(std::string& to);

} // namespace etl::session
