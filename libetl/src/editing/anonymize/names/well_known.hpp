// Words that say nothing about anybody, and so stay. Private to anonymize.
// docs/anonymize.md#what-stays
#pragma once

#include "anonymize/names/units.hpp"

namespace etl::anonymize {

// Case does not matter to any of them.

/// SYSTEM, NETWORK SERVICE, Administrator, ...: also words that stand where a name would.
bool is_well_known_account(Text name) noexcept;

/// localhost, WORKGROUP, ...
bool is_well_known_host(Text name) noexcept;

/// A profile of nobody: Public, Default, All Users.
bool is_shared_profile(Text name) noexcept;

/// What stands where there is no value: (null), N/A, [multiple files], about:blank, -.
bool is_placeholder(Text value) noexcept;

/// A placeholder, a truth value, or a secret that is already hidden: ***.
bool says_nothing(Text value) noexcept;

/// A name that is a common word, too, as of folders, files, programs: temp, test, error, ...
bool is_common_word(Text name) noexcept;

/// A folder that Windows itself makes: Program Files, AppData, ...
bool is_well_known_folder(Text name) noexcept;

/// A key or value of the registry that every Windows has: SOFTWARE, CurrentVersion, ...
bool is_well_known_key(Text name) noexcept;

/// What stands before the first folder of a path: Device, HarddiskVolume3, ??, GLOBALROOT, ...
bool is_device_prefix(Text name) noexcept;

/// A program or library of Windows that stands without its folder in many events.
bool is_well_known_file(Text name) noexcept;

/// `.exe`, `.dll`, ...: an extension, its dot included.
bool is_extension(Text name) noexcept;

/// Where the extension of a file name begins, its dot included; the end when it has none that is
/// known.
std::size_t extension_of(Text name) noexcept;

} // namespace etl::anonymize
