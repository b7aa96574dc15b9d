// Which events are garbage collections, and not a repetition. Private to analysis.
// docs/analysis.md#gc
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/parts/archive.hpp"

#include <optional>
#include <utility>

namespace etl::analysis {

struct GcCollection {
    std::optional<std::uint64_t> count, depth, type;
    GroupKey row{};
    bool counts = false; // in range, and of a selected process
};

/// .NET Framework logs several versions of the same event. The first one of a part may repeat the
/// last one of an earlier part.
class GcCollections {
public:
    void start(const Context& context) noexcept { continues_ = context.continues(); }

    /// Whether it is known that the event does not repeat another one. `runtime`: process and
    /// instance.
    bool is_new(const GroupKey& runtime, const GcCollection& gc) {
        Last& last = of(runtime);
        if (!last.is_known && continues_) {
            last = {.count = gc.count, .is_known = true, .first = gc};
            return false;
        }
        const bool is_repeated = last.is_known && gc.count && last.count == gc.count;
        last.count = gc.count ? gc.count : last.count;
        last.is_known = true;
        return !is_repeated;
    }

    std::uint64_t dropped() const noexcept { return dropped_; }

    /// `visit_row(archive, row)` writes or reads a row.
    template <typename VisitRow>
    void save(Archive& to, VisitRow&& visit_row) {
        std::vector<std::pair<GroupKey, Last>> all(lasts_.begin(), lasts_.end());
        visit(to, all, visit_row);
    }

    /// Calls `show(collection)` for those of which only this shows that they are new.
    template <typename VisitRow, typename Show>
    void stitch(Archive& from, VisitRow&& visit_row, Show&& show) {
        std::vector<std::pair<GroupKey, Last>> all;
        visit(from, all, visit_row);
        for (const auto& [runtime, part] : all) {
            if (part.first && is_new(runtime, *part.first)) {
                show(*part.first);
            }
            Last& mine = of(runtime);
            mine.count = part.count ? part.count : mine.count;
            mine.is_known = true;
        }
    }

private:
    struct Last {
        std::optional<std::uint64_t> count{};
        bool is_known = false;
        std::optional<GcCollection> first{}; // of a part
    };

    Last& of(const GroupKey& runtime) {
        if (lasts_.size() >= limits::analysis_operations) {
            ++dropped_;
            lasts_.clear();
        }
        return lasts_[runtime];
    }

    template <typename VisitRow>
    static void visit(Archive& archive, std::vector<std::pair<GroupKey, Last>>& all,
                      VisitRow&& visit_row) {
        archive.list(all, [&](std::pair<GroupKey, Last>& one) {
            archive.number(one.first[0]);
            archive.number(one.first[1]);
            archive.optional(one.second.count);
            archive.optional(one.second.first, [&](GcCollection& gc) {
                archive.optional(gc.count);
                archive.optional(gc.depth);
                archive.optional(gc.type);
                visit_row(archive, gc.row);
                archive.number(gc.counts);
            });
        });
    }

    std::unordered_map<GroupKey, Last, GroupKeyHash> lasts_; // by runtime
    std::uint64_t dropped_ = 0;
    bool continues_ = false;
};

} // namespace etl::analysis
