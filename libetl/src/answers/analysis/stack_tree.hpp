// Makes trees of stacks in bounded memory. Private to analysis.
#pragma once

#include "analysis/limits.hpp"
#include "analysis/stacks.hpp"

#include <string_view>
#include <unordered_map>

namespace etl::analysis {

class StackTreeBuilder {
public:
    explicit StackTreeBuilder(StackTree tree = {});

    /// Returns the index of a frame. Names beyond limits::analysis_frame_bytes are cut.
    std::uint32_t frame(std::string_view module, std::string_view function, FrameKind kind);

    /// Returns the node of a frame that a node called; StackNode::none: the root.
    std::uint32_t child(std::uint32_t parent, std::uint32_t frame);

    StackNode& node(std::uint32_t index) noexcept { return tree_.nodes[index]; }

    /// Makes space if the limits are reached. Returns whether indices have changed. Call between
    /// stacks.
    bool make_space();

    /// Returns the tree, without unused frames.
    StackTree take();

private:
    void index();

    StackTree tree_;
    std::unordered_map<std::uint64_t, std::uint32_t> children_; // by parent and frame
    std::unordered_map<std::string, std::uint32_t> frames_;     // by kind, module, and function
    std::size_t bytes_ = 0;                                     // of texts
};

/// Converts the weights from ticks, so that their sum is the converted sum.
void convert_ticks(StackTree& tree, std::int64_t frequency);

} // namespace etl::analysis
