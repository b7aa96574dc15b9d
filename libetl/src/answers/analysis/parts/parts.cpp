#include "analysis/parts.hpp"

#include "analysis/parts/archive.hpp"
#include "analysis/parts/part_rows.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

std::unexpected<Error> not_of_table() {
    return fail(ErrorCode::malformed, "not the part of such a table");
}

bool fits(const Cell& cell, const Column& column) {
    return std::holds_alternative<std::monostate>(cell) ||
           std::holds_alternative<std::vector<std::uint64_t>>(cell) ==
               (column.unit == Unit::histogram);
}

bool has_columns(const Table& table, const TablePart& part) {
    return std::ranges::equal(table.columns, part.columns, {}, &Column::name) &&
           fit(table, part.rows);
}

/// Adds the counts by name. Returns whether all have one.
bool add_remainders(std::vector<Remainder>& to, const std::vector<TablePart::Count>& from) {
    return std::ranges::all_of(from, [&](const TablePart::Count& count) {
        const auto mine = std::ranges::find(to, count.name, &Remainder::name);
        if (mine != to.end()) {
            mine->value += count.value;
        }
        return mine != to.end() || count.value == 0;
    });
}

/// Of each part and of the analyzer that stitched them.
void keep_missing(std::vector<NotRecorded>& missing, std::span<const TablePart> parts) {
    std::erase_if(missing, [&](const NotRecorded& one) {
        return std::ranges::any_of(parts, [&](const TablePart& part) {
            return std::ranges::find(part.missing, one.source) == part.missing.end();
        });
    });
}

bool has_dropped(const Table& table) {
    return table.rows.size() > limits::analysis_rows ||
           std::ranges::any_of(table.coverage.remainders, [](const Remainder& one) {
               return one.value != 0 && one.name.starts_with("dropped");
           });
}

void order_by_slice(Table& table) {
    if (const auto slice = table.find("slice"); slice && table.is_ordered) {
        std::ranges::stable_sort(table.rows, [&](const Row& a, const Row& b) {
            return std::tie(a.cells[*slice], a.cells.front()) <
                   std::tie(b.cells[*slice], b.cells.front());
        });
    }
}

void fill(Coverage& coverage, const TablePart::Whole& whole, const flow::Clock& clock) {
    coverage.processors = whole.processors;
    coverage.lost_events = whole.lost_events;
    coverage.lost_buffers = whole.lost_buffers;
    if (whole.has_events) {
        coverage.begin = clock.to_filetime(whole.begin);
        coverage.end = clock.to_filetime(whole.end);
        coverage.duration_ns = nanoseconds_of(static_cast<std::uint64_t>(whole.end) -
                                                  static_cast<std::uint64_t>(whole.begin),
                                              clock.frequency());
    }
}

/// Whether both are of one trace. That its losses are unknown, only one of its parts may have read.
bool agree(TablePart::Whole& whole, TablePart::Whole other) {
    const auto agree_on = [](std::optional<std::uint64_t>& one,
                             std::optional<std::uint64_t>& another) {
        if (!one || !another) {
            one = another = {};
        }
    };
    agree_on(whole.lost_events, other.lost_events);
    agree_on(whole.lost_buffers, other.lost_buffers);
    return whole == other;
}

flow::Clock clock_of(const TablePart::Whole& whole) {
    format::LogfileHeader header;
    header.reserved_flags = static_cast<std::uint32_t>(
        whole.has_ticks ? format::ClockType::qpc : format::ClockType::system_time);
    header.start_time = whole.start;
    header.perf_freq = whole.frequency;
    return {header, whole.reference};
}

/// An analyzer that sees no events of a trace, but what its parts carry.
class Stitching {
public:
    Stitching(const TableForm& form, const TableOptions& options, const TablePart::Whole& whole)
        : analyzer_(form.make(options)), facts_(std::make_shared<facts::FactsByTrace>(1)),
          owners_(facts_->front(), {}), end_(whole.end) {
        trace_.clock = clock_of(whole);
        context_ = {.trace = &trace_,
                    .facts = &facts_->front(),
                    .all_facts = facts_,
                    .owners = &owners_,
                    .names = &names_,
                    .schemas = &schemas_,
                    .begin = whole.begin,
                    .end = whole.planned_end};
        analyzer_->start(context_);
    }

    /// Returns whether it could be read.
    bool add(const TablePart& part) {
        Archive archive(part.carried);
        analyzer_->stitch(archive);
        return archive.is_complete();
    }

    Table table() {
        context_.end = end_;
        Table table = analyzer_->finish();
        table.coverage.remainders.push_back({"dropped", owners_.dropped()});
        table.coverage.remainders.push_back({"untimed_events", 0}); // added from the parts
        return table;
    }

    const flow::Clock& clock() const noexcept { return trace_.clock; }

private:
    std::unique_ptr<Analyzer> analyzer_;
    std::shared_ptr<const facts::FactsByTrace> facts_;
    Owners owners_;
    facts::FrameNames names_;
    schema::SchemasByTrace schemas_;
    flow::TraceInfo trace_;
    Context context_;
    std::int64_t end_;
};

} // namespace

bool fit(const Table& table, const std::vector<Row>& rows) {
    return std::ranges::all_of(
        rows, [&](const Row& row) { return std::ranges::equal(row.cells, table.columns, fits); });
}

TablePart part_of(Table table) {
    TablePart part;
    for (const Column& column : table.columns) {
        part.columns.emplace_back(column.name);
    }
    for (const NotRecorded& missing : table.coverage.not_recorded) {
        part.missing.emplace_back(missing.source);
    }
    for (const Remainder& remainder : table.coverage.remainders) {
        part.remainders.push_back({std::string(remainder.name), remainder.value});
    }
    part.other_versions = std::move(table.coverage.other_versions);
    part.rows = std::move(table.rows);
    return part;
}

std::vector<std::byte> carried_of(Analyzer& analyzer) {
    Archive archive;
    analyzer.save(archive);
    return archive.take();
}

Result<Table> combine(const TableForm& form, const TableOptions& options,
                      std::span<const TablePart> parts) {
    TablePart::Whole whole = parts.front().whole;
    Stitching stitching(form, options, whole);
    for (const TablePart& part : parts) {
        if (!agree(whole, part.whole) || !stitching.add(part)) {
            return not_of_table();
        }
    }
    Table table = stitching.table();
    for (const TablePart& part : parts) {
        if (!has_columns(table, part) ||
            !add_remainders(table.coverage.remainders, part.remainders)) {
            return not_of_table();
        }
        for (const OtherVersion& one : part.other_versions) {
            add(table.coverage.other_versions, one);
        }
        add_rows(table, part.rows, false);
        table.coverage.events += part.events;
        table.coverage.used_events += part.used_events;
    }
    if (has_dropped(table)) {
        return fail(ErrorCode::unsupported,
                    "a limit was reached; the table would depend on the parts: print it without");
    }
    keep_missing(table.coverage.not_recorded, parts);
    order_by_slice(table);
    fill(table.coverage, whole, stitching.clock());
    table.blank_missing();
    table.add_up();
    table.convert_ticks(stitching.clock().frequency());
    return table;
}

} // namespace etl::analysis
