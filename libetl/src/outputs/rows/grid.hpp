// Cells of text in aligned columns. docs/analysis.md#output
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace etl::rows {

struct Grid {
    std::vector<std::vector<std::string>> lines; // the first one has the headings
    std::vector<bool> is_left;                   // by column: aligned left, and may be shortened
    std::size_t width = 0;                       // of a line, in columns; 0: unlimited
};

/// Returns the lines. If they are too wide, headings take two lines, and then texts are shortened.
std::string text_of(Grid grid);

/// Returns the number of code points of UTF-8 text.
std::size_t width_of(std::string_view text) noexcept;

/// Returns a text of at most `width` code points: its middle is replaced if it is longer.
std::string fitted(const std::string& text, std::size_t width);

} // namespace etl::rows
