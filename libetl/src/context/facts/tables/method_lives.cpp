#include "facts/tables/method_lives.hpp"

namespace etl::facts {

namespace {

constexpr std::uint32_t no_group = 0xFFFFFFFF;

/// First bytes that are looked at to find a method: those whose code, at some time, reached beyond
/// the address. Code of several runtimes and times in one place has a few.
constexpr int method_tries = 64;

std::uint64_t end_of(const MethodLives::Life& life) noexcept {
    return life.key.second + life.value.size;
}

/// Records without names are about the same method as those with names for the same bytes.
bool is_same(const MethodValue& a, const MethodValue& b) noexcept {
    return a == b || (a.size == b.size && (a.name == 0 || b.name == 0));
}

} // namespace

bool MethodLives::add(const Seen& seen, std::size_t most) {
    if (seen_.size() >= most) {
        return false;
    }
    seen_.push_back(seen);
    return true;
}

// Memory can be freed and given again at one time of a coarse clock: the end comes first.
void MethodLives::sort_seen() {
    const auto order = [](const Seen& seen) {
        return std::tuple(seen.key.first, seen.time, seen.moment != Moment::end, seen.moment,
                          seen.key.second, seen.value);
    };
    std::ranges::sort(seen_, {}, order);
    seen_.erase(std::ranges::unique(seen_, {}, order).begin(), seen_.end());
}

/// Whether the observation is about the life, which is not over at its time.
bool MethodLives::merge(Life& life, const Seen& seen) {
    const bool is_open = life.end > seen.time;
    if (!is_open || life.key != seen.key || !is_same(life.value, seen.value)) {
        return false;
    }
    if (life.value.name == 0) {
        life.value = seen.value;
    }
    if (seen.moment == Moment::end) {
        life.end = seen.time;
    }
    return true;
}

// What had the memory before is over at the latest when another method is there. A method that is
// first seen in a rundown, or when it goes, is there since then.
void MethodLives::place(Occupants& occupants, const Seen& seen, Bounds bounds) {
    const std::uint64_t begin = seen.key.second;
    const std::uint64_t end = begin + seen.value.size;
    auto first = occupants.lower_bound(begin);
    if (first != occupants.begin() && end_of(lives_[std::prev(first)->second]) > begin) {
        --first;
    }
    if (first != occupants.end() && merge(lives_[first->second], seen)) {
        return;
    }
    std::int64_t free_since = bounds.first;
    auto last = first;
    for (; last != occupants.end() && last->first < end; ++last) {
        Life& other = lives_[last->second];
        other.end = std::min(other.end, seen.time);
        free_since = std::max(free_since, other.end);
    }
    const Life life{seen.key, seen.value, seen.moment == Moment::begin ? seen.time : free_since,
                    seen.moment == Moment::end ? seen.time : bounds.second};
    if (life.begin >= life.end) {
        return;
    }
    occupants.erase(first, last);
    occupants[begin] = static_cast<std::uint32_t>(lives_.size());
    lives_.push_back(life);
}

void MethodLives::finish() {
    seen_ = {};
    std::erase_if(lives_, [](const Life& life) { return life.begin >= life.end; });
    std::ranges::sort(lives_, {},
                      [](const Life& life) { return std::tuple(life.key, life.begin); });
    lives_.shrink_to_fit();
    link_groups();
}

void MethodLives::link_groups() {
    for (std::uint32_t i = 0; i < lives_.size(); ++i) {
        if (i == 0 || lives_[i].key != lives_[i - 1].key) {
            const MethodKey& key = lives_[i].key;
            if (processes_.empty() || processes_.back().process != key.first) {
                processes_.push_back({key.first, static_cast<std::uint32_t>(groups_.size())});
            }
            groups_.push_back({.first = i, .outer = no_group});
            starts_.push_back(key.second);
        }
        groups_.back().end = std::max(groups_.back().end, end_of(lives_[i]));
    }
    std::vector<std::uint32_t> open; // groups that may reach beyond the next first byte
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
        const MethodKey& key = lives_[groups_[i].first].key;
        while (!open.empty() && (lives_[groups_[open.back()].first].key.first != key.first ||
                                 groups_[open.back()].end <= key.second)) {
            open.pop_back();
        }
        groups_[i].outer = open.empty() ? no_group : open.back();
        open.push_back(i);
    }
}

std::span<const std::uint64_t> MethodLives::starts_of(std::uint32_t process) const noexcept {
    const auto of = std::ranges::lower_bound(processes_, process, {}, &OfProcess::process);
    if (of == processes_.end() || of->process != process) {
        return {};
    }
    const std::size_t end = of + 1 != processes_.end() ? (of + 1)->first : starts_.size();
    return std::span(starts_).subspan(of->first, end - of->first);
}

const MethodLives::Life* MethodLives::find(std::uint32_t process, std::uint64_t address,
                                           std::int64_t time) const noexcept {
    const auto starts = starts_of(process);
    const auto behind = std::ranges::upper_bound(starts, address);
    if (behind == starts.begin()) {
        return nullptr;
    }
    auto number = static_cast<std::uint32_t>(&*(behind - 1) - starts_.data());
    for (int tries = 0; tries < method_tries && number != no_group; ++tries) {
        const Group& group = groups_[number];
        const std::size_t end =
            number + 1 < groups_.size() ? groups_[number + 1].first : lives_.size();
        const auto lives = std::span(lives_).subspan(group.first, end - group.first);
        const auto later = std::ranges::upper_bound(lives, time, {}, &Life::begin);
        if (later != lives.begin()) {
            const Life& life = *(later - 1);
            if (time < life.end && address - life.key.second < life.value.size) {
                return &life;
            }
        }
        number = group.outer;
    }
    return nullptr;
}

} // namespace etl::facts
