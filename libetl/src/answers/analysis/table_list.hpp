// The list of all tables, and what their descriptions are written with. Private to analysis.
#pragma once

#include "analysis/tables.hpp"

#include <array>
#include <type_traits>

/// All tables, a line for each: the order of the verbs in the help. NAME_table is defined in the
/// source of the table.
#define ETL_TABLES(TABLE)                                                                          \
    TABLE(cpu)                                                                                     \
    TABLE(counters)                                                                                \
    TABLE(waits)                                                                                   \
    TABLE(interrupts)                                                                              \
    TABLE(disk)                                                                                    \
    TABLE(files)                                                                                   \
    TABLE(network)                                                                                 \
    TABLE(processes)                                                                               \
    TABLE(images)                                                                                  \
    TABLE(gc)                                                                                      \
    TABLE(flame)                                                                                   \
    TABLE(marks)                                                                                   \
    TABLE(stacks)                                                                                  \
    TABLE(stats)                                                                                   \
    TABLE(timeline)                                                                                \
    TABLE(tracks)                                                                                  \
    TABLE(slowest)

namespace etl::analysis {

#define ETL_DECLARE_TABLE(name) extern const TableKind name##_table;
ETL_TABLES(ETL_DECLARE_TABLE)
#undef ETL_DECLARE_TABLE

/// For TableForm::make: makes an analyzer from what its rows are, if there are several forms, and
/// from the options, if it takes them.
template <typename Table, auto... by>
std::unique_ptr<Analyzer> make(const TableOptions& options) {
    if constexpr (std::is_constructible_v<Table, decltype(by)..., const TableOptions&>) {
        return std::make_unique<Table>(by..., options);
    } else {
        return std::make_unique<Table>(by...);
    }
}

/// Returns the forms of a table, for TableKind::forms.
template <std::size_t count>
constexpr std::array<TableForm, count> forms_of(const TableKind& kind,
                                                const TableForm (&forms)[count]) {
    std::array<TableForm, count> all = std::to_array(forms);
    for (TableForm& form : all) {
        form.kind = &kind;
    }
    return all;
}

} // namespace etl::analysis
