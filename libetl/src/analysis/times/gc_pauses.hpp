// Pauses for garbage collections of the .NET runtime. Private to analysis. docs/analysis.md#gc
#pragma once

#include <etl/analysis/analyzer.hpp>
#include <etl/format/known_guids.hpp>

#include "analysis/groups.hpp"

#include <optional>

namespace etl::analysis {

/// A field of a payload whose places are known; nothing: the payload ends before it.
template <typename T>
std::optional<std::uint64_t> number_at(Bytes payload, std::size_t offset) noexcept {
    return has_range(payload, offset, sizeof(T))
               ? std::optional<std::uint64_t>(load_le<T>(payload.data() + offset))
               : std::nullopt;
}

struct GcPause {
    std::int64_t begin = 0, end = 0; // raw
    std::optional<std::int64_t> suspended;
    std::optional<std::uint64_t> clr_instance;
};

/// Pairs SuspendEEBegin and RestartEEEnd. Layouts of ClrEtwAll.man.
class GcPauses {
public:
    static constexpr std::uint16_t restart_end = 3, suspend_end = 8, suspend_begin = 9;

    static constexpr bool takes(std::uint16_t id) noexcept {
        return id == restart_end || id == suspend_end || id == suspend_begin;
    }

    static void ask(Wishes& wishes, std::uint32_t tag) {
        wishes.provider(format::dotnet_runtime_guid, tag,
                        {restart_end, suspend_end, suspend_begin});
    }

    /// Takes one of these events. Returns the pause that it ends.
    // SuspendEEBegin v0: Reason u16; v1: Reason u32, Count u32, ClrInstanceID u16. The others v1:
    // ClrInstanceID u16.
    std::optional<GcPause> add(const Record& record) {
        has_events_ = true;
        const bool is_begin = record.id == suspend_begin;
        const auto instance = record.version == 0
                                  ? std::nullopt
                                  : number_at<std::uint16_t>(record.payload, is_begin ? 8 : 0);
        if (open_.size() >= limits::analysis_operations) {
            ++dropped_;
            open_.clear();
        }
        Suspension& one = open_[{record.process, instance.value_or(no_part), 0}];
        if (is_begin) {
            const auto reason = record.version == 0 ? number_at<std::uint16_t>(record.payload, 0)
                                                    : number_at<std::uint32_t>(record.payload, 0);
            if (reason == 1 || reason == 6) {
                one = {.begin = record.time, .is_open = true};
            }
        } else if (record.id == suspend_end) {
            if (one.is_open && !one.suspended) {
                one.suspended = record.time;
            }
        } else if (one.is_open) {
            const GcPause pause{one.begin, record.time, one.suspended, instance};
            one = {};
            return pause;
        }
        return {};
    }

    /// Whether there was an event, in range or not.
    bool has_events() const noexcept { return has_events_; }

    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    struct Suspension {
        std::int64_t begin = 0;
        std::optional<std::int64_t> suspended{};
        bool is_open = false;
    };

    std::unordered_map<GroupKey, Suspension, GroupKeyHash> open_; // by process and runtime
    std::uint64_t dropped_ = 0;
    bool has_events_ = false;
};

inline constexpr std::string_view record_gc = "Microsoft-Windows-DotNETRuntime, keyword 0x1 (GC)";

} // namespace etl::analysis
