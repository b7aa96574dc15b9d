// Similar words, for "did you mean" messages. Pure; thread-safe.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

/// Returns the number of characters to insert, remove, or replace, and of neighbors to swap, to
/// convert one word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// Returns the words of a list that resemble `word`, best first, at most `max`, ignoring ASCII
/// case. Long words and long lists are examined in part.
std::vector<std::string> similar_words(std::string_view word, std::span<const std::string> list,
                                       std::size_t max = 5);

} // namespace etl
