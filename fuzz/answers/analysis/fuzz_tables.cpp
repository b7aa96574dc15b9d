// A whole trace, and all tables of it. Beyond "does not crash": rows have a cell for each column,
// texts are UTF-8, and the total of a sum is that of its rows, also of a table added to itself.
#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "base/text.hpp"
#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"
#include "fuzz/small_trace.hpp"
#include "trace/reader.hpp"

using namespace etl;

namespace {

using fuzz::File;
using fuzz::kernel_classes;
using fuzz::require;

analysis::Table table_of(const File& file, const analysis::TableForm& form,
                         const analysis::PassOptions& options) {
    auto reader = trace::Reader::open(file, {});
    const auto analyzer = form.make({.slices = 7});
    auto table = analysis::run(**reader, (*reader)->info(), *analyzer, options);
    require(table.has_value());
    return *std::move(table);
}

void require_sound(const analysis::Table& table) {
    for (const analysis::Row& row : table.rows) {
        require(row.cells.size() == table.columns.size());
        for (const analysis::Cell& cell : row.cells) {
            const auto* const text = std::get_if<std::string>(&cell);
            require(text == nullptr || is_valid_utf8(*text));
        }
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        const auto* const total = std::get_if<std::uint64_t>(&table.total[i]);
        if (total == nullptr || table.columns[i].unit != analysis::Unit::count ||
            table.columns[i].adding != analysis::Adding::sum || table.columns[i].total_of) {
            continue;
        }
        std::uint64_t sum = 0;
        for (const analysis::Row& row : table.rows) {
            const auto* const number = std::get_if<std::uint64_t>(&row.cells[i]);
            sum += row.in_total && number != nullptr ? *number : 0;
        }
        require(sum == *total);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = kernel_classes();
    const File file = fuzz::small_trace(data, size);
    if (file == nullptr) {
        return 0;
    }
    analysis::PassOptions options{.facts = fuzz::facts_of(file, store)};
    options.schemas = store;
    options.progress = [](std::uint64_t events, const flow::Event&) {
        return events < fuzz::most_events;
    };
    for (const analysis::TableForm* const form : analysis::table_forms()) {
        options.range.reset();
        if (form->has_slices) {
            options.range = std::pair<std::int64_t, std::int64_t>(0, 1'000'000); // need not be true
        }
        analysis::Table table = table_of(file, *form, options);
        require_sound(table);
        const analysis::Table same = table;
        table.compute_ratios();
        table.sort();
        table.add(same);
        require_sound(table);
    }
    return 0;
}
