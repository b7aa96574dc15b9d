// Cells of text in columns. docs/analysis.md#output
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace cli {

struct TextGrid {
    std::vector<std::vector<std::string>> lines; // the first one has the headings
    std::vector<bool> is_left;                   // by column: aligned left, and may be shortened
    std::size_t width = 0;                       // of a line, in columns; 0: unlimited
};

/// Returns the lines. If they are too wide, headings take two lines, and then texts are shortened.
std::string grid_text(TextGrid grid);

} // namespace cli
