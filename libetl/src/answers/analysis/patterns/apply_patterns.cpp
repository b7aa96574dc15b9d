// Applies patterns to a tree of stacks.
#include "analysis/limits.hpp"
#include "analysis/patterns/compiled_patterns.hpp"
#include "analysis/patterns/frame_names.hpp"
#include "analysis/stack_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <utility>

namespace etl::analysis {

namespace {

constexpr std::uint32_t no_number = StackNode::none;

/// What patterns make of a frame, wherever it is.
struct GroupedFrame {
    std::uint32_t frame = no_number; // in the result
    std::uint32_t name = no_number;  // number of its name: frames with the same one are one
    std::uint32_t group = no_number; // number of the name of its group
    std::uint64_t included = 0;      // a bit for each pattern that it matches
    bool is_entry = false, is_folded = false, is_excluded = false;
};

/// Numbers of texts: equal ones have the same number.
class TextNumbers {
public:
    std::uint32_t number_of(std::string_view text) {
        const auto next = static_cast<std::uint32_t>(numbers_.size());
        const auto [found, is_new] = numbers_.try_emplace(std::string(text), next);
        bytes_ += is_new ? text.size() : 0;
        return found->second;
    }

    bool is_full() const noexcept { return bytes_ >= limits::analysis_stack_text_bytes; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::size_t bytes_ = 0;
};

class FrameGrouping {
public:
    FrameGrouping(const CompiledPatterns& patterns, StackTreeBuilder& builder)
        : patterns_(&patterns), builder_(&builder) {}

    GroupedFrame group(const StackFrame& frame) {
        if (names_.is_full()) {
            return named({{}, "(other)", FrameKind::mark}, "(other)");
        }
        const std::string full = full_name_of(frame);
        name_.assign(full);
        const auto group = patterns_->group_of(name_, memory_);
        if (group) {
            std::string text = group->name;
            if (group->is_entry) {
                text = fmt::format("{} <<{}>>", text, short_name_of(frame));
            }
            GroupedFrame grouped = named({{}, text, FrameKind::group}, text);
            grouped.group = groups_.number_of(group->name);
            grouped.is_entry = group->is_entry;
            return grouped;
        }
        if (full.ends_with("!?")) {
            const std::string text = short_name_of(frame);
            GroupedFrame grouped =
                named({frame.module, frame.module.empty() ? text : "?", frame.kind}, text);
            grouped.group = groups_.number_of(text);
            return grouped;
        }
        return named({frame.module, frame.function, frame.kind}, full);
    }

private:
    /// `text` is what the other patterns match.
    GroupedFrame named(const StackFrame& frame, const std::string& text) {
        GroupedFrame grouped{.frame = builder_->frame(frame.module, frame.function, frame.kind),
                             .name = names_.number_of(text)};
        name_.assign(text);
        const auto matches = [this](const NamePattern& one) { return one.finds(name_, memory_); };
        grouped.is_excluded = std::ranges::any_of(patterns_->excluded, matches);
        grouped.is_folded = std::ranges::any_of(patterns_->folded, matches);
        for (std::size_t i = 0; i < patterns_->included.size(); ++i) {
            grouped.included |= std::uint64_t{matches(patterns_->included[i])} << i;
        }
        return grouped;
    }

    const CompiledPatterns* patterns_;
    StackTreeBuilder* builder_;
    TextNumbers names_, groups_;
    PreparedName name_;
    PatternMemory memory_;
};

/// Goes through a tree from the outermost frames inward.
class PatternWalk {
public:
    PatternWalk(const CompiledPatterns& patterns, const StackTree& tree)
        : tree_(&tree), builder_(empty_like(tree)), grouping_(patterns, builder_),
          frames_(tree.frames.size()), wanted_(wanted(patterns.included.size())) {}

    void add(const StackNode& node) {
        const std::uint32_t caller = node.parent == no_number ? no_number : results_[node.parent];
        const bool is_dropped = node.parent != no_number && caller == no_number;
        results_.push_back(is_dropped ? no_number : result_of(node, caller));
        const std::uint32_t result = results_.back();
        if (result == no_number || results_of_[result].included != wanted_ ||
            (node.weight == 0 && node.count == 0 && node.before == 0)) {
            return;
        }
        StackNode& to = builder_.node(place_of(result));
        to.weight += node.weight;
        to.count += node.count;
        to.before += node.before;
        const GroupedFrame& frame = *frames_[node.frame];
        to.folded += frame.is_folded && result == caller ? node.weight : node.folded;
        to.merged += results_of_[result].name == frame.name ? node.merged : 0;
    }

    StackTree take() { return builder_.take(); }

private:
    /// A frame of the result with those that called it.
    struct Result {
        std::uint32_t caller = no_number; // another result
        std::uint32_t place = no_number;  // node, once a stack that is included ends here or below
        std::uint32_t frame = no_number, name = no_number, group = no_number;
        std::uint64_t included = 0;
    };

