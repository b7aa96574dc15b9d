// Files whose names differ in a number: parts of a trace, files of a session.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace etl::rewrite {

/// Returns the digits that the name of `file` has between `before` and `after`, empty if it is not
/// of that form. Directories are not compared: a listing may spell them in another way. A view of
/// `file`.
std::string_view number_between(std::string_view file, std::string_view before,
                                std::string_view after) noexcept;

/// Files whose names are those of this pattern, `x_%d.etl`, with a number.
std::vector<std::string> numbered_files(const std::string& pattern);

} // namespace etl::rewrite
