// The components of paths that are to go. Private to anonymize. docs/anonymize.md#paths
#pragma once

#include "anonymize/names.hpp"
#include "anonymize/names/profile_paths.hpp"

#include <optional>

namespace etl::anonymize {

struct PathPart {
    enum Meaning : std::uint8_t { user, server, other };

    Range where;
    Meaning meaning = other;
};

using WindowsFiles = std::set<std::u16string, CaseInsensitiveLess>;

/// Steps through a text that is a path, or several with something between them.
class PathWalk {
public:
    /// The names outlive it.
    PathWalk(Text text, const WindowsFiles& windows_files) noexcept
        : text_(text), windows_files_(&windows_files) {}

    std::optional<PathPart> next() noexcept;

private:
    enum class Place : std::uint8_t {
        front,    // before the first folder
        server,   // behind the two slashes of \\server
        profiles, // below \Users
        windows,  // below \Windows
        inside,
    };

    Range component() noexcept;
    void pass_separators() noexcept;
    std::optional<PathPart> part_of(Range component) noexcept;
    bool is_prefix(Range component) noexcept;
    bool is_of_windows(Text name) const noexcept;
    PathPart named(Range component) const noexcept;
    Text view(Range range) const noexcept;

    Text text_;
    const WindowsFiles* windows_files_;
    std::size_t at_ = 0;
    Place place_ = Place::front;
};

} // namespace etl::anonymize
