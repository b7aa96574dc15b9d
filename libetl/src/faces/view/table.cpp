#include <etl/table.hpp>

#include "analysis/dataset_table.hpp"
#include "analysis/limits.hpp"
#include "dataset/dataset.hpp"
#include "dataset/inputs.hpp"
#include "io/inherit_rights.hpp"
#include "io/output_file.hpp"
#include "packets/capture.hpp"
#include "rewrite/output.hpp"
#include "rows/writer.hpp"
#include "view/field_table.hpp"
#include "view/table_state.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace etl::inline view {

static_assert(static_cast<int>(ColumnUnit::histogram) ==
              static_cast<int>(analysis::Unit::histogram));

static_assert(static_cast<int>(PacketDrops::without) == static_cast<int>(packets::Drops::without));

namespace {

using dataset::Dataset;

/// Opens traces. An input that cannot be read is a message, unless none can.
std::expected<Dataset, TraceError> open_traces(const std::vector<std::string>& paths,
                                               dataset::Options options,
                                               dataset::Messages& messages) {
    messages.receive_from(options);
    auto traces = Dataset::open(paths, std::move(options));
    if (!traces.is_empty()) {
        return traces;
    }
    if (traces.problems().empty()) {
        const Error error{.code = ErrorCode::not_found, .what = "a trace"};
        return std::unexpected(paths.empty() ? TraceError{error, {}, "no trace"}
                                             : TraceError{error, paths.front()});
    }
    const dataset::Problem& problem = traces.problems().front();
    return std::unexpected(TraceError{problem.error, problem.name});
}

TableCell view_of(const analysis::Cell& cell) noexcept {
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        return {.number = *number};
    }
    if (const auto* const text = std::get_if<std::string>(&cell)) {
        return {.text = *text};
    }
    const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell);
    return list != nullptr ? TableCell{.list = *list} : TableCell{};
}

std::unexpected<TraceError> reject(ErrorCode code, std::string about, std::string detail) {
    return std::unexpected(
        TraceError{{.code = code, .what = "option"}, std::move(about), std::move(detail)});
}

dataset::Options options_of(const PacketOptions& from) {
    return {.schemas = from.schemas,
            .where = from.where,
            .from = from.from,
            .to = from.to,
            .threads = from.threads,
            .recursive = from.recursive};
}

packets::Choice choice_of(const PacketOptions& from) {
    return {.components = from.components,
            .adapters_only = from.adapters_only,
            .drops = static_cast<packets::Drops>(from.drops),
            .skip = from.skip,
            .limit = from.limit};
}

} // namespace

template <typename Compute>
std::expected<Table, TraceError> Table::State::computed(const std::vector<std::string>& paths,
                                                        const dataset::Options& options,
                                                        Compute compute) {
    dataset::Messages messages; // outlives the readers
    auto traces = open_traces(paths, options, messages);
    if (!traces) {
        return std::unexpected(std::move(traces.error()));
    }
    std::expected<analysis::Table, TraceError> table = compute(*traces);
    if (!table) {
        return std::unexpected(std::move(table.error()));
    }
    for (std::string& line : analysis::remarks_of(table->coverage)) {
        messages.add(std::move(line));
    }
    return of(*std::move(table), messages.take());
}

Table Table::State::of(analysis::Table table, std::vector<std::string> remarks) {
    auto state = std::make_unique<State>(std::move(table), std::move(remarks));
    for (std::uint32_t i = 0; i < state->table.columns.size(); ++i) {
        if (!state->table.columns[i].is_hidden) {
            state->shown.push_back(i);
        }
    }
    return Table(std::move(state));
}

Table Access::table_of(analysis::Table table, std::vector<std::string> remarks) {
    return Table::State::of(std::move(table), std::move(remarks));
}

const analysis::Table& Access::table(const Table& table) noexcept {
    return table.state_->table;
}

std::expected<Table, TraceError> Table::compute(std::string_view name,
                                                const std::vector<std::string>& paths,
                                                const TableOptions& options) {
    const analysis::TableForm* const form = analysis::find_table(name, options.by);
    if (form == nullptr) {
        return reject(ErrorCode::not_found, std::string(name),
                      options.by.empty() ? "no such table" : "no such table by " + options.by);
    }
    if (options.slices == 0 || options.slices > analysis::limits::analysis_slices) {
        return reject(ErrorCode::invalid_option, "slices", "1 to 10000");
    }
    return State::computed(paths,
                           {.schemas = options.schemas,
                            .where = options.where,
                            .from = options.from,
                            .to = options.to,
                            .threads = options.threads,
                            .recursive = options.recursive,
                            .symbols = options.symbols,
                            .uses_indexes = true},
                           [&](Dataset& traces) {
                               return analysis::table_of(traces, *form,
                                                         {.table = {.slices = options.slices},
                                                          .processes = options.processes});
                           });
}

