// Disk I/O: completions with the threads and times of their beginnings. Private to analysis.
// docs/analysis.md#disk
#pragma once

#include <etl/analysis/analyzer.hpp>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

namespace etl::analysis {

inline constexpr std::string_view record_disk = "xperf -on DISK_IO, or wpr -start DiskIO";

class DiskOperations {
public:
    static constexpr std::uint32_t read_tag = 400, write_tag = 401, flush_tag = 402, init_tag = 403;

    enum Field : unsigned { disk, size, file, elapsed, issuer, irp };

    /// What a completion ends.
    struct Operation {
        std::uint32_t thread = flow::no_id; // that issued it
        std::optional<std::int64_t> issued; // time of its init event
        std::uint32_t issued_by = flow::no_id;
        std::optional<std::int64_t> previous; // completion on the same disk
    };

    static void ask(Wishes& wishes) {
        for (const auto& [hook, tag] :
             std::initializer_list<std::pair<std::uint16_t, std::uint32_t>>{{0x010A, read_tag},
                                                                            {0x0137, read_tag},
                                                                            {0x010B, write_tag},
                                                                            {0x0138, write_tag},
                                                                            {0x010E, flush_tag},
                                                                            {0x0139, flush_tag}}) {
            wishes.hook(hook, tag,
                        {"DiskNumber", "TransferSize", "FileObject", "HighResResponseTime",
                         "IssuingThreadId", "Irp"});
        }
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x010C, 0x010D, 0x010F, 0x013A, 0x013B, 0x013C}) {
            wishes.hook(hook, init_tag, {"Irp"}, Use::context);
        }
    }

    static bool takes(std::uint32_t tag) noexcept { return tag >= read_tag && tag <= init_tag; }

    /// Takes a record of one of the tags. Returns the operation that it completes, also before the
    /// range.
    std::optional<Operation> take(const Record& record) {
        if (record.tag == init_tag) {
            add_init(record);
            return std::nullopt;
        }
        has_completions_ = true;
        has_times_ = has_times_ || record.has(elapsed);
        if (last_.size() >= limits::analysis_operations) {
            last_.clear(); // more than there are disks
        }
        Operation operation = issued(record);
        const auto [previous, is_first] = last_.try_emplace(record.number(disk), record.time);
        const std::int64_t before = std::exchange(previous->second, record.time);
        operation.previous = is_first ? std::nullopt : std::optional(before);
        return operation;
    }

    bool has_completions() const noexcept { return has_completions_; }

    bool has_times() const noexcept { return has_times_; }

    /// Returns the time at which an operation began, by its elapsed time.
    static std::int64_t begin_of(const Record& record) noexcept {
        const std::uint64_t all = record.number(elapsed);
        const auto now = static_cast<std::uint64_t>(record.time);
        return record.time < 0 || all > now ? 0 : static_cast<std::int64_t>(now - all);
    }

private:
    struct Init {
        std::uint32_t thread = flow::no_id;
        std::int64_t time = 0;
    };

    void add_init(const Record& record) {
        if (record.thread == flow::no_id || !record.has(0)) {
            return;
        }
        if (inits_.size() >= limits::analysis_operations) {
            inits_.clear(); // their completions were lost
        }
        inits_[record.number(0)] = {record.thread, record.time};
    }

    Operation issued(const Record& record) {
        Operation operation;
        if (const auto init = inits_.find(record.number(irp)); init != inits_.end()) {
            operation.thread = operation.issued_by = init->second.thread;
            operation.issued = init->second.time;
            inits_.erase(init);
        }
        const std::uint32_t named = record.number32(issuer);
        if (record.has(issuer) && named != 0 && named != flow::no_id) {
            operation.thread = named;
        }
        return operation;
    }

    std::unordered_map<std::uint64_t, Init> inits_;        // by IRP
    std::unordered_map<std::uint64_t, std::int64_t> last_; // completion by disk
    bool has_completions_ = false, has_times_ = false;
};

} // namespace etl::analysis
