// etl files. docs/analysis.md#files
#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/parts/pairs.hpp"
#include "analysis/table_list.hpp"
#include "analysis/times/file_operations.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

enum class FilesBy : std::uint8_t { process, file, operation };

enum EndField : unsigned { end_irp, extra_info, status };

enum FaultField : unsigned { fault_start, fault_file, fault_thread, fault_bytes };

constexpr std::uint32_t end_tag = 0x100, hard_fault_tag = 0x101;
constexpr std::uint32_t read_type = 67, write_type = 68;

class Files final : public Analyzer {
public:
    explicit Files(FilesBy by) : by_(by) {}

    void subscribe(Subscriptions& subscriptions) override {
        ask_for_file_operations(subscriptions, end_tag);
        subscriptions.hook(0x0220, hard_fault_tag,
                           {"InitialTime", "FileObject", "TThreadId", "ByteCount"});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        operations_.start(context);
    }

    void add(const Record& record) override {
        if (is_file_repetition(record, context())) {
            return;
        }
        if (record.tag == end_tag) {
            add_end(record);
        } else if (record.tag == hard_fault_tag) {
            add_fault(record);
        } else {
            add_operation(record);
        }
    }

    Table finish() override {
        const KeyColumn keys[] = {{key_part(), by_ == FilesBy::file ? "file" : "operation"}};
        const Column columns[] = {sum_column("operations"),
                                  sum_column("read_bytes", Unit::bytes),
                                  sum_column("write_bytes", Unit::bytes),
                                  sum_column("completed"),
                                  ticks_column("duration_ns"),
                                  ticks_column("max_duration_ns", Adding::maximum),
                                  sum_column("errors"),
                                  sum_column("hard_faults"),
                                  sum_column("hard_fault_bytes", Unit::bytes),
                                  ticks_column("hard_fault_ns")};
        Table table = table_of("files", groups_, *context().owners, texts_, keys, columns);
        table.sort_column = *table.find(has_ends_ ? "duration_ns" : "hard_fault_ns");
        report_missing(table);
        if (!context().is_part && !context().is_cut) {
            operations_.for_each_open([this](const Operation& one) { miss_end(one); });
        }
        table.coverage.remainders.push_back({"never_completed", never_completed_});
        table.coverage.remainders.push_back({"dropped_operations", operations_.dropped()});
        return table;
    }

    void save(Archive& to) override {
        to.number(has_ends_);
        operations_.save(to, visitors());
    }

    void stitch(Archive& from) override {
        bool has_ends = false;
        from.number(has_ends);
        has_ends_ = has_ends_ || has_ends;
        operations_.stitch(
            from, visitors(),
            [this](const Operation& operation, const End& end) { complete(operation, end); },
            [this](const Operation& operation) { miss_end(operation); });
    }

private:
    enum Value : std::size_t {
        begun,
        read_bytes,
        write_bytes,
        completed,
        duration,
        max_duration,
        errors,
        faults,
        fault_size,
        fault_time,
        values,
    };

    struct Operation {
        std::uint64_t row = 0; // key; 0: of a process that is not selected
        std::int64_t time = 0;
        std::uint32_t type = 0;
        OwnerRef owner = Owners::unknown;
        bool in_range = false;
    };

    struct End {
        std::int64_t time = 0;
        std::uint64_t bytes = 0, status = 0;
        bool in_range = false;
    };

    using Operations = Pairs<std::uint64_t, Operation, End>; // by IRP

    KeyPart key_part() const noexcept {
        return by_ == FilesBy::process ? KeyPart::owner : KeyPart::text;
    }

    Operations::Visitors visitors() {
        return {.key = [](Archive& archive, std::uint64_t& irp) { archive.number(irp); },
                .begin =
                    [this](Archive& archive, Operation& one) {
                        visit_key_part(archive, key_part(), *context().owners, texts_, one.row);
                        archive.number(one.time);
                        archive.number(one.type);
                        visit_owner(archive, *context().owners, one.owner);
                        archive.number(one.in_range);
                    },
                .end =
                    [](Archive& archive, End& end) {
                        archive.number(end.time);
                        archive.number(end.bytes);
                        archive.number(end.status);
                        archive.number(end.in_range);
                    }};
    }

    void report_missing(Table& table) const {
        if (!has_operations_) {
            set_missing(table, "file I/O", {"operations"}, record_files);
        }
        if (!has_ends_) {
            set_missing(table, "file I/O completions",
                        {"read_bytes", "write_bytes", "completed", "duration_ns", "max_duration_ns",
                         "errors"},
                        record_files);
        }
        if (!has_faults_) {
            set_missing(table, "hard faults", {"hard_faults", "hard_fault_bytes", "hard_fault_ns"},
                        "xperf -on HARD_FAULTS, or wpr -start FileIO");
        }
    }

    std::uint64_t file_of(const Record& record) {
        for (const unsigned field : {+FileField::file_key, +FileField::file_object}) {
            const std::string_view name =
                record.has(field) ? context().facts->file(record.number(field), record.time)
                                  : std::string_view();
            if (!name.empty()) {
                return texts_.number_of(name);
            }
        }
        const std::string path = terminated_utf16(record.rest(FileField::open_path));
        return path.empty() ? 0 : texts_.number_of(path);
    }