    static StackTree empty_like(const StackTree& tree) {
        StackTree empty;
        empty.unit = tree.unit;
        return empty;
    }

    static std::uint64_t wanted(std::size_t patterns) noexcept {
        constexpr std::size_t bits = 64;
        return patterns == 0 ? 0 : ~std::uint64_t{0} >> (bits - patterns);
    }

    /// None: the stacks of this node are excluded.
    std::uint32_t result_of(const StackNode& node, std::uint32_t caller) {
        auto& known = frames_[node.frame];
        if (!known) {
            known = grouping_.group(tree_->frames[node.frame]);
        }
        if (known->is_excluded) {
            return no_number;
        }
        Result result{.caller = caller,
                      .frame = known->frame,
                      .name = known->name,
                      .group = known->group,
                      .included = known->included};
        if (caller != no_number) {
            const Result& above = results_of_[caller];
            const bool is_inside = known->is_entry && known->group == above.group;
            if (is_inside || known->is_folded || known->name == above.name) {
                return caller;
            }
            result.included |= above.included;
        }
        results_of_.push_back(result);
        return static_cast<std::uint32_t>(results_of_.size() - 1);
    }

    std::uint32_t place_of(std::uint32_t result) {
        open_.clear();
        for (std::uint32_t at = result; at != no_number && results_of_[at].place == no_number;
             at = results_of_[at].caller) {
            open_.push_back(at);
        }
        for (const std::uint32_t at : open_ | std::views::reverse) {
            Result& one = results_of_[at];
            one.place = builder_.child(
                one.caller == no_number ? no_number : results_of_[one.caller].place, one.frame);
        }
        return results_of_[result].place;
    }

    const StackTree* tree_;
    StackTreeBuilder builder_;
    FrameGrouping grouping_;
    std::vector<std::optional<GroupedFrame>> frames_; // of the old tree
    std::uint64_t wanted_;
    std::vector<Result> results_of_;
    std::vector<std::uint32_t> results_; // of the old nodes
    std::vector<std::uint32_t> open_;
};

/// The inclusive weight of each frame in the tree: recursion counts once.
std::vector<std::uint64_t> weights_of_frames(const StackTree& tree,
                                             const std::vector<std::uint64_t>& weights) {
    std::vector<std::uint64_t> all(tree.frames.size());
    std::vector<std::uint32_t> open(tree.frames.size()); // how often each is on the path
    std::vector<std::uint32_t> path;
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        const StackNode& node = tree.nodes[i];
        while (!path.empty() && path.back() != node.parent) {
            --open[tree.nodes[path.back()].frame];
            path.pop_back();
        }
        all[node.frame] += open[node.frame]++ == 0 ? weights[i] : 0;
        path.push_back(i);
    }
    return all;
}

/// Adds small nodes, with all below them, to their callers.
StackTree without_small_nodes(StackTree tree, double percent) {
    const std::vector<std::uint64_t> weights = totals_of(tree);
    const std::vector<std::uint64_t> of_frames = weights_of_frames(tree, weights);
    const auto sum = static_cast<double>(tree.weight() + tree.weight_before());
    constexpr double whole = 100.0;
    const auto is_small = [&](std::uint64_t weight) {
        return static_cast<double>(weight) < percent * sum / whole;
    };
    std::vector<StackNode> kept;
    std::vector<std::uint32_t> places; // of the old nodes: they, or the caller they became part of
    std::vector<bool> is_folded;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        StackNode node = tree.nodes[i];
        const bool has_caller = node.parent != no_number;
        const bool is_mark = tree.frames[node.frame].kind == FrameKind::mark && node.merged == 0;
        is_folded.push_back(
            has_caller && (is_folded[node.parent] ||
                           (!is_mark && is_small(weights[i]) && is_small(of_frames[node.frame]))));
        node.parent = has_caller ? places[node.parent] : no_number;
        if (is_folded.back()) {
            StackNode& to = kept[node.parent];
            to.weight += node.weight;
            to.count += node.count;
            to.before += node.before;
            to.folded += node.weight;
            places.push_back(node.parent);
        } else {
            places.push_back(static_cast<std::uint32_t>(kept.size()));
            kept.push_back(node);
        }
    }
    tree.nodes = std::move(kept);
    return StackTreeBuilder(std::move(tree)).take();
}

} // namespace

StackTree StackPatterns::apply(const StackTree& tree, const Stop* stop) const {
    PatternWalk walk(*compiled_, tree);
    for (const StackNode& node : tree.nodes) {
        if (stop != nullptr && stop->is_requested()) {
            break;
        }
        walk.add(node);
    }
    StackTree result = walk.take();
    return compiled_->fold_percent > 0.0
               ? without_small_nodes(std::move(result), compiled_->fold_percent)
               : result;
}

} // namespace etl::analysis
