// The longest intervals of each kind. Private to analysis. docs/analysis.md#slowest
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/owners.hpp"
#include "analysis/parts/archive.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace etl::analysis {

enum class Slow : std::uint8_t {
    disk,
    file,
    hard_fault,
    ready,
    dpc,
    isr,
    gc_pause,
    activity,
    kinds,
};

constexpr std::string_view name(Slow kind) noexcept {
    constexpr std::array<std::string_view, static_cast<std::size_t>(Slow::kinds)> names{
        "disk", "file", "hard_fault", "ready", "dpc", "isr", "gc_pause", "activity"};
    return names[static_cast<std::size_t>(kind)];
}

/// How the begin of an activity was found. docs/analysis.md#start-stop
enum class Pairing : std::uint8_t { none, fields, activity, guessed, kinds };

constexpr std::string_view name(Pairing pairing) noexcept {
    constexpr std::array<std::string_view, static_cast<std::size_t>(Pairing::kinds)> names{
        "", "fields", "activity", "guessed"};
    return names[static_cast<std::size_t>(pairing)];
}

/// An interval that an event ended.
struct SlowInterval {
    std::uint64_t ticks = 0; // that are in the range
    std::int64_t begin = 0;  // raw
    OwnerRef owner = Owners::unknown;
    std::uint32_t thread = flow::no_id;
    EventPlace end{};   // the event
    std::string what{}; // empty: unknown
    Pairing paired_by = Pairing::none;
    std::uint32_t group = 0; // of PairCertainty::by_group; not in parts

    /// Longer, else earlier.
    bool comes_before(const SlowInterval& other) const noexcept {
        return ticks != other.ticks   ? ticks > other.ticks
               : begin != other.begin ? begin < other.begin
                                      : end < other.end;
    }
};

inline void visit(Archive& archive, Owners& owners, SlowInterval& one) {
    archive.number(one.ticks);
    archive.number(one.begin);
    visit_owner(archive, owners, one.owner);
    archive.number(one.thread);
    visit(archive, one.end);
    archive.text(one.what);
    auto pairing = static_cast<std::uint8_t>(one.paired_by);
    archive.number(pairing);
    if (pairing >= static_cast<std::uint8_t>(Pairing::kinds)) {
        archive.fail();
        pairing = 0;
    }
    one.paired_by = static_cast<Pairing>(pairing);
}

class Longest {
public:
    explicit Longest(std::size_t most) : most_(most) {}

    /// Keeps an interval if it is one of the longest. `what()` names it, and is called only then.
    template <typename What>
    void add(Slow kind, SlowInterval interval, What&& what) {
        std::vector<SlowInterval>& heap = by_kind_[static_cast<std::size_t>(kind)];
        constexpr auto order = [](const SlowInterval& a, const SlowInterval& b) {
            return a.comes_before(b);
        };
        if (heap.size() >= most_) {
            ++shorter_;
            if (!interval.comes_before(heap.front())) {
                return;
            }
            std::ranges::pop_heap(heap, order);
            heap.pop_back();
        }
        interval.what = what();
        heap.push_back(std::move(interval));
        std::ranges::push_heap(heap, order);
    }

    const std::vector<SlowInterval>& of(Slow kind) const noexcept {
        return by_kind_[static_cast<std::size_t>(kind)];
    }

    /// Number of intervals that are not among the longest.
    std::uint64_t shorter() const noexcept { return shorter_; }

    /// Of a part, and of all of them.
    void save(Archive& to, Owners& owners) {
        to.number(shorter_);
        for (std::vector<SlowInterval>& kept : by_kind_) {
            to.list(kept, [&](SlowInterval& one) { visit(to, owners, one); });
        }
    }

    void stitch(Archive& from, Owners& owners) {
        std::uint64_t shorter = 0;
        from.number(shorter);
        shorter_ += shorter;
        for (std::size_t kind = 0; kind < by_kind_.size(); ++kind) {
            std::vector<SlowInterval> kept;
            from.list(kept, [&](SlowInterval& one) { visit(from, owners, one); });
            for (const SlowInterval& one : kept) {
                add(static_cast<Slow>(kind), one, [&] { return one.what; });
            }
        }
    }

private:
    std::size_t most_; // of each kind
    std::array<std::vector<SlowInterval>, static_cast<std::size_t>(Slow::kinds)> by_kind_; // heaps
    std::uint64_t shorter_ = 0;
};

} // namespace etl::analysis
