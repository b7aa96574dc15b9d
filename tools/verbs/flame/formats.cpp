#include "verbs/flame/formats.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "pages/page.hpp"
#include "rows/values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::analysis::FrameKind;
using etl::analysis::StackFrame;
using etl::analysis::StackNode;
using etl::analysis::StackTree;

/// A frame of a line: no separator, and a mark for its kind.
std::string folded_frame(const StackFrame& frame) {
    std::string text = frame_text(frame);
    std::ranges::replace(text, ';', ':');
    return text + (frame.kind == FrameKind::kernel    ? "_[k]"
                   : frame.kind == FrameKind::managed ? "_[j]"
                                                      : "");
}

/// At most so many letters, at least one.
std::string beginning(const std::string& text, std::size_t letters) {
    return text.size() <= letters
               ? text
               : utf8_text(text.substr(0, std::max<std::size_t>(letters, 3) - 2)) + "..";
}

/// A name without its arguments, and without as many of its namespaces as do not fit.
std::string shortened(std::string name, std::size_t letters) {
    if (name.size() > letters && name.contains('(')) {
        name.replace(name.find('('), name.npos, "()");
    }
    while (name.size() > letters) {
        const std::size_t dot = name.find_first_of(".:", 1);
        if (dot == name.npos) {
            break;
        }
        name.erase(0, dot + (name.compare(dot, 2, "::") == 0 ? 2 : 1));
    }
    return name;
}

} // namespace

std::string frame_text(const StackFrame& frame) {
    const bool has_module =
        !frame.module.empty() && !frame.function.starts_with(frame.module + "!");
    return printable(utf8_text(has_module ? frame.module + "!" + frame.function : frame.function));
}

std::string short_text(const StackFrame& frame, std::size_t letters) {
    std::string text = frame_text(frame);
    if (text.size() <= letters) {
        return text;
    }
    const std::size_t end = text.find('!');
    const bool has_name = end == text.npos || text.compare(end, 3, "!0x") != 0;
    if (frame.kind == FrameKind::process || frame.kind == FrameKind::mark) {
        return beginning(text, letters);
    }
    return beginning(has_name ? shortened(text.substr(end == text.npos ? 0 : end + 1), letters)
                              : text.substr(0, end),
                     letters);
}

std::string folded_text(const StackTree& tree, bool is_differential) {
    std::vector<std::string> names(tree.frames.size());
    std::ranges::transform(tree.frames, names.begin(), folded_frame);
    std::vector<std::string> lines;
    std::vector<std::uint32_t> path;
    for (const StackNode& node : tree.nodes) {
        if (node.weight == 0 && node.before == 0) {
            continue;
        }
        path.assign(1, node.frame);
        for (std::uint32_t at = node.parent; at != StackNode::none; at = tree.nodes[at].parent) {
            path.push_back(tree.nodes[at].frame);
        }
        std::string line;
        for (auto frame = path.rbegin(); frame != path.rend(); ++frame) {
            line += (line.empty() ? "" : ";") + names[*frame];
        }
        lines.push_back(is_differential ? fmt::format("{} {} {}\n", line, node.before, node.weight)
                                        : fmt::format("{} {}\n", line, node.weight));
    }
    std::ranges::sort(lines);
    std::string text;
    for (const std::string& line : lines) {
        text += line;
    }
    return text;
}

std::string flame_page(const StackTree& tree, const FlameTexts& texts) {
    std::vector<std::string_view> files(flame_graph_files().begin(), flame_graph_files().end());
    files.insert(files.end(), {"flame_page.css", "flame_page.mjs"});
    return html_of({.title = texts.title, .files = files, .data = flame_data(tree, texts)});
}

// Flame graphs as pictures.

namespace {

constexpr double picture_width = 1200, picture_margin = 10, row_height = 17, letter_width = 7.0,
                 least_width = 0.3;
constexpr std::size_t top_rows = 3; // of the title and the summary

/// A hue by module: kernel modules are blue, others red to green.
std::string color_of(const StackFrame& frame) {
    if (frame.kind == FrameKind::process || frame.kind == FrameKind::mark) {
        return frame.kind == FrameKind::mark ? "#d7d8da" : "#ccd2dc";
    }
    unsigned hash = 2166136261U;
    for (const char one : frame.module) {
        hash = (hash ^ static_cast<unsigned char>(one | 0x20)) * 16777619U;
    }
    hash ^= hash >> 15U;
    return fmt::format("hsl({},70%,{}%)",
                       frame.kind == FrameKind::kernel ? 195 + hash % 75 : hash % 150,
                       72 + (hash >> 10U) % 5);
}

/// From blue (less than before) to red (more).
std::string color_of_change(std::uint64_t now, std::uint64_t before) {
    const auto larger = static_cast<double>(std::max(now, before));
    const double change =
        larger > 0 ? (static_cast<double>(now) - static_cast<double>(before)) / larger : 0;
    return fmt::format("hsl({},{:.0f}%,{:.0f}%)", change > 0 ? 8 : 214, 10 + 80 * std::abs(change),
                       90 - 20 * std::abs(change));
}

/// A tree with the totals and the place of each node.
class Drawing {
public:
    Drawing(const StackTree& tree, const FlameTexts& texts)
        : tree_(&tree), texts_(&texts), depths_(depths_of(tree)), totals_(tree.nodes.size()),
          before_(tree.nodes.size()), x_(tree.nodes.size()), next_x_(tree.nodes.size()) {
        for (std::size_t i = totals_.size(); i-- > 0;) {
            const StackNode& node = tree.nodes[i];
            totals_[i] += node.weight;
            before_[i] += node.before;
            if (node.parent != StackNode::none) {
                totals_[node.parent] += totals_[i];
                before_[node.parent] += before_[i];
            }
        }
        all_ = tree.weight();
    }

