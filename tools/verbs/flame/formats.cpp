#include "verbs/flame/formats.hpp"

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "pages/page.hpp"

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

} // namespace cli
