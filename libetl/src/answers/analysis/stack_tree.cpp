#include "analysis/stack_tree.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <tuple>
#include <utility>

namespace etl::analysis {

namespace {

constexpr std::uint32_t none = StackNode::none;
constexpr std::string_view smaller_ones = "(smaller ones)";

std::string key_of(const StackFrame& frame) {
    std::string key(1, static_cast<char>('0' + static_cast<int>(frame.kind)));
    key.append(frame.module).append(1, '\0').append(frame.function);
    return frame.path.empty() ? key : key.append(1, '\0').append(frame.path);
}

std::size_t bytes_of(const StackFrame& frame) noexcept {
    return frame.module.size() + frame.function.size() + frame.path.size();
}

std::uint64_t key_of(std::uint32_t parent, std::uint32_t frame) noexcept {
    constexpr unsigned half = 32;
    return std::uint64_t{parent} << half | frame;
}

/// Drops the frames that no node has.
void drop_unused_frames(StackTree& tree) {
    std::vector<std::uint32_t> numbers(tree.frames.size(), none);
    std::vector<StackFrame> used;
    for (StackNode& node : tree.nodes) {
        std::uint32_t& number = numbers[node.frame];
        if (number == none) {
            number = static_cast<std::uint32_t>(used.size());
            used.push_back(std::move(tree.frames[node.frame]));
        }
        node.frame = number;
    }
    tree.frames = std::move(used);
}

/// Orders the nodes: parents, then children, heaviest first, then by name.
void sort(StackTree& tree) {
    const std::vector<std::uint64_t> totals = totals_of(tree);
    std::vector<std::vector<std::uint32_t>> children(tree.nodes.size() + 1); // the last: the root
    const auto list_of = [&](std::uint32_t parent) -> std::vector<std::uint32_t>& {
        return parent == none ? children.back() : children[parent];
    };
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        list_of(tree.nodes[i].parent).push_back(i);
    }
    const auto is_lighter = [&](std::uint32_t a, std::uint32_t b) {
        const StackFrame& one = tree.frames[tree.nodes[a].frame];
        const StackFrame& other = tree.frames[tree.nodes[b].frame];
        return totals[a] != totals[b] ? totals[a] < totals[b]
                                      : std::tie(other.module, other.function, other.path) <
                                            std::tie(one.module, one.function, one.path);
    };
    std::vector<StackNode> sorted;
    sorted.reserve(tree.nodes.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open; // node, parent in `sorted`
    const auto open_children = [&](std::uint32_t node, std::uint32_t at) {
        std::ranges::sort(list_of(node), is_lighter);
        for (const std::uint32_t child : list_of(node)) {
            open.emplace_back(child, at);
        }
    };
    open_children(none, none);
    while (!open.empty()) {
        const auto [node, parent] = open.back();
        open.pop_back();
        sorted.push_back(tree.nodes[node]);
        sorted.back().parent = parent;
        open_children(node, static_cast<std::uint32_t>(sorted.size() - 1));
    }
    tree.nodes = std::move(sorted);
}

/// Adds the nodes of another tree; `add_values` adds those of a node.
template <typename AddValues>
StackTree joined(StackTree to, const StackTree& other, AddValues&& add_values) {
    StackTreeBuilder builder(std::move(to));
    std::vector<std::uint32_t> nodes, frames; // in the builder
    for (const StackFrame& frame : other.frames) {
        frames.push_back(builder.frame(frame.module, frame.function, frame.kind, frame.path));
    }
    for (const StackNode& node : other.nodes) {
        const std::uint32_t parent = node.parent == none ? none : nodes[node.parent];
        nodes.push_back(builder.child(parent, frames[node.frame]));
        add_values(builder.node(nodes.back()), node);
    }
    return builder.take();
}

/// Which nodes are among the heaviest. A caller is at least as heavy as its callees and comes
/// before them, so the callers of these nodes are among them.
std::vector<bool> heaviest(const StackTree& tree, std::size_t count) {
    const std::vector<std::uint64_t> totals = totals_of(tree);
    std::vector<std::uint32_t> order(tree.nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(count);
    std::ranges::nth_element(order, last, [&](std::uint32_t a, std::uint32_t b) {
        return totals[a] != totals[b] ? totals[a] > totals[b] : a < b;
    });
    std::vector<bool> kept(tree.nodes.size());
    std::for_each(order.begin(), last, [&](std::uint32_t node) { kept[node] = true; });
    return kept;
}

void add_values(StackNode& to, const StackNode& node) {
    to.weight += node.weight;
    to.count += node.count;
    to.before += node.before;
    to.folded += node.folded;
}

/// Keeps these nodes; the others become part of `(smaller ones)` of their nearest caller.
class Merging {
public:
    Merging(StackTree& tree, const std::vector<bool>& kept)
        : mark_(static_cast<std::uint32_t>(tree.frames.size())) {
        tree.frames.push_back({{}, std::string(smaller_ones), FrameKind::mark});
        for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
            place(tree.nodes[i], kept[i]);
        }
    }

    std::vector<StackNode> take() { return std::move(nodes_); }

private:
    static bool is_mark(const StackNode& node) noexcept { return node.merged != 0; }

    void place(const StackNode& node, bool is_kept) {
        const std::uint32_t parent = node.parent == none ? none : places_[node.parent];
        if (is_kept && !is_mark(node)) {
            places_.push_back(add(node, parent));
            return;
        }
        places_.push_back(parent); // of the nodes below it
        const auto [found, is_new] = marks_.try_emplace(parent, 0);
        if (is_new) {
            found->second = add({.frame = mark_}, parent);
        }
        StackNode& mark = nodes_[found->second];
        add_values(mark, node);
        mark.merged += is_mark(node) ? node.merged : 1;
    }

    std::uint32_t add(StackNode node, std::uint32_t parent) {
        node.parent = parent;
        nodes_.push_back(node);
        return static_cast<std::uint32_t>(nodes_.size() - 1);
    }

    std::uint32_t mark_; // the frame `(smaller ones)`
    std::vector<StackNode> nodes_;
    std::vector<std::uint32_t> places_; // of the old nodes: where they, or their callers, are
    std::unordered_map<std::uint32_t, std::uint32_t> marks_; // by caller
};

} // namespace

std::vector<std::uint64_t> totals_of(const StackTree& tree) {
    std::vector<std::uint64_t> totals(tree.nodes.size());
    for (std::size_t i = totals.size(); i-- > 0;) {
        const StackNode& node = tree.nodes[i];
        totals[i] += node.weight + node.before;
        if (node.parent != none) {
            totals[node.parent] += totals[i];
        }
    }
    return totals;
}

StackTreeBuilder::StackTreeBuilder(StackTree tree) : tree_(std::move(tree)) {
    index();
}

void StackTreeBuilder::index() {
    children_.clear();
    frames_.clear();
    bytes_ = 0;
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
        children_.emplace(key_of(tree_.nodes[i].parent, tree_.nodes[i].frame), i);
    }
    for (std::uint32_t i = 0; i < tree_.frames.size(); ++i) {
        const StackFrame& one = tree_.frames[i];
        bytes_ += bytes_of(one);
        frames_.emplace(key_of(one), i);
    }
}

