// What new files take from those that they are made of (inherit_rights): inherited_posix.cpp,
// inherited_windows.cpp. Private to io.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace etl::io {

struct Inherited {
    unsigned permissions = 0;                // of a file of `group`
    unsigned permissions_of_other_group = 0; // of one of another group
    std::optional<std::uint32_t> user, group;
    std::optional<std::filesystem::file_time_type> time; // of the last change
};

/// Nothing: new files are as usual.
std::optional<Inherited> inherited();

/// Gives a file, which nobody else can open yet, its owner, group, and permissions.
void inherit(int descriptor, const Inherited& from) noexcept;

/// Gives a file that nobody writes to any more its time.
void inherit_time(const std::filesystem::path& file);

} // namespace etl::io
