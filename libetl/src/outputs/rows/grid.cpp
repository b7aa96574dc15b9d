#include "rows/grid.hpp"

#include <algorithm>
#include <utility>

namespace etl::rows {

namespace {

class Layout {
public:
    explicit Layout(Grid grid) : grid_(std::move(grid)) {
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
                widths_[i] = std::max(widths_[i], width_of(line[i]));
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
        constexpr std::size_t min_width = 12;
        while (grid_.width != 0 && all > grid_.width) {
            std::size_t widest = widths_.size();
            for (std::size_t i = 0; i < widths_.size(); ++i) {
                if (grid_.is_left[i] && widths_[i] > min_width &&
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
            const std::string blanks(widths_[i] - width_of(cell), ' ');
            text += (i > 0 ? "  " : "") + (grid_.is_left[i] ? cell + blanks : blanks + cell);
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + '\n';
    }

    Grid grid_;
    std::vector<std::size_t> widths_; // by column
};

} // namespace

std::string text_of(Grid grid) {
    return Layout(std::move(grid)).text();
}

std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

std::string fitted(const std::string& text, std::size_t width) {
    const std::size_t all = width_of(text);
    if (all <= width) {
        return text;
    }
    // The end of a path says more than its beginning.
    constexpr std::string_view gap = "...";
    const std::size_t kept = width > gap.size() ? width - gap.size() : 0;
    const std::size_t front = kept / 3;
    std::string head, tail;
    std::size_t at = 0;
    for (const char c : text) {
        at += width_of(std::string_view(&c, 1));
        (at <= front                 ? head
         : at > all - (kept - front) ? tail
                                     : head)
            .append(at <= front || at > all - (kept - front) ? 1 : 0, c);
    }
    return head + std::string(gap.substr(0, width)) + tail;
}

} // namespace etl::rows