std::uint32_t StackTreeBuilder::frame(std::string_view module, std::string_view function,
                                      FrameKind kind, std::string_view path) {
    const auto cut = [](std::string_view text) {
        return text.size() <= limits::analysis_frame_bytes
                   ? std::string(text)
                   : std::string(text.substr(0, limits::analysis_frame_bytes)) + "...";
    };
    StackFrame made{cut(module), cut(function), kind, cut(path)};
    const auto [found, is_new] =
        frames_.try_emplace(key_of(made), static_cast<std::uint32_t>(tree_.frames.size()));
    if (is_new) {
        bytes_ += bytes_of(made);
        tree_.frames.push_back(std::move(made));
    }
    return found->second;
}

std::uint32_t StackTreeBuilder::child(std::uint32_t parent, std::uint32_t frame) {
    const auto [found, is_new] = children_.try_emplace(
        key_of(parent, frame), static_cast<std::uint32_t>(tree_.nodes.size()));
    if (is_new) {
        tree_.nodes.push_back({.parent = parent, .frame = frame});
    }
    return found->second;
}

bool StackTreeBuilder::make_space() {
    if (tree_.nodes.size() < limits::analysis_stack_nodes &&
        bytes_ < limits::analysis_stack_text_bytes) {
        return false;
    }
    tree_.merge_smallest(tree_.nodes.size() / 2);
    index();
    return true;
}

StackTree StackTreeBuilder::take() {
    sort(tree_);
    drop_unused_frames(tree_);
    return std::move(tree_);
}

std::uint64_t StackTree::weight() const noexcept {
    return std::transform_reduce(nodes.begin(), nodes.end(), std::uint64_t{0}, std::plus<>(),
                                 [](const StackNode& node) { return node.weight; });
}

std::uint64_t StackTree::weight_before() const noexcept {
    return std::transform_reduce(nodes.begin(), nodes.end(), std::uint64_t{0}, std::plus<>(),
                                 [](const StackNode& node) { return node.before; });
}

std::uint64_t StackTree::count() const noexcept {
    return std::transform_reduce(nodes.begin(), nodes.end(), std::uint64_t{0}, std::plus<>(),
                                 [](const StackNode& node) { return node.count; });
}

void StackTree::add(const StackTree& other) {
    *this = joined(std::move(*this), other, [](StackNode& to, const StackNode& node) {
        add_values(to, node);
        to.merged += node.merged;
    });
}

void StackTree::put_under(StackFrame outermost) {
    if (nodes.empty()) {
        return;
    }
    const auto number = static_cast<std::uint32_t>(frames.size());
    frames.push_back(std::move(outermost));
    for (StackNode& node : nodes) {
        node.parent = node.parent == none ? 0 : node.parent + 1;
    }
    nodes.insert(nodes.begin(), StackNode{.frame = number});
}

