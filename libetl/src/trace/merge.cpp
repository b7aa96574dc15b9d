#include "trace/merge.hpp"

#include <algorithm>
#include <utility>

namespace etl::trace {

Merge::Slot Merge::add(flow::Run events, std::uint64_t rank) {
    const auto free =
        std::ranges::find_if(slots_, [](const Entry& entry) { return entry.rest.empty(); });
    const auto slot = static_cast<Slot>(free - slots_.begin());
    if (free == slots_.end()) {
        slots_.emplace_back();
    }
    slots_[slot] = {events, rank};
    ++playing_;
    rebuild();
    return slot;
}

void Merge::rebuild() {
    leaves_ = 1;
    while (leaves_ < slots_.size()) {
        leaves_ *= 2;
    }
    const auto leaf = [&](std::size_t i) -> Node {
        if (i < slots_.size() && !slots_[i].rest.empty()) {
            return {slots_[i].rest.front().raw_time, slots_[i].rank, static_cast<Slot>(i)};
        }
        return {no_time, no_rank, static_cast<Slot>(i)};
    };
    // Winners bottom up; each inner node keeps its loser.
    nodes_.assign(leaves_, {});
    std::vector<Node> winners(2 * leaves_);
    for (std::size_t i = 0; i < leaves_; ++i) {
        winners[leaves_ + i] = leaf(i);
    }
    for (std::size_t i = leaves_ - 1; i > 0; --i) {
        const Node& a = winners[2 * i];
        const Node& b = winners[2 * i + 1];
        const bool second = b.before(a);
        winners[i] = second ? b : a;
        nodes_[i] = second ? a : b;
    }
    nodes_[0] = winners[1];
}

// The winner's slot plays its way up again with its next event.
void Merge::replay(Node contender) noexcept {
    for (std::size_t i = (leaves_ + contender.slot) / 2; i > 0; i /= 2) {
        Node& node = nodes_[i];
        const Node old = node;
        const bool lost = old.before(contender);
        node = lost ? contender : old;
        contender = lost ? old : contender;
    }
    nodes_[0] = contender;
}

// The best of those who lost against the winner itself.
Merge::Node Merge::runner_up() const noexcept {
    Node best{no_time, no_rank, 0};
    for (std::size_t i = (leaves_ + nodes_[0].slot) / 2; i > 0; i /= 2) {
        const Node& node = nodes_[i];
        best = node.before(best) ? node : best;
    }
    return best;
}

flow::Run Merge::next() noexcept {
    const Node winner = nodes_[0];
    flow::Run& rest = slots_[winner.slot].rest;
    std::size_t end = rest.size();
    if (playing_ > 1) {
        const Node rival = runner_up();
        // Ties with a higher rank are ours. A rival at the least time of all cannot be undercut.
        const bool ties = winner.rank < rival.rank;
        end = 1;
        if (ties || rival.time != std::numeric_limits<std::int64_t>::min()) {
            const std::int64_t limit = ties ? rival.time : rival.time - 1;
            while (end < rest.size() && rest[end].raw_time <= limit) {
                ++end;
            }
        }
    }
    const flow::Run run = rest.first(end);
    rest = rest.subspan(end);
    slot_ended_ = rest.empty();
    playing_ -= slot_ended_ ? 1U : 0U;
    replay(slot_ended_ ? Node{no_time, no_rank, winner.slot}
                       : Node{rest.front().raw_time, winner.rank, winner.slot});
    return run;
}

} // namespace etl::trace
