// Begins and ends that a key pairs, also across the edges of parts. Private to analysis.
// docs/parts.md#tables
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/parts/archive.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace etl::analysis {

/// What is open, by key: at most limits::analysis_operations; when there are more, all are
/// forgotten. A part keeps for each key whether an end or a begin was first in it. Not thread-safe.
template <typename Key, typename Begin, typename End, typename Hash = std::hash<Key>>
class Pairs {
public:
    /// Before the first event.
    void start(const Context& context) noexcept { continues_ = context.continues(); }

    /// Opens. Returns what was open with the same key: its end is missing.
    std::optional<Begin> begin(const Key& key, const Begin& begin) {
        touch(key, [] { return std::nullopt; });
        if (open_.size() >= limits::analysis_operations && !open_.contains(key)) {
            dropped_ += open_.size(); // most of their ends were lost
            open_.clear();
        }
        const auto [found, is_new] = open_.try_emplace(key, begin);
        peak_ = std::max(peak_, open_.size());
        return is_new ? std::nullopt : std::optional(std::exchange(found->second, begin));
    }

    /// Returns what the end closes; nothing if its begin is missing. If that can be in an earlier
    /// part, keeps `make_end()`.
    template <typename MakeEnd>
    std::optional<Begin> end(const Key& key, MakeEnd&& make_end) {
        const auto found = open_.find(key);
        if (found == open_.end()) {
            touch(key, std::forward<MakeEnd>(make_end));
            return std::nullopt;
        }
        std::optional<Begin> begin(std::move(found->second));
        open_.erase(found);
        return begin;
    }

    /// Calls `visit(begin)` for all that are open.
    template <typename Visit>
    void for_each_open(Visit&& visit) const {
        for (const auto& [key, begin] : open_) {
            visit(begin);
        }
    }

    /// Begins that were forgotten, and keys of a part beyond the limit.
    std::uint64_t dropped() const noexcept { return dropped_; }

    /// How to write and read.
    struct Visitors {
        std::function<void(Archive&, Key&)> key;
        std::function<void(Archive&, Begin&)> begin;
        std::function<void(Archive&, End&)> end;
    };

    /// As that of Analyzer.
    void save(Archive& to, const Visitors& visitors) {
        Edges edges{.peak = peak_,
                    .touched = {touched_.begin(), touched_.end()},
                    .open = {open_.begin(), open_.end()}};
        visit(to, edges, visitors);
    }

    /// As that of Analyzer. Calls `ended(begin, end)` for pairs across edges, and `replaced(begin)`
    /// for what begin() would have returned.
    template <typename Ended, typename Replaced>
    void stitch(Archive& from, const Visitors& visitors, Ended&& ended, Replaced&& replaced) {
        Edges edges;
        visit(from, edges, visitors);
        if (edges.peak > limits::analysis_operations ||
            open_.size() > limits::analysis_operations - edges.peak) {
            ++dropped_; // in a single pass, the limit may have been reached
            return;
        }
        for (auto& [key, end] : edges.touched) {
            const auto found = open_.find(key);
            if (found == open_.end()) {
                continue;
            }
            const Begin begin = std::move(found->second);
            open_.erase(found);
            if (end) {
                ended(begin, *end);
            } else {
                replaced(begin);
            }
        }
        for (auto& [key, begin] : edges.open) {
            open_.insert_or_assign(key, std::move(begin));
        }
    }

private:
    struct Edges {
        std::size_t peak = 0;
        std::vector<std::pair<Key, std::optional<End>>> touched; // nothing: a begin was first
        std::vector<std::pair<Key, Begin>> open;
    };

    static void visit(Archive& archive, Edges& edges, const Visitors& visitors) {
        archive.number(edges.peak);
        archive.list(edges.touched, [&](std::pair<Key, std::optional<End>>& one) {
            visitors.key(archive, one.first);
            archive.optional(one.second, [&](End& end) { visitors.end(archive, end); });
        });
        archive.list(edges.open, [&](std::pair<Key, Begin>& one) {
            visitors.key(archive, one.first);
            visitors.begin(archive, one.second);
        });
    }

    template <typename MakeEnd>
    void touch(const Key& key, MakeEnd&& make_end) {
        if (!continues_ || touched_.contains(key)) {
            return;
        }
        if (touched_.size() >= limits::analysis_part_keys) {
            ++dropped_;
            return;
        }
        touched_.emplace(key, std::forward<MakeEnd>(make_end)());
    }

    std::unordered_map<Key, Begin, Hash> open_;
    std::unordered_map<Key, std::optional<End>, Hash> touched_; // in a part that continues
    std::size_t peak_ = 0;
    std::uint64_t dropped_ = 0;
    bool continues_ = false;
};

} // namespace etl::analysis
