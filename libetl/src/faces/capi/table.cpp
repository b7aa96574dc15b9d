#include <etl/etl.h>
#include <etl/table.hpp>

#include "analysis/limits.hpp"
#include "analysis/tables.hpp"
#include "capi/results.hpp"
#include "capi/values.hpp"

using namespace etl;
using namespace etl::capi;

namespace {

std::expected<TableOptions, etl_error> options_of(const char* name,
                                                  const etl_table_options* given) {
    const auto read = read_sized(given);
    if (!read) {
        return std::unexpected(read.error());
    }
    const std::string by(view_of(read->by));
    if (analysis::find_table(view_of(name), by) == nullptr) {
        return failed(ETL_NOT_FOUND, "no table '" + std::string(view_of(name)) + "'" +
                                         (by.empty() ? "" : " by '" + by + "'"));
    }
    if (read->slices > analysis::limits::analysis_slices) {
        return failed(ETL_INVALID_ARGUMENT, "slices: at most 10000");
    }
    TableOptions options{.by = by,
                         .where = std::string(view_of(read->where)),
                         .from = std::string(view_of(read->from)),
                         .to = std::string(view_of(read->to)),
                         .processes = list_of(read->processes, read->process_count),
                         .schemas = list_of(read->schemas, read->schema_count),
                         .symbols = list_of(read->symbols, read->symbol_count),
                         .threads = read->threads};
    if (read->slices != 0) {
        options.slices = read->slices;
    }
    return options;
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
        const auto how = options_of(name, options);
        if (!how) {
            return std::unexpected(how.error());
        }
        auto computed = Table::compute(view_of(name), list_of(paths, count), *how);
        if (!computed) {
            return failed(computed.error());
        }
        *table = new etl_table{*std::move(computed)};
        return ETL_OK;
    });
}

void etl_table_free(etl_table* table) {
    delete table;
}

size_t etl_table_column_count(const etl_table* table) {
    return table->contents().columns.size();
}

size_t etl_table_row_count(const etl_table* table) {
    return table->contents().rows.size();
}

etl_status etl_table_column(const etl_table* table, size_t index, etl_column* column,
                            etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        const auto& columns = table->contents().columns;
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
    const auto& rows = table->contents().rows;
    return row < rows.size() ? cell_of(rows[row].cells, column) : cell_of(analysis::Cell());
}

etl_cell etl_table_total(const etl_table* table, size_t column) {
    return cell_of(table->contents().total, column);
}

size_t etl_table_remark_count(const etl_table* table) {
    return table->table.remarks().size();
}

etl_text etl_table_remark(const etl_table* table, size_t index) {
    const auto remarks = table->table.remarks();
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
