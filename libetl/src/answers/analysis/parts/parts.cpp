#include "analysis/parts.hpp"

#include "analysis/parts/archive.hpp"
#include "analysis/parts/part_rows.hpp"
#include "base/hashes.hpp"

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

std::vector<std::byte> state_of(Analyzer& analyzer) {
    Archive archive;
    analyzer.save_state(archive);
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

namespace {

/// Whether a source of a table was recorded before a window; nothing: the state does not say.
std::optional<bool> is_recorded(std::string_view source, const TableState& state) {
    const TableForm* const form = find_table(state.table, state.by);
    if (form == nullptr) {
        return std::nullopt;
    }
    if (std::ranges::find(state.missing, source) != state.missing.end()) {
        return false;
    }
    const Table empty = empty_table(*form);
    const auto& all = empty.coverage.not_recorded;
    return std::ranges::find(all, source, &NotRecorded::source) != all.end() ? std::optional(true)
                                                                             : std::nullopt;
}

} // namespace

bool follow(Table& table, const TableState& before) {
    auto& missing = table.coverage.not_recorded;
    for (auto source = missing.begin(); source != missing.end();) {
        const auto is_before = is_recorded(source->source, before);
        if (!is_before) {
            return false;
        }
        source = *is_before ? missing.erase(source) : std::next(source);
    }
    // Forms with the same state ask for other events besides.
    const TableForm* const form = find_table(before.table, before.by);
    const bool is_same = form != nullptr && form->kind->name == table.name;
    if (!is_same && !before.other_versions.empty()) {
        return false;
    }
    for (const OtherVersion& one : before.other_versions) {
        add(table.coverage.other_versions, one);
    }
    for (const TablePart::Count& count : before.remainders) {
        auto& remainders = table.coverage.remainders;
        const auto mine = std::ranges::find(remainders, count.name, &Remainder::name);
        if (mine != remainders.end()) {
            mine->value += count.value;
        } else if (count.value != 0) {
            return false;
        }
    }
    return true;
}

// Parts of tables as files. docs/parts.md#tables

namespace {

constexpr std::string_view part_signature = "ETLPART\n";
constexpr std::uint32_t part_version = 5;

void visit(Archive& archive, Cell& cell) {
    enum CellKind : std::uint8_t { null, number, text, list };

    auto kind = static_cast<std::uint8_t>(cell.index());
    archive.number(kind);
    if (archive.is_reading()) {
        cell = kind == number ? Cell{std::uint64_t{0}}
               : kind == text ? Cell{std::string()}
               : kind == list ? Cell{std::vector<std::uint64_t>()}
                              : Cell{};
    }
    switch (kind) {
    case null:
        break;
    case number:
        archive.number(std::get<std::uint64_t>(cell));
        break;
    case text:
        archive.text(std::get<std::string>(cell));
        break;
    case list:
        archive.list(std::get<std::vector<std::uint64_t>>(cell),
                     [&](std::uint64_t& value) { archive.number(value); });
        break;
    default:
        archive.fail();
    }
}

void visit(Archive& archive, TablePart::Whole& whole) {
    archive.number(whole.has_ticks);
    archive.number(whole.start);
    archive.number(whole.reference);
    archive.number(whole.frequency);
    archive.number(whole.has_events);
    archive.number(whole.begin);
    archive.number(whole.end);
    archive.number(whole.planned_end);
    archive.number(whole.processors);
    archive.optional(whole.lost_events);
    archive.optional(whole.lost_buffers);
    constexpr std::uint64_t max = std::uint64_t{1} << 62U; // ticks: times in it can be computed
    for (const std::int64_t end : {whole.end, whole.planned_end}) {
        if (end < whole.begin ||
            static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(whole.begin) > max) {
            archive.fail();
        }
    }
}

void visit_counts(Archive& archive, std::vector<TablePart::Count>& remainders,
                  std::vector<OtherVersion>& other_versions) {
    archive.list(remainders, [&](TablePart::Count& count) {
        archive.text(count.name);
        archive.number(count.value);
    });
    archive.list(other_versions, [&](OtherVersion& one) {
        archive.text(one.event_class);
        archive.number(one.version);
        archive.optional(one.layout);
        archive.number(one.is_short);
        archive.number(one.events);
    });
}

void visit(Archive& archive, TablePart& part) {
    const auto text = [&](std::string& one) { archive.text(one); };
    archive.list(part.columns, text);
    visit_rows(archive, part.rows);
    archive.list(part.missing, text);
    visit_counts(archive, part.remainders, part.other_versions);
    archive.number(part.events);
    archive.number(part.used_events);
    archive.bytes(part.carried);
    visit(archive, part.whole);
}

void visit(Archive& archive, TableOptions& options) {
    archive.number(options.slices);
    archive.number(options.excludes_interrupts);
    archive.number(options.bucket_factor);
    archive.number(options.has_process_ids);
    archive.number(options.per_kind);
}

void visit(Archive& archive, PartFile& part) {
    archive.number(part.number);
    archive.number(part.count);
    archive.text(part.table);
    archive.text(part.by);
    visit(archive, part.options);
    archive.list(part.made_from, [&](std::pair<std::string, std::string>& one) {
        archive.raw_text(one.first);
        archive.raw_text(one.second);
    });
    archive.list(part.traces, [&](TablePart& one) { visit(archive, one); });
    archive.list(part.origins, [&](facts::Origin& one) {
        archive.number(one.trace);
        archive.text(one.machine);
        std::optional<std::int64_t> boot = one.boot ? std::optional(one.boot->ticks) : std::nullopt;
        archive.optional(boot);
        one.boot = boot ? std::optional(Filetime{*boot}) : std::nullopt;
    });
}

bool is_allowed(const PartFile& part) {
    return part.number >= 1 && part.number <= part.count && part.options.slices >= 1 &&
           part.options.slices <= limits::analysis_slices &&
           (part.origins.empty() || part.origins.size() == part.traces.size());
}

} // namespace

void visit(Archive& archive, TableState& state) {
    archive.text(state.table);
    archive.text(state.by);
    archive.list(state.missing, [&](std::string& one) { archive.text(one); });
    visit_counts(archive, state.remainders, state.other_versions);
    archive.number(state.has_unknown_losses);
    archive.bytes(state.carried);
}

void visit_rows(Archive& archive, std::vector<Row>& rows) {
    archive.list(rows, [&](Row& row) {
        archive.list(row.cells, [&](Cell& cell) { visit(archive, cell); });
        archive.number(row.in_total);
    });
}

std::vector<std::byte> encode(const PartFile& part) {
    Archive archive;
    PartFile copy = part;
    visit(archive, copy);
    return with_checksum(archive.take());
}

std::vector<std::byte> with_checksum(Bytes content) {
    ByteWriter to;
    to.text8(part_signature).u32(part_version).u32(0).bytes(content).u64(checksum_of(content));
    return to.take();
}

Result<PartFile> parse_part_file(Bytes file) {
    Cursor from(file);
    if (as_text(from.bytes("signature", part_signature.size())) != part_signature) {
        return fail(ErrorCode::malformed, "not a part of a table");
    }
    const std::uint32_t found = from.u32("version");
    from.u32("reserved");
    if (!from) {
        return std::unexpected(from.error());
    }
    if (found != part_version) {
        return fail(ErrorCode::unsupported, "version of the part", {part_signature.size()},
                    part_version, found);
    }
    constexpr std::size_t checksum_size = 8;
    if (from.left() < checksum_size) {
        return fail(ErrorCode::truncated, "part of a table");
    }
    const Bytes content = from.bytes("content", from.left() - checksum_size);
    if (from.u64("checksum") != checksum_of(content)) {
        return fail(ErrorCode::malformed, "checksum mismatch in the part");
    }
    Archive archive(content);
    PartFile part;
    visit(archive, part);
    if (!archive.is_complete() || !is_allowed(part)) {
        return fail(ErrorCode::malformed, "content of the part");
    }
    return part;
}

} // namespace etl::analysis
