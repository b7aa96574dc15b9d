// Pauses for garbage collections of the .NET runtime. Private to analysis. docs/analysis.md#gc
#pragma once

#include <etl/bytes.hpp>

#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/parts/archive.hpp"
#include "base/function_ref.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace etl::analysis {

// Payloads of events of the .NET runtime. docs/analysis.md#gc

/// Fields at known places; nothing: the payload ends before it.
class ClrPayload {
public:
    explicit ClrPayload(Bytes bytes) : bytes_(bytes) {}

    template <typename T>
    std::optional<std::uint64_t> at(std::size_t offset) const noexcept {
        return has_range(bytes_, offset, sizeof(T))
                   ? std::optional<std::uint64_t>(load_le<T>(bytes_.data() + offset))
                   : std::nullopt;
    }

    /// The last two bytes.
    std::optional<std::uint64_t> last16() const noexcept {
        return bytes_.size() >= 2 ? at<std::uint16_t>(bytes_.size() - 2) : std::nullopt;
    }

    /// The offset of what follows a UTF-16 text.
    std::size_t after_text(std::size_t offset) const noexcept {
        while (const auto unit = at<std::uint16_t>(offset)) {
            offset += 2;
            if (*unit == 0) {
                break;
            }
        }
        return offset;
    }

private:
    Bytes bytes_;
};

struct GcPause {
    /// The event that ends it.
    struct End {
        std::int64_t time = 0; // raw
        OwnerRef owner = Owners::unknown;
        std::uint32_t thread = flow::no_id;
        bool counts = false; // in range, and of a selected process
        EventPlace place;
    };

    std::int64_t begin = 0; // raw
    std::optional<std::int64_t> suspended;
    std::uint64_t clr_instance = no_part; // no_part: unknown
    End end;
};

/// Pairs SuspendEEBegin and RestartEEEnd of a thread: another one can begin to suspend and wait for
/// the first to restart. Layouts of ClrEtwAll.man.
class GcPauses {
public:
    static constexpr std::uint16_t restart_end = 3, suspend_end = 8, suspend_begin = 9;

    static void subscribe(Subscriptions& subscriptions, std::uint32_t tag) {
        subscriptions.provider(format::dotnet_runtime_guid, tag,
                               {restart_end, suspend_end, suspend_begin});
    }

    /// Before the first event.
    void start(Context& context) { context_ = &context; }

    /// Takes one of these events. Returns the pause that it ends.
    std::optional<GcPause> add(const Record& record);

    /// Whether there was an event, in range or not.
    bool has_events() const noexcept { return has_events_; }

    /// Pauses that began in the range, in processes that are selected, and have not ended.
    std::uint64_t open() const noexcept {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            open_, [](const auto& one) { return one.second.is_open && one.second.counts; }));
    }

    std::uint64_t dropped() const noexcept { return dropped_; }

    /// As those of Analyzer. Shows the pauses that reach over the edge of a part.
    void save(Archive& to);
    void stitch(Archive& from, FunctionRef<void(const GcPause&)> show);

private:
    /// Of a thread. A part does not know what is open at its begin.
    struct Suspension {
        std::int64_t begin = 0;
        std::optional<std::int64_t> suspended{};
        bool is_open = false;
        bool counts = false;  // began in the range, in a process that is selected
        bool is_known = true; // whether it is open
        // What an earlier part may have begun:
        std::optional<std::int64_t> end_suspended{};
        std::optional<GcPause::End> end{};
    };

    using Suspensions = std::unordered_map<GroupKey, Suspension, GroupKeyHash>;

    Suspension& of(const GroupKey& key);
    GcPause::End end_of(const Record& record) const;
    void visit(Archive& archive, std::pair<GroupKey, Suspension>& one);

    Context* context_ = nullptr;
    Suspensions open_; // by process, runtime, and thread
    std::uint64_t dropped_ = 0;
    bool has_events_ = false;
};

/// Asks for the events that state the sizes of .NET heaps.
void subscribe_to_heaps(Subscriptions& subscriptions, std::uint32_t tag);

/// Returns the bytes of all generations of a heap after a collection; nothing: the event is
/// truncated, or its sizes cannot be.
std::optional<std::uint64_t> heap_size_of(const Record& record);

inline constexpr std::string_view record_gc = "Microsoft-Windows-DotNETRuntime, keyword 0x1 (GC)";

} // namespace etl::analysis
