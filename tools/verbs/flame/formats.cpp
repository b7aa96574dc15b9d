#include "verbs/flame/formats.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "pages/page.hpp"
#include "rows/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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

namespace {

/// What a node has with all that it called.
struct Inclusive {
    std::uint64_t weight = 0, before = 0;

    std::uint64_t larger() const noexcept { return std::max(weight, before); }
};

/// The lines of a tree: nodes above a weight. Of a chain of calls in which next to nothing
/// happens, a line has the first and the last.
class TreeLines {
public:
    explicit TreeLines(const StackTree& tree) : tree_(&tree), all_(tree.nodes.size()) {
        for (std::size_t i = all_.size(); i-- > 0;) { // callers come first
            const StackNode& node = tree.nodes[i];
            all_[i].weight += node.weight;
            all_[i].before += node.before;
            if (node.parent != StackNode::none) {
                all_[node.parent].weight += all_[i].weight;
                all_[node.parent].before += all_[i].before;
            }
        }
    }

    struct Line {
        std::size_t first = 0, last = 0, length = 1; // nodes of a chain
        std::size_t depth = 0;
    };

    /// The nodes with at least this weight.
    std::vector<Line> above(std::uint64_t least) const {
        std::vector<std::size_t> callees(all_.size(), 0);
        for (std::size_t i = 0; i < all_.size(); ++i) {
            const std::uint32_t parent = tree_->nodes[i].parent;
            if (parent != StackNode::none && all_[i].larger() >= least) {
                ++callees[parent];
            }
        }
        std::vector<Line> lines;
        std::vector<std::size_t> line_of(all_.size(), 0);
        for (std::size_t i = 0; i < all_.size(); ++i) {
            if (all_[i].larger() < least) {
                continue;
            }
            const std::uint32_t parent = tree_->nodes[i].parent;
            const bool has_parent = parent != StackNode::none;
            if (has_parent && continues(parent, i, callees[parent])) {
                line_of[i] = line_of[parent];
                lines[line_of[i]].last = i;
                ++lines[line_of[i]].length;
            } else {
                line_of[i] = lines.size();
                lines.push_back({i, i, 1, has_parent ? lines[line_of[parent]].depth + 1 : 0});
            }
        }
        return lines;
    }

    /// The least weight above which there are at most so many lines.
    std::uint64_t least_for(std::size_t lines) const {
        std::vector<std::uint64_t> weights;
        std::ranges::transform(all_, std::back_inserter(weights), &Inclusive::larger);
        std::ranges::sort(weights);
        const auto found = std::ranges::partition_point(weights, [&](std::uint64_t weight) {
            return above(std::max<std::uint64_t>(1, weight)).size() > lines;
        });
        return found == weights.end() ? weights.back() : std::max<std::uint64_t>(1, *found);
    }

    bool has_below(std::uint64_t least) const {
        return std::ranges::any_of(all_,
                                   [&](const Inclusive& one) { return one.larger() < least; });
    }

    const Inclusive& operator[](std::size_t node) const noexcept { return all_[node]; }

private:
    /// Whether a caller is on the line of its only callee. Names of processes stand alone.
    bool continues(std::uint32_t caller, std::size_t node, std::size_t callees) const {
        constexpr std::uint64_t most = 50; // a fiftieth is next to nothing
        const bool is_process =
            tree_->frames[tree_->nodes[caller].frame].kind == FrameKind::process;
        const std::uint64_t rest =
            all_[caller].larger() - std::min(all_[caller].larger(), all_[node].larger());
        return callees == 1 && !is_process && rest <= all_[caller].larger() / most;
    }

    const StackTree* tree_;
    std::vector<Inclusive> all_;
};

std::string frames_of(const StackTree& tree, const TreeLines::Line& line) {
    std::string text = frame_text(tree.frames[tree.nodes[line.first].frame]);
    if (line.length > 2) {
        text += fmt::format(" > ({} more)", line.length - 2);
    }
    if (line.length > 1) {
        text += " > " + frame_text(tree.frames[tree.nodes[line.last].frame]);
    }
    return text;
}

} // namespace

std::string tree_text(const StackTree& tree, bool is_differential, std::size_t most) {
    const TreeLines all(tree);
    const std::uint64_t least = all.least_for(most);
    std::vector<TreeLines::Line> lines = all.above(least);
    lines.resize(std::min(lines.size(), most)); // more only if many weights are the same
    const auto shown = [&](std::uint64_t weight) {
        return etl::rows::shown_of(etl::rows::Value(weight), tree.unit);
    };
    const auto own = [&](std::uint64_t weight) { return weight == 0 ? "-" : shown(weight); };
    std::string text = fmt::format("{:>10} {:>6} {:>10}", "weight", "share", "self");
    text += is_differential ? fmt::format(" {:>10}", "before") : "";
    text += "  frame\n";
    for (const TreeLines::Line& line : lines) {
        const Inclusive& first = all[line.first];
        const double share = static_cast<double>(first.weight) * 100 /
                             static_cast<double>(std::max<std::uint64_t>(1, tree.weight()));
        text += fmt::format("{:>10} {:>5.1f}% {:>10}", shown(first.weight), share,
                            own(tree.nodes[line.last].weight));
        text += is_differential ? fmt::format(" {:>10}", shown(first.before)) : "";
        text.append(2 + 2 * line.depth, ' ');
        text += frames_of(tree, line) + "\n";
    }
    text += all.has_below(least)
                ? fmt::format("(stacks of less than {} are left out)\n", shown(least))
                : "";
    return text;
}

std::string flame_page(const StackTree& tree, const etl::pages::FlameTexts& texts) {
    std::vector<std::string_view> files(flame_graph_files().begin(), flame_graph_files().end());
    files.insert(files.end(), {"flame_page.css", "flame_page.mjs"});
    return html_of(
        {.title = texts.title, .files = files, .data = etl::pages::flame_data(tree, texts)});
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
    Drawing(const StackTree& tree, const etl::pages::FlameTexts& texts)
        : tree_(&tree), texts_(&texts), depths_(etl::pages::depths_of(tree)),
          totals_(tree.nodes.size()), before_(tree.nodes.size()), x_(tree.nodes.size()),
          next_x_(tree.nodes.size()) {
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
    const etl::pages::FlameTexts* texts_;
    std::vector<std::uint32_t> depths_;
    std::vector<std::uint64_t> totals_, before_;
    std::vector<double> x_, next_x_; // of the bar and of its next child, from 0 to 1
    std::uint64_t all_ = 0;
    std::size_t hidden_ = 0;
};

} // namespace

std::string flame_svg(const StackTree& tree, const etl::pages::FlameTexts& texts) {
    return Drawing(tree, texts).svg();
}

} // namespace cli
