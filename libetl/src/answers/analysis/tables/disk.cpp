// etl disk. docs/analysis.md#disk
#include "analysis/disk_operations.hpp"
#include "analysis/groups.hpp"
#include "analysis/table_list.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

enum class DiskBy : std::uint8_t { process, file, disk };

class Disk final : public Analyzer {
public:
    explicit Disk(DiskBy by) : by_(by) {}

    void subscribe(Subscriptions& subscriptions) override {
        DiskOperations::subscribe(subscriptions);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        operations_.start(context);
    }

    void add(const Record& record) override {
        if (const auto operation = operations_.take(record)) {
            add_completion(*operation);
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
        if (operations_.dropped() != 0) {
            table.coverage.remainders.push_back({"dropped_operations", operations_.dropped()});
        }
        return table;
    }

    void save(Archive& to) override { operations_.save(to); }

    void stitch(Archive& from) override {
        operations_.stitch(from, [this](const DiskCompletion& one) { add_completion(one); });
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

    void add_completion(const DiskCompletion& one) {
        if (!one.in_range || !(*context().owners)[one.owner].is_selected) {
            return;
        }
        std::uint64_t* const row = groups_.find({key_of(one), 0, 0});
        const bool is_read = one.tag == DiskOperations::read_tag;
        if (one.tag == DiskOperations::flush_tag) {
            ++row[flushes];
        } else {
            ++row[is_read ? reads : writes];
            row[is_read ? read_bytes : write_bytes] += one.size;
        }
        add_times(one, row);
    }

    void add_times(const DiskCompletion& one, std::uint64_t* row) const {
        const std::int64_t served =
            one.previous ? std::max(one.begin, std::min(*one.previous, one.time)) : one.begin;
        const std::uint64_t taken = context().cut(one.begin, one.time);
        const std::uint64_t serving = context().cut(served, one.time);
        row[elapsed] += taken;
        row[service] += serving;
        row[queue] += taken - serving;
        row[max_elapsed] = std::max(row[max_elapsed], taken);
    }

    std::uint64_t key_of(const DiskCompletion& one) {
        switch (by_) {
        case DiskBy::process:
            return one.owner;
        case DiskBy::file: {
            const std::string_view name = operations_.file_name(one);
            return name.empty() ? 0 : texts_.number_of(name);
        }
        case DiskBy::disk:
            break;
        }
        return one.disk;
    }

    DiskBy by_;
    Groups groups_{values};
    Texts texts_;
    DiskOperations operations_;
};

constexpr std::string_view disk_sums[] = {"reads", "read_bytes", "writes", "write_bytes",
                                          "flushes"};

constexpr auto disk_forms =
    forms_of(disk_table, {
                             {.by = "process",
                              .needs = TableNeeds::processes,
                              .make = make<Disk, DiskBy::process>,
                              .parts = PartsOf::carried,
                              .state = "disk",
                              .window_sums = disk_sums,
                              .title = "Disk by process",
                              .events = "event == DiskIo/* && process == {process}",
                              .places = {.report = 60, .brief = 41, .tracerpt = 12}},
                             {.by = "file",
                              .needs = TableNeeds::all_facts,
                              .make = make<Disk, DiskBy::file>,
                              .parts = PartsOf::carried,
                              .state = "disk",
                              .window_sums = disk_sums,
                              .title = "Disk by file",
                              .events = "event in (DiskIo/Read, DiskIo/Write)",
                              .events_options = "--enrich",
                              .places = {.report = 61, .brief = 40, .tracerpt = 31}},
                             {.by = "disk",
                              .needs = TableNeeds::processes,
                              .make = make<Disk, DiskBy::disk>,
                              .parts = PartsOf::carried,
                              .state = "disk",
                              .places = {.tracerpt = 21}},
                         });

} // namespace

constinit const TableKind disk_table{
    .name = "disk",
    .summary = "Print disk reads and writes with their times",
    .question = "Which processes and files cause disk requests?",
    .examples = R"(  etl disk trace.etl
  etl disk --by file --limit 20 trace.etl
  etl disk --by disk --process kettle --format csv -o disk.csv trace.etl)",
    .is_compared = true,
    .forms = disk_forms,
};

} // namespace etl::analysis
