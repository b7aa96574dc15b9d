// etl disk. docs/analysis.md#disk
#include "analysis/group_table.hpp"
#include "analysis/tables/makers.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

enum DiskTag : std::uint32_t { read_tag, write_tag, flush_tag, init_tag };

enum DiskField : unsigned {
    disk_field,
    size_field,
    file_field,
    elapsed_field,
    thread_field,
    irp_field
};

constexpr std::pair<std::uint16_t, DiskTag> disk_hooks[] = {
    {0x010A, read_tag},  {0x0137, read_tag},  {0x010B, write_tag},
    {0x0138, write_tag}, {0x010E, flush_tag}, {0x0139, flush_tag}};

class Disk final : public Analyzer {
public:
    explicit Disk(DiskBy by) : by_(by) {}

    void ask(Wishes& wishes) override {
        for (const auto& [hook, tag] : disk_hooks) {
            wishes.hook(hook, tag,
                        {"DiskNumber", "TransferSize", "FileObject", "HighResResponseTime",
                         "IssuingThreadId", "Irp"});
        }
        for (const std::uint16_t hook :
             std::initializer_list<std::uint16_t>{0x010C, 0x010D, 0x010F, 0x013A, 0x013B, 0x013C}) {
            wishes.hook(hook, init_tag, {"Irp"}, Use::context);
        }
    }

    void add(const Record& record) override {
        if (record.tag == init_tag) {
            add_init(record);
        } else {
            add_completion(record);
        }
    }

    Table finish() override {
        const KeyColumn keys[] = {{by_ == DiskBy::process ? KeyPart::owner
                                   : by_ == DiskBy::file  ? KeyPart::text
                                                          : KeyPart::number,
                                   by_ == DiskBy::file ? "file" : "disk"}};
        const Column columns[] = {sum_column("reads"),
                                  sum_column("read_bytes", Unit::bytes),
                                  sum_column("writes"),
                                  sum_column("write_bytes", Unit::bytes),
                                  sum_column("flushes"),
                                  ticks_column("elapsed_ns"),
                                  ticks_column("service_ns"),
                                  ticks_column("queue_ns"),
                                  ticks_column("max_elapsed_ns", Adding::maximum)};
        Table table = table_of("disk", groups_, *context().owners, texts_, keys, columns);
        table.sort_column = *table.find("elapsed_ns");
        if (!has_completions_) {
            set_missing(table, "disk I/O",
                        {"reads", "read_bytes", "writes", "write_bytes", "flushes"},
                        "xperf -on DISK_IO, or wpr -start DiskIO");
        }
        if (!has_times_) {
            set_missing(table, "disk I/O times",
                        {"elapsed_ns", "service_ns", "queue_ns", "max_elapsed_ns"},
                        "xperf -on DISK_IO, or wpr -start DiskIO");
        }
        return table;
    }

private:
    enum Value : std::size_t {
        reads,
        read_bytes,
        writes,
        write_bytes,
        flushes,
        elapsed,
        service,
        queue,
        max_elapsed,
        values,
    };

    void add_init(const Record& record) {
        if (record.thread == flow::no_id || !record.has(0)) {
            return;
        }
        if (initiators_.size() >= limits::analysis_operations) {
            initiators_.clear(); // their completions were lost
        }
        initiators_[record.number(0)] = record.thread;
    }

    std::uint32_t thread_of(const Record& record) {
        const auto init = initiators_.find(record.number(irp_field));
        const std::uint32_t initiator = init != initiators_.end() ? init->second : flow::no_id;
        if (init != initiators_.end()) {
            initiators_.erase(init);
        }
        const std::uint32_t issuer = record.number32(thread_field);
        return record.has(thread_field) && issuer != 0 && issuer != flow::no_id ? issuer
                                                                                : initiator;
    }

    void add_completion(const Record& record) {
        has_completions_ = true;
        has_times_ = has_times_ || record.has(elapsed_field);
        const std::uint64_t disk = record.number(disk_field);
        if (last_.size() >= limits::analysis_operations) {
            last_.clear(); // more than there are disks
        }
        const auto [previous, is_first] = last_.try_emplace(disk, record.time);
        const std::int64_t before = std::exchange(previous->second, record.time);
        const OwnerRef owner = context().owners->of_thread_id(thread_of(record), record.time);
        if (!record.in_range || !(*context().owners)[owner].is_selected) {
            return;
        }
        std::uint64_t* const row = row_of(record, owner);
        const bool is_read = record.tag == read_tag;
        if (record.tag == flush_tag) {
            ++row[flushes];
        } else {
            ++row[is_read ? reads : writes];
            row[is_read ? read_bytes : write_bytes] += record.number(size_field);
        }
        add_times(record, row, is_first ? std::nullopt : std::optional(before));
    }

    void add_times(const Record& record, std::uint64_t* row,
                   std::optional<std::int64_t> previous) const {
        const std::uint64_t all = record.number(elapsed_field);
        const auto now = static_cast<std::uint64_t>(record.time);
        const std::int64_t begin =
            record.time < 0 || all > now ? 0 : static_cast<std::int64_t>(now - all);
        const std::int64_t served =
            previous ? std::max(begin, std::min(*previous, record.time)) : begin;
        const std::uint64_t taken = context().cut(begin, record.time);
        const std::uint64_t serving = context().cut(served, record.time);
        row[elapsed] += taken;
        row[service] += serving;
        row[queue] += taken - serving;
        row[max_elapsed] = std::max(row[max_elapsed], taken);
    }

    std::uint64_t* row_of(const Record& record, OwnerRef owner) {
        switch (by_) {
        case DiskBy::process:
            return groups_.find({owner, 0, 0});
        case DiskBy::file: {
            const std::string_view name =
                record.has(file_field)
                    ? context().facts->file(record.number(file_field), record.time)
                    : std::string_view();
            return groups_.find({name.empty() ? 0 : texts_.number_of(name), 0, 0});
        }
        case DiskBy::disk:
            break;
        }
        return groups_.find({record.number(disk_field), 0, 0});
    }

    DiskBy by_;
    Groups groups_{values};
    Texts texts_;
    std::unordered_map<std::uint64_t, std::uint32_t> initiators_; // thread by IRP
    std::unordered_map<std::uint64_t, std::int64_t> last_;        // completion by disk
    bool has_completions_ = false, has_times_ = false;
};

} // namespace

std::unique_ptr<Analyzer> make_disk(DiskBy by) {
    return std::make_unique<Disk>(by);
}

} // namespace etl::analysis
