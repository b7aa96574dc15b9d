// A whole trace, and all tables of it. Beyond "does not crash": rows have a cell for each column,
// texts are UTF-8, the total of a sum is that of its rows, and facts that are collected on the way
// yield the same table as those of a pass of their own.
#include <etl/analysis/pass.hpp>
#include <etl/analysis/tables.hpp>
#include <etl/base/text.hpp>
#include <etl/facts/collector.hpp>
#include <etl/trace/reader.hpp>

#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"

using namespace etl;

namespace {

using fuzz::kernel_classes;
using fuzz::require;
using File = std::shared_ptr<const io::InputFile>;

constexpr std::uint64_t most_events = 20'000;

std::shared_ptr<const facts::FactsByTrace>
collect_facts(const File& file, const std::shared_ptr<const schema::SchemaStore>& store) {
    auto reader = trace::Reader::open(file, {});
    facts::Collector collector(store, {}, 1);
    const trace::BufferEntry* const first = (*reader)->buffers().data();
    (*reader)->for_each_buffer(
        1, [&](unsigned worker, const trace::BufferEntry& entry, flow::Run events) {
            collector.add(worker, static_cast<std::size_t>(&entry - first), events);
        });
    auto facts = std::make_shared<facts::FactsByTrace>();
    facts->push_back(collector.finish());
    return facts;
}

analysis::Table table_of(const File& file, const analysis::TableKind& kind,
                         const analysis::PassOptions& options) {
    auto reader = trace::Reader::open(file, {});
    const auto analyzer = kind.make({.slices = 7});
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

void require_same(const analysis::Table& a, const analysis::Table& b) {
    require(a.rows.size() == b.rows.size() && a.total == b.total);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = kernel_classes();
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const File file = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz");
    auto reader = trace::Reader::open(file, {});
    if (!reader) {
        return 0;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    if (claimed > (4U << 20U)) {
        return 0; // sound, but it takes a while
    }
    analysis::PassOptions options{.facts = collect_facts(file, store)};
    options.schemas = store;
    options.progress = [](std::uint64_t events, const flow::Event&) {
        return events < most_events;
    };
    for (const analysis::TableKind& kind : analysis::tables()) {
        options.range.reset();
        if (kind.needs_range) {
            options.range = std::pair<std::int64_t, std::int64_t>(0, 1'000'000); // need not be true
        }
        analysis::Table table = table_of(file, kind, options);
        require_sound(table);
        if (kind.needs == analysis::TableNeeds::late_processes) {
            options.collects_facts = true;
            require_same(table, table_of(file, kind, options));
            options.collects_facts = false;
        }
        table.compute_ratios();
        table.sort();
        table.add(table_of(file, kind, options));
    }
    return 0;
}
