// etl disk. docs/analysis.md#disk
#include "analysis/disk_operations.hpp"
#include "analysis/group_table.hpp"
#include "analysis/tables/makers.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

class Disk final : public Analyzer {
public:
    explicit Disk(DiskBy by) : by_(by) {}

    void ask(Wishes& wishes) override { DiskOperations::ask(wishes); }

    void add(const Record& record) override {
        if (const auto operation = operations_.take(record)) {
            add_completion(record, *operation);
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
        if (!operations_.has_completions()) {
            set_missing(table, "disk I/O",
                        {"reads", "read_bytes", "writes", "write_bytes", "flushes"}, record_disk);
        }
        if (!operations_.has_times()) {
            set_missing(table, "disk I/O times",
                        {"elapsed_ns", "service_ns", "queue_ns", "max_elapsed_ns"}, record_disk);
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

    void add_completion(const Record& record, const DiskOperations::Operation& operation) {
        const OwnerRef owner = context().owners->of_thread_id(operation.thread, record.time);
        if (!record.in_range || !(*context().owners)[owner].is_selected) {
            return;
        }
        std::uint64_t* const row = row_of(record, owner);
        const bool is_read = record.tag == DiskOperations::read_tag;
        if (record.tag == DiskOperations::flush_tag) {
            ++row[flushes];
        } else {
            ++row[is_read ? reads : writes];
            row[is_read ? read_bytes : write_bytes] += record.number(DiskOperations::size);
        }
        add_times(record, row, operation.previous);
    }

    void add_times(const Record& record, std::uint64_t* row,
                   std::optional<std::int64_t> previous) const {
        const std::int64_t begin = DiskOperations::begin_of(record);
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
                record.has(DiskOperations::file)
                    ? context().facts->file(record.number(DiskOperations::file), record.time)
                    : std::string_view();
            return groups_.find({name.empty() ? 0 : texts_.number_of(name), 0, 0});
        }
        case DiskBy::disk:
            break;
        }
        return groups_.find({record.number(DiskOperations::disk), 0, 0});
    }

    DiskBy by_;
    Groups groups_{values};
    Texts texts_;
    DiskOperations operations_;
};

} // namespace

std::unique_ptr<Analyzer> make_disk(DiskBy by) {
    return std::make_unique<Disk>(by);
}

} // namespace etl::analysis
