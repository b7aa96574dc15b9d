// Trees of functions first, of callers, and of callees.
#include "analysis/stack_patterns.hpp"
#include "analysis/stack_tree.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

using Path = std::vector<std::uint32_t>; // frames of the old tree

/// Puts each stack at a path that is made from it, innermost frame first; empty: it is left out.
template <typename MakePath>
StackTree with_paths(const StackTree& tree, MakePath&& make_path) {
    StackTree empty;
    empty.unit = tree.unit;
    StackTreeBuilder builder(std::move(empty));
    std::vector<std::uint32_t> frames(tree.frames.size(), StackNode::none);
    Path path;
    for (const StackNode& node : tree.nodes) {
        if (node.weight == 0 && node.count == 0 && node.before == 0) {
            continue;
        }
        if (builder.make_space()) {
            frames.assign(frames.size(), StackNode::none);
        }
        path.assign(1, node.frame);
        for (std::uint32_t at = node.parent; at != StackNode::none; at = tree.nodes[at].parent) {
            path.push_back(tree.nodes[at].frame);
        }
        std::uint32_t place = StackNode::none;
        for (const std::uint32_t frame : make_path(path)) {
            if (frames[frame] == StackNode::none) {
                const StackFrame& one = tree.frames[frame];
                frames[frame] = builder.frame(one.module, one.function, one.kind, one.path);
            }
            place = builder.child(place, frames[frame]);
        }
        if (place != StackNode::none) {
            builder.node(place).weight += node.weight;
            builder.node(place).count += node.count;
            builder.node(place).before += node.before;
            builder.node(place).folded += node.folded;
        }
    }
    return builder.take();
}

/// Frames of a name. Those of several images are shown as the first of them.
class Focus {
public:
    Focus(const StackTree& tree, std::string_view name) : is_focus_(tree.frames.size()) {
        for (std::uint32_t i = 0; i < tree.frames.size(); ++i) {
            is_focus_[i] = display_name_of(tree.frames[i]) == name;
            if (is_focus_[i] && frame_ == StackNode::none) {
                frame_ = i;
            }
        }
    }

    bool operator()(std::uint32_t frame) const noexcept { return is_focus_[frame]; }

    std::uint32_t frame() const noexcept { return frame_; }

private:
    std::vector<bool> is_focus_;
    std::uint32_t frame_ = StackNode::none;
};

} // namespace

StackTree inverted(const StackTree& tree) {
    return with_paths(tree, [](Path& path) -> Path& { return path; });
}

StackTree callees_of(const StackTree& tree, std::string_view name) {
    const Focus is_focus(tree, name);
    return with_paths(tree, [&](Path& path) -> Path& {
        const auto innermost = std::ranges::find_if(path, is_focus);
        if (innermost == path.end()) {
            path.clear();
            return path;
        }
        *innermost = is_focus.frame();
        path.erase(innermost + 1, path.end());
        std::ranges::reverse(path);
        return path;
    });
}

StackTree callers_of(const StackTree& tree, std::string_view name) {
    const Focus is_focus(tree, name);
    return with_paths(tree, [&](Path& path) -> Path& {
        const auto after = std::find_if(path.rbegin(), path.rend(), is_focus).base();
        if (after == path.begin()) {
            path.clear();
            return path;
        }
        path.erase(path.begin(), after - 1);
        path.front() = is_focus.frame();
        return path;
    });
}

} // namespace etl::analysis
