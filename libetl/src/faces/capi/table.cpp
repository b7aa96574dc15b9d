#include <etl/etl.h>

#include "capi/table_work.hpp"
#include "capi/values.hpp"

using namespace etl;
using namespace etl::capi;

namespace {

std::expected<TableRequest, etl_error> request_of(const char* name, const char* const* paths,
                                                  std::size_t count,
                                                  const etl_table_options* given) {
    const auto options = read_sized(given);
    if (!options) {
        return std::unexpected(options.error());
    }
    const analysis::TableForm* const form =
        analysis::find_table(view_of(name), view_of(options->by));
    if (form == nullptr) {
        const std::string by(view_of(options->by));
        return failed(ETL_NOT_FOUND, "no table '" + std::string(view_of(name)) + "'" +
                                         (by.empty() ? "" : " by '" + by + "'"));
    }
    if (options->slices > limits::analysis_slices) {
        return failed(ETL_INVALID_ARGUMENT, "slices: at most 10000");
    }
    TableRequest request{.form = form,
                         .paths = list_of(paths, count),
                         .processes = list_of(options->processes, options->process_count),
                         .opening = {.schemas = list_of(options->schemas, options->schema_count),
                                     .where = std::string(view_of(options->where)),
                                     .from = std::string(view_of(options->from)),
                                     .to = std::string(view_of(options->to)),
                                     .threads = options->threads,
                                     .symbols = list_of(options->symbols, options->symbol_count)}};
    if (options->slices != 0) {
        request.slices = options->slices;
    }
    return request;
}

etl_cell cell_of(const analysis::Cell& cell) noexcept {
    etl_cell to{};
    to.text = text_of({});
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        to.type = ETL_CELL_NUMBER;
        to.number = *number;
    } else if (const auto* const text = std::get_if<std::string>(&cell)) {
        to.type = ETL_CELL_TEXT;
        to.text = text_of(*text);
    } else if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        to.type = ETL_CELL_LIST;
        to.list = list->data();
        to.list_size = list->size();
    }
    return to;
}

etl_cell cell_of(const std::vector<analysis::Cell>& row, std::size_t column) noexcept {
    static const analysis::Cell none;
    return cell_of(column < row.size() ? row[column] : none); // views of the cell, not of a copy
}

} // namespace

static_assert(ETL_UNIT_HISTOGRAM == static_cast<int>(analysis::Unit::histogram));

etl_status etl_table_create(const char* name, const char* const* paths, size_t count,
                            const etl_table_options* options, etl_table** table,
                            etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *table = nullptr;
        const auto request = request_of(name, paths, count, options);
        if (!request) {
            return std::unexpected(request.error());
        }
        auto computed = compute(*request);
        if (!computed) {
            return std::unexpected(std::move(computed.error()));
        }
        *table = new etl_table{*std::move(computed)};
        return ETL_OK;
    });
}

void etl_table_free(etl_table* table) {
    delete table;
}

size_t etl_table_column_count(const etl_table* table) {
    return table->computed.table.columns.size();
}

size_t etl_table_row_count(const etl_table* table) {
    return table->computed.table.rows.size();
}

etl_status etl_table_column(const etl_table* table, size_t index, etl_column* column,
                            etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto& columns = table->computed.table.columns;
        if (index >= columns.size()) {
            return failed(ETL_NOT_FOUND, "no column has this index");
        }
        const analysis::Column& from = columns[index];
        return write_sized(column, {.struct_size = 0,
                                    .name = text_of(from.name),
                                    .unit = static_cast<std::uint32_t>(from.unit),
                                    .is_key = from.adding == analysis::Adding::key ? 1U : 0U,
                                    .is_hidden = from.is_hidden ? 1U : 0U,
                                    .reserved = 0});
    });
}

etl_cell etl_table_cell(const etl_table* table, size_t row, size_t column) {
    const auto& rows = table->computed.table.rows;
    return row < rows.size() ? cell_of(rows[row].cells, column) : cell_of(analysis::Cell());
}

etl_cell etl_table_total(const etl_table* table, size_t column) {
    return cell_of(table->computed.table.total, column);
}

size_t etl_table_remark_count(const etl_table* table) {
    return table->computed.remarks.size();
}

etl_text etl_table_remark(const etl_table* table, size_t index) {
    const auto& remarks = table->computed.remarks;
    return text_of(index < remarks.size() ? std::string_view(remarks[index]) : std::string_view());
}

size_t etl_table_kind_count(void) {
    return analysis::table_forms().size();
}

etl_text etl_table_kind_name(size_t index) {
    const auto forms = analysis::table_forms();
    return text_of(index < forms.size() ? forms[index]->kind->name : std::string_view());
}

etl_text etl_table_kind_by(size_t index) {
    const auto forms = analysis::table_forms();
    return text_of(index < forms.size() ? forms[index]->by : std::string_view());
}