    std::string svg() {
        std::string bars;
        std::size_t rows = 0;
        double next = 0;
        for (std::size_t i = 0; i < tree_->nodes.size(); ++i) {
            const std::uint32_t parent = tree_->nodes[i].parent;
            double& at = parent == StackNode::none ? next : next_x_[parent];
            x_[i] = next_x_[i] = at;
            at += share(i);
            if (share(i) * pixels() >= least_width) {
                rows = std::max<std::size_t>(rows, depths_[i] + std::size_t{1});
            } else {
                ++hidden_;
            }
        }
        for (std::size_t i = 0; i < tree_->nodes.size(); ++i) {
            append_bar(bars, i, rows);
        }
        return head(rows) + bars + "</svg>\n";
    }

private:
    static double pixels() { return picture_width - 2 * picture_margin; }

    double share(std::size_t i) const {
        return all_ == 0 ? 0 : static_cast<double>(totals_[i]) / static_cast<double>(all_);
    }

    std::string head(std::size_t rows) const {
        const double height =
            row_height * static_cast<double>(rows + top_rows) + 2 * picture_margin;
        std::string svg = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
            "height=\"{1}\" role=\"img\" aria-label=\"{2}\" font-family=\"monospace\" "
            "font-size=\"11\" fill=\"#16181d\">\n<rect width=\"100%\" height=\"100%\" "
            "fill=\"#ffffff\"/>\n<text x=\"{3}\" y=\"{4}\" font-size=\"15\">{2}</text>\n"
            "<text x=\"{3}\" y=\"{5}\">{6}</text>\n",
            picture_width, height, markup_of(texts_->title), picture_margin,
            picture_margin + row_height, picture_margin + 2 * row_height, markup_of(summary()));
        return svg;
    }

    std::string summary() const {
        std::string text = texts_->summary;
        if (hidden_ > 0) {
            text += fmt::format("; {} narrower than {} pixels are not drawn", hidden_, least_width);
        }
        return text;
    }

    void append_bar(std::string& to, std::size_t i, std::size_t rows) const {
        const double wide = share(i) * pixels();
        if (wide < least_width) {
            return;
        }
        const StackFrame& frame = tree_->frames[tree_->nodes[i].frame];
        const double x = picture_margin + x_[i] * pixels();
        const double y =
            picture_margin + row_height * static_cast<double>(rows + top_rows - 1 - depths_[i]);
        const std::string text = frame_text(frame);
        to += fmt::format("<g><title>{}</title><rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"{:.1f}\" "
                          "height=\"{}\" fill=\"{}\"/>",
                          markup_of(title_of(i, text)), x, y, wide, row_height - 1,
                          texts_->is_differential && frame.kind != FrameKind::mark
                              ? color_of_change(totals_[i], before_[i])
                              : color_of(frame));
        const auto letters = static_cast<std::size_t>((wide - 4) / letter_width);
        if (wide > 3 * letter_width) {
            to += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\">{}</text>", x + 2,
                              y + row_height - 5, markup_of(short_text(frame, letters)));
        }
        to += "</g>\n";
    }

    std::string title_of(std::size_t i, const std::string& text) const {
        std::string title = fmt::format(
            "{}: {}, {:.2f}%", text, etl::rows::shown_of(etl::rows::Value(totals_[i]), tree_->unit),
            100 * share(i));
        if (texts_->is_differential) {
            title += fmt::format("; before: {}",
                                 etl::rows::shown_of(etl::rows::Value(before_[i]), tree_->unit));
        }
        if (tree_->nodes[i].merged != 0) {
            title += fmt::format("; {} merged", tree_->nodes[i].merged);
        }
        return title;
    }

    const StackTree* tree_;
    const FlameTexts* texts_;
    std::vector<std::uint32_t> depths_;
    std::vector<std::uint64_t> totals_, before_;
    std::vector<double> x_, next_x_; // of the bar and of its next child, from 0 to 1
    std::uint64_t all_ = 0;
    std::size_t hidden_ = 0;
};

} // namespace

std::string flame_svg(const StackTree& tree, const FlameTexts& texts) {
    return Drawing(tree, texts).svg();
}

} // namespace cli