void StackTree::compare_with(const StackTree& other) {
    *this = joined(std::move(*this), other, [](StackNode& to, const StackNode& node) {
        to.before += node.weight;
        to.merged = std::max(to.merged, node.merged);
    });
}

void StackTree::merge_smallest(std::size_t most) {
    if (nodes.size() <= std::max<std::size_t>(most, 2)) {
        return;
    }
    // Each node that is kept can get one more.
    nodes = Merging(*this, heaviest(*this, (std::max<std::size_t>(most, 2) - 1) / 2)).take();
    sort(*this);
    drop_unused_frames(*this);
}

void StackTree::merge_below(std::uint64_t least, std::size_t depth) {
    const std::vector<std::uint64_t> totals = totals_of(*this);
    std::vector<std::size_t> callers(nodes.size());
    std::vector<bool> kept(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        callers[i] = nodes[i].parent == none ? 0 : callers[nodes[i].parent] + 1;
        kept[i] = totals[i] >= least && (depth == 0 || callers[i] < depth);
    }
    if (std::ranges::find(kept, false) == kept.end()) {
        return;
    }
    nodes = Merging(*this, kept).take();
    sort(*this);
    drop_unused_frames(*this);
}

void convert_ticks(StackTree& tree, std::int64_t frequency) {
    std::uint64_t ticks = 0, before = 0;
    for (StackNode& node : tree.nodes) {
        ticks += node.weight;
        const std::uint64_t sum = nanoseconds_of(ticks, frequency);
        node.weight = sum - std::exchange(before, sum);
    }
}

void StackSums::add(const Context& context, const Entry& entry, const Stack& stack) {
    if (tree_.make_space()) {
        frames_.clear();
        owners_.clear();
    }
    std::uint64_t* const row = sums_.find({entry.owner, 0, 0});
    ++row[count];
    row[weight] += entry.weight;
    without_stack_ += stack.end == StackEnd::missing ? 1U : 0U;
    const auto [owner, is_new] = owners_.try_emplace(entry.owner, 0);
    if (is_new) {
        owner->second = frame_of((*context.owners)[entry.owner]);
    }
    std::uint32_t node = StackNode::none;
    if (!entry.above.empty()) {
        node = tree_.child(node, tree_.frame({}, entry.above, FrameKind::process));
    }
    node = tree_.child(node, owner->second);
    if (stack.end != StackEnd::complete) {
        node = tree_.child(node, frame_of(Frames::marker(stack.end)));
    }
    for (const FrameRef frame : stack.frames | std::views::reverse) {
        node = tree_.child(node, frame_of(frame));
    }
    tree_.node(node).weight += entry.weight;
    ++tree_.node(node).count;
}

std::uint32_t StackSums::frame_of(FrameRef frame) {
    if (frame >= frames_.size()) {
        frames_.resize(reader_.frames().size(), StackNode::none);
    }
    std::uint32_t& number = frames_[frame];
    if (number == StackNode::none) {
        const Frame& one = reader_.frames()[frame];
        const Function& function = reader_.frames().function(one.function);
        number = tree_.frame(function.module, function.name,
                             function.is_marker                   ? FrameKind::mark
                             : one.kind == Frame::Kind::kernel    ? FrameKind::kernel
                             : one.kind == Frame::Kind::generated ? FrameKind::managed
                                                                  : FrameKind::user,
                             has_image_paths_ && one.image != Frame::no_image
                                 ? reader_.frames().image(one.image).path
                                 : std::string_view());
    }
    return number;
}

std::uint32_t StackSums::frame_of(const Owner& owner) {
    std::string text = owner.name.value_or(owner.pid ? "(unknown name)" : "(unknown process)");
    if (owner.pid && has_process_ids_) {
        text += " (";
        append_decimal(text, *owner.pid);
        text += ')';
    }
    return tree_.frame({}, text, FrameKind::process);
}

Table StackSums::table(const Context& context, const Columns& columns) {
    const bool is_count = columns.weight.name == columns.count;
    std::vector<Column> all{sum_column(columns.count)};
    if (!is_count) {
        all.push_back(columns.weight);
    }
    const KeyColumn keys[] = {{KeyPart::owner, {}}};
    Table table = table_of("flame", sums_, *context.owners, {}, keys, all);
    table.sort_column = *table.find(columns.weight.name);
    table.coverage.remainders.push_back({"events_without_stack", without_stack_});
    table.coverage.remainders.push_back({"dropped_frames", reader_.frames().dropped()});
    table.stacks = std::make_shared<StackTree>(tree_.take());
    table.stacks->unit = columns.weight.unit;
    if (columns.weight.in_ticks && context.trace != nullptr) {
        convert_ticks(*table.stacks, context.trace->clock.frequency());
    }
    return table;
}

} // namespace etl::analysis
