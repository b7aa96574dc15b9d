// Where a text names somebody by a path: C:\Users\NAME, \\SERVER\share. Shared by those who learn
// names and those who replace them. Private to anonymize.
#pragma once

#include "anonymize/names/units.hpp"

namespace etl::anonymize {

struct Range {
    std::size_t begin = 0, end = 0;

    constexpr bool empty() const noexcept { return begin == end; }
};

/// `text[slash]` is a slash. The name of the profile when the folder of profiles follows; else
/// empty.
Range profile_after(Text text, std::size_t slash) noexcept;

/// `text[slash]` is a slash. The name of the server when it is the first of two that begin a path.
Range server_after(Text text, std::size_t slash) noexcept;

/// `text[slash]` is a slash. The file's name, without extension, when it lies in a folder of
/// Windows into which nobody but Windows puts files; else empty.
Range windows_file_after(Text text, std::size_t slash) noexcept;

/// `text[at]` is an @. The mail address around it, with a dot in its host; else empty.
Range mail_around(Text text, std::size_t at) noexcept;

/// What ends a path in a text, blanks aside: quotes, brackets, line ends, ...
bool ends_path(char16_t c) noexcept;

} // namespace etl::anonymize
