#include "trace/reading/merge.hpp"

#include <algorithm>
#include <limits>

namespace etl::trace {

Merge::Slot Merge::add(flow::Run events, std::uint64_t rank) {
    Slot slot = slots_;
    if (free_slots_.empty()) {
        ++slots_;
        free_slots_.reserve(slots_); // so that next() need not allocate
    } else {
        slot = free_slots_.back();
        free_slots_.pop_back();
    }
    const Contender contender{events.front().raw_time, rank, events.data(),
                              events.data() + events.size(), slot};
    const auto place = std::ranges::upper_bound(
        contenders_, contender, [](const Contender& a, const Contender& b) { return a.before(b); });
    contenders_.insert(place, contender);
    return slot;
}

flow::Run Merge::next() noexcept {
    const Contender winner = contenders_.front();
    const std::size_t count = contenders_.size();
    const flow::Event* end = winner.end;
    if (count > 1) {
        // Ties with a higher rank are ours. A rival at the least time of all cannot be undercut.
        const Contender& rival = contenders_[1];
        const bool ties = winner.rank < rival.rank;
        end = winner.at + 1;
        if (ties || rival.time != std::numeric_limits<std::int64_t>::min()) {
            const std::int64_t limit = ties ? rival.time : rival.time - 1;
            while (end != winner.end && end->raw_time <= limit) {
                ++end;
            }
        }
    }
    slot_ended_ = end == winner.end;
    if (slot_ended_) {
        contenders_.erase(contenders_.begin());
        free_slots_.push_back(winner.slot);
        return {winner.at, end};
    }
    const Contender moved{end->raw_time, winner.rank, end, winner.end, winner.slot};
    std::size_t place = 1;
    for (; place < count && contenders_[place].before(moved); ++place) {
        contenders_[place - 1] = contenders_[place];
    }
    contenders_[place - 1] = moved;
    return {winner.at, end};
}

} // namespace etl::trace
