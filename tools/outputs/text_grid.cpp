#include "outputs/text_grid.hpp"

#include "cli/table_cells.hpp"

#include <algorithm>
#include <utility>

namespace cli {

namespace {

class Layout {
public:
    explicit Layout(TextGrid grid) : grid_(std::move(grid)) {
        std::size_t all = measure();
        if (grid_.width != 0 && all > grid_.width) {
            split_heading();
            all = measure();
        }
        shorten(all);
    }

    std::string text() const {
        std::string text;
        for (const auto& line : grid_.lines) {
            text += line_text(line);
        }
        return text;
    }

private:
    /// Two lines make columns of numbers narrower, for the benefit of texts.
    void split_heading() {
        std::vector<std::string> upper;
        for (std::string& heading : grid_.lines.front()) {
            const std::size_t space = heading.rfind(' ');
            upper.push_back(space == heading.npos ? "" : heading.substr(0, space));
            heading.erase(0, space + 1); // npos + 1 is 0
        }
        grid_.lines.insert(grid_.lines.begin(), std::move(upper));
    }

    /// Returns the width of the table.
    std::size_t measure() {
        const std::size_t columns = grid_.is_left.size();
        widths_.assign(columns, 0);
        for (const auto& line : grid_.lines) {
            for (std::size_t i = 0; i < line.size(); ++i) {
                widths_[i] = std::max(widths_[i], columns_of(line[i]));
            }
        }
        std::size_t all = 2 * (columns - std::min<std::size_t>(columns, 1));
        for (const std::size_t width : widths_) {
            all += width;
        }
        return all;
    }

    /// Takes what is too much from the widest texts.
    void shorten(std::size_t all) {
        constexpr std::size_t least = 12;
        while (grid_.width != 0 && all > grid_.width) {
            std::size_t widest = widths_.size();
            for (std::size_t i = 0; i < widths_.size(); ++i) {
                if (grid_.is_left[i] && widths_[i] > least &&
                    (widest == widths_.size() || widths_[i] > widths_[widest])) {
                    widest = i;
                }
            }
            if (widest == widths_.size()) {
                return;
            }
            --widths_[widest];
            --all;
        }
    }

    std::string line_text(const std::vector<std::string>& line) const {
        std::string text;
        for (std::size_t i = 0; i < line.size(); ++i) {
            const std::string cell = fitted(line[i], widths_[i]);
            const std::string blanks(widths_[i] - columns_of(cell), ' ');
            text += (i > 0 ? "  " : "") + (grid_.is_left[i] ? cell + blanks : blanks + cell);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + '\n';
    }

    TextGrid grid_;
    std::vector<std::size_t> widths_; // by column
};

} // namespace

std::string grid_text(TextGrid grid) {
    return Layout(std::move(grid)).text();
}

} // namespace cli
