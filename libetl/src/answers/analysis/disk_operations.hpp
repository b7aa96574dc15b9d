// Disk I/O: completions with the threads and times of their beginnings. Private to analysis.
// docs/analysis.md#disk
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/parts/pairs.hpp"
#include "base/function_ref.hpp"
#include "format/kernel_disk.hpp"
#include "format/records.hpp"

#include <optional>
#include <unordered_map>
#include <utility>

namespace etl::analysis {

inline constexpr std::string_view record_disk =
    "xperf -on DISK_IO, wpr -start DiskIO, or Microsoft-Windows-Kernel-Disk";

/// Whether a record says once more what the kernel's class says, which counts.
inline bool is_disk_repetition(const Record& record, const Context& context) noexcept {
    return format::is_event(record.event->kind) && context.facts->class_sources().disk_io &&
           flow::stored<format::event_record::provider_id>(*record.event) ==
               format::kernel_disk_guid;
}

/// A completion, and what it ends. Times are raw.
struct DiskCompletion {
    std::uint32_t tag = 0; // of the subscription
    std::uint64_t disk = 0, size = 0;
    std::int64_t begin = 0, time = 0;
    bool has_elapsed = false; // otherwise, it does not tell when it began
    bool in_range = false;
    std::uint32_t thread = flow::no_id; // that issued it
    OwnerRef owner = Owners::unknown;   // of this thread
    std::optional<std::int64_t> issued; // time of its init event
    std::uint32_t issued_by = flow::no_id;
    std::optional<std::int64_t> previous; // completion on the same disk
    std::optional<std::uint64_t> file;    // object
    std::string file_name{};              // of what a part keeps
    EventPlace place{};
};

class DiskOperations {
public:
    static constexpr std::uint32_t read_tag = 400, write_tag = 401, flush_tag = 402, init_tag = 403;

    static void subscribe(Subscriptions& subscriptions);

    static bool takes(std::uint32_t tag) noexcept { return tag >= read_tag && tag <= init_tag; }

    /// Before the first event.
    void start(Context& context);

    /// Takes a record of one of the tags. Returns the completion, also before the range; nothing if
    /// a part keeps it, because its thread or the previous one can be in an earlier part.
    std::optional<DiskCompletion> take(const Record& record);

    /// The name of the file; empty: unknown. Valid as long as the completion and the facts.
    std::string_view file_name(const DiskCompletion& one) const noexcept;

    bool has_completions() const noexcept { return has_completions_; }

    bool has_times() const noexcept { return has_times_; }

    /// Beginnings that were forgotten.
    std::uint64_t dropped() const noexcept { return inits_.dropped() + dropped_; }

    /// As those of Analyzer. Shows the completions that parts have kept.
    void save(Archive& to);
    void stitch(Archive& from, FunctionRef<void(const DiskCompletion&)> show);

private:
    struct Init {
        std::uint32_t thread = flow::no_id;
        OwnerRef owner = Owners::unknown;
        std::int64_t time = 0;
    };

    /// A completion of a part whose init event or previous completion can be in an earlier one.
    struct Kept {
        DiskCompletion completion;
        bool is_first = false; // of its disk
    };

    using Inits = Pairs<std::uint64_t, Init, std::uint64_t>; // by IRP; end: index in kept_

    DiskCompletion completion_of(const Record& record) const;
    void add_init(const Record& record);
    static void take_over(DiskCompletion& completion, const Init& init);
    Inits::Visitors visitors();
    void visit(Archive& archive, std::vector<Kept>& kept);

    Context* context_ = nullptr;
    Inits inits_;
    std::unordered_map<std::uint64_t, std::int64_t> last_; // completion by disk
    std::vector<Kept> kept_;                               // of a part
    std::uint64_t dropped_ = 0;
    bool has_completions_ = false, has_times_ = false;
};

} // namespace etl::analysis
