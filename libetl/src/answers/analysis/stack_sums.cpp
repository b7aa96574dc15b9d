#include "analysis/stack_sums.hpp"

#include "base/text.hpp"

#include <ranges>

namespace etl::analysis {

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
                                                                  : FrameKind::user);
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