    std::uint64_t key_of(const Record& record, OwnerRef owner) {
        return by_ == FilesBy::process ? owner
               : by_ == FilesBy::file  ? file_of(record)
                                       : texts_.number_of(file_operation_name(record.tag));
    }

    void add_operation(const Record& record) {
        has_operations_ = true;
        const OwnerRef owner =
            context().owners->of_thread_id(record.number32(FileField::thread), record.time);
        Operation operation{
            .time = record.time, .type = record.tag, .owner = owner, .in_range = record.in_range};
        if ((*context().owners)[owner].is_selected) {
            operation.row = key_of(record, owner);
            if (record.in_range) {
                ++groups_.find({operation.row, 0, 0})[begun];
            }
        }
        if (is_path_of_operation(record)) {
            return;
        }
        // The same request does not run twice.
        if (const auto lost = operations_.begin(record.number(FileField::irp), operation)) {
            miss_end(*lost);
        }
    }

    void miss_end(const Operation& operation) { never_completed_ += operation.in_range ? 1U : 0U; }

    void add_end(const Record& record) {
        has_ends_ = true;
        const End end{.time = record.time,
                      .bytes = record.number(extra_info),
                      .status = record.number(status) & 0xFFFFFFFFU,
                      .in_range = record.in_range};
        if (const auto operation = operations_.end(record.number(end_irp), [&] { return end; })) {
            complete(*operation, end);
        }
    }

    void complete(const Operation& operation, const End& end) {
        if (!end.in_range || !(*context().owners)[operation.owner].is_selected) {
            return;
        }
        constexpr std::uint64_t first_warning = 0x80000000, first_error = 0xC0000000;
        std::uint64_t* const row = groups_.find({operation.row, 0, 0});
        const std::uint64_t time = context().cut(operation.time, end.time);
        ++row[completed];
        row[duration] += time;
        row[max_duration] = std::max(row[max_duration], time);
        row[errors] += end.status >= first_error ? 1U : 0U;
        if (end.status < first_warning && operation.type == read_type) {
            row[read_bytes] += end.bytes;
        } else if (end.status < first_warning && operation.type == write_type) {
            row[write_bytes] += end.bytes;
        }
    }

    void add_fault(const Record& record) {
        has_faults_ = true;
        const OwnerRef owner =
            context().owners->of_thread_id(record.number32(fault_thread), record.time);
        if (!record.in_range || !(*context().owners)[owner].is_selected) {
            return;
        }
        const std::string_view name = context().facts->file(record.number(fault_file), record.time);
        const std::uint64_t file = name.empty() ? 0 : texts_.number_of(name);
        std::uint64_t* const row =
            groups_.find({by_ == FilesBy::process ? owner
                          : by_ == FilesBy::file  ? file
                                                  : texts_.number_of("HardFault"),
                          0, 0});
        ++row[faults];
        row[fault_size] += record.number(fault_bytes);
        row[fault_time] +=
            context().cut(static_cast<std::int64_t>(record.number(fault_start)), record.time);
    }

    FilesBy by_;
    Groups groups_{values};
    Texts texts_;
    Operations operations_;
    std::uint64_t never_completed_ = 0;
    bool has_operations_ = false, has_ends_ = false, has_faults_ = false;
};

// A completion counts in the window that contains it, to the row of its operation.
constexpr std::string_view files_sums[] = {"operations",      "read_bytes", "write_bytes",
                                           "completed",       "errors",     "hard_faults",
                                           "hard_fault_bytes"};

constexpr auto files_forms = forms_of(
    files_table, {
                     {.by = "process",
                      .needs = TableNeeds::processes,
                      .make = make<Files, FilesBy::process>,
                      .parts = PartsOf::carried,
                      .state = "files.process",
                      .window_sums = files_sums,
                      .title = "File operations by process",
                      .events = "event in (FileIo/*, PageFault/HardFault) && process == {process}",
                      .places = {.report = 70, .tracerpt = 22}},
                     {.by = "file",
                      .needs = TableNeeds::all_facts,
                      .make = make<Files, FilesBy::file>,
                      .parts = PartsOf::carried,
                      .state = "files.file",
                      .window_sums = files_sums,
                      .title = "File operations by file",
                      .events = "event in (FileIo/*, PageFault/HardFault)",
                      .events_options = "--enrich",
                      .places = {.report = 71, .brief = 50, .top = 7, .tracerpt = 32}},
                     {.by = "operation",
                      .needs = TableNeeds::processes,
                      .make = make<Files, FilesBy::operation>,
                      .parts = PartsOf::carried,
                      .state = "files.operation"},
                 });

} // namespace

constinit const TableKind files_table{
    .name = "files",
    .summary = "Print file operations and hard faults with their times",
    .question = "Which file operations took time?",
    .examples = R"(  etl files trace.etl
  etl files --by file --sort read_bytes --limit 20 trace.etl
  etl files --by operation --process kettle trace.etl)",
    .is_compared = true,
    .forms = files_forms,
};

} // namespace etl::analysis