std::expected<Table, TraceError> Table::packets(const std::vector<std::string>& paths,
                                                const PacketOptions& options) {
    return State::computed(paths, options_of(options), [&](Dataset& traces) {
        return packets::packets_of(traces, choice_of(options));
    });
}

std::expected<Table, TraceError> Table::flows(const std::vector<std::string>& paths,
                                              const PacketOptions& options) {
    return State::computed(paths, options_of(options), [&](Dataset& traces) {
        return packets::flows_of(traces, choice_of(options));
    });
}

std::vector<TableName> Table::names() {
    std::vector<TableName> names;
    for (const analysis::TableForm* const form : analysis::table_forms()) {
        names.push_back({.name = form->kind->name, .by = form->by});
    }
    return names;
}

Table::Table(Owned<State> state) noexcept : state_(std::move(state)) {}

Table::Table(Table&& other) noexcept = default;
Table& Table::operator=(Table&& other) noexcept = default;
Table::~Table() = default;

std::size_t Table::column_count() const noexcept {
    return state_->shown.size();
}

std::size_t Table::row_count() const noexcept {
    return state_->table.rows.size();
}

TableColumn Table::column(std::size_t index) const {
    const analysis::Column& column = state_->table.columns[state_->shown[index]];
    return {.name = column.name, .unit = static_cast<ColumnUnit>(column.unit)};
}

std::optional<std::size_t> Table::find(std::string_view column) const noexcept {
    for (std::size_t i = 0; i < state_->shown.size(); ++i) {
        if (state_->table.columns[state_->shown[i]].name == column) {
            return i;
        }
    }
    return std::nullopt;
}

TableCell Table::cell(std::size_t row, std::size_t column) const {
    return view_of(state_->table.rows[row].cells[state_->shown[column]]);
}

TableCell Table::total(std::size_t column) const {
    const std::uint32_t index = state_->shown[column];
    return index < state_->table.total.size() ? view_of(state_->table.total[index]) : TableCell{};
}

std::span<const std::string> Table::remarks() const noexcept {
    return state_->remarks;
}

std::string Table::State::text(rows::Format format) const {
    std::vector<rows::RowColumn> columns;
    for (const std::uint32_t i : shown) {
        columns.push_back(
            {.name = std::string(table.columns[i].name), .unit = table.columns[i].unit});
    }
    std::string text;
    const auto writer = rows::make_writer(std::move(columns), {.format = format}, text);
    writer->begin();
    std::vector<rows::Value> values(shown.size());
    for (const analysis::Row& row : table.rows) {
        std::ranges::transform(shown, values.begin(),
                               [&](std::uint32_t i) { return rows::value_of(row.cells[i]); });
        writer->add(values);
    }
    writer->end();
    return text;
}

std::string Table::csv() const {
    return state_->text(rows::Format::csv);
}

std::string Table::json() const {
    return state_->text(rows::Format::json);
}

std::expected<CaptureReport, TraceError> write_capture(const std::vector<std::string>& paths,
                                                       const std::string& output,
                                                       const PacketOptions& options,
                                                       Existing existing) {
    if (auto checked = rewrite::check_output(output, paths, options.recursive, existing);
        !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    dataset::Messages messages; // outlives the readers
    auto traces = open_traces(paths, options_of(options), messages);
    if (!traces) {
        return std::unexpected(std::move(traces.error()));
    }
    const io::InheritedRights rights(rewrite::files_of(paths, options.recursive));
    auto file = io::AtomicFile::create(output);
    if (!file) {
        return std::unexpected(TraceError{file.error(), output});
    }
    const auto written = packets::write_capture(*traces, **file, choice_of(options));
    if (!written) {
        return std::unexpected(written.error());
    }
    if (*written > 0) {
        if (const auto committed = (*file)->commit(); !committed) {
            return std::unexpected(TraceError{committed.error(), output});
        }
    }
    return CaptureReport{.packets = *written, .remarks = messages.take()};
}

} // namespace etl::inline view
