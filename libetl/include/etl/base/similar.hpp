// Words that resemble each other, for "did you mean". Pure; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

/// The number of characters to insert, remove, or replace, and of neighbors to swap, to turn one
/// word into the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The words of a list that resemble `word`, best first, at most `most` of them; ASCII case is
/// ignored. Long words and long lists are looked at in part.
std::vector<std::string> similar_words(std::string_view word, std::span<const std::string> list,
                                       std::size_t most = 5);

} // namespace etl
