// Tables of traces in memory, computed as the command line does it.
#pragma once

#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "facts/collector.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/support/traces/kernel_store.hpp"
#include "tests/support/traces/trace_builder.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <map>

namespace etl::analysis {

using namespace etl::test;

/// Times are raw: 10 ticks are a microsecond.
inline constexpr std::int64_t start_tick = 1'000'000;
inline constexpr std::int64_t t0 = start_tick;

/// A record of a processor.
struct Placed {
    std::uint16_t processor = 0;
    KernelRecord record;
};

inline KernelRecord kernel_record(std::uint16_t hook, std::uint8_t version, std::int64_t time,
                                  ByteWriter& payload) {
    return {hook, version, time, payload.take()};
}

/// Thread/CSwitch, version 4, with the state and the wait reason of the old thread.
inline KernelRecord switch_from(std::int64_t time, std::uint32_t to, std::uint32_t from,
                                std::uint8_t state = 5, std::uint8_t reason = 6) {
    ByteWriter payload;
    payload.u32(to).u32(from).u8(8).u8(8).u8(0).u8(0).u8(reason).u8(1).u8(state).u8(2);
    payload.u32(3).u32(0);
    return kernel_record(0x0524, 4, time, payload);
}

/// PerfInfo/SampleProf, version 2. Flags: 1 in a DPC, 2 in an ISR.
inline KernelRecord sample_in(std::int64_t time, std::uint64_t address, std::uint32_t thread,
                              std::uint16_t count = 1, std::uint16_t flags = 0) {
    ByteWriter payload;
    payload.u64(address).u32(thread).u16(count).u16(flags);
    return kernel_record(0x0F2E, 2, time, payload);
}

inline test::Image trace_of(const std::vector<Placed>& records, TraceFacts facts = {}) {
    facts.buffer_size = 0x10000;
    std::uint16_t last = 0;
    for (const Placed& placed : records) {
        last = std::max(last, placed.processor);
    }
    facts.processors = last + 1U;
    TraceBuilder trace(facts);
    for (std::uint16_t processor = 0; processor <= last; ++processor) {
        BufferBuilder& buffer = trace.buffer({.processor = processor});
        for (const Placed& placed : records) {
            if (placed.processor == processor) {
                placed.record.add_to(buffer);
            }
        }
    }
    return trace.build();
}

inline std::vector<Placed> on_processor(std::uint16_t processor,
                                        const std::vector<KernelRecord>& records) {
    std::vector<Placed> placed;
    for (const KernelRecord& record : records) {
        placed.push_back({processor, record});
    }
    return placed;
}

struct Asked {
    std::string_view table;
    std::string_view by;
    facts::ProcessSelection processes{};
    std::optional<std::int64_t> from{}, to{}; // raw
    std::size_t slices = 60;
    TableOptions options{};
};

inline facts::Facts all_facts_of(trace::Reader& reader) {
    facts::Collector collector(kernel_store(), {}, 1);
    return collector.read(reader, 1);
}

inline std::unique_ptr<trace::Reader> reader_of(test::Image image) {
    auto reader = trace::Reader::open(io::InputFile::from_memory(std::move(image), "made.etl"));
    EXPECT_TRUE(reader);
    return *std::move(reader);
}

/// The times of the first and the last event.
inline std::pair<std::int64_t, std::int64_t> range_of(trace::Reader& reader) {
    std::pair<std::int64_t, std::int64_t> range(0x7FFFFFFFFFFFFFFF, 0);
    reader.for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
        for (const flow::Event& event : events) {
            if (is_in_any_range(event)) {
                range = {std::min(range.first, event.raw_time),
                         std::max(range.second, event.raw_time)};
            }
        }
    });
    return range;
}

inline PassOptions options_of(trace::Reader& reader, const Asked& asked) {
    auto facts = std::make_shared<facts::FactsByTrace>();
    facts->push_back(all_facts_of(reader));
    const flow::Clock& clock = reader.info().clock;
    PassOptions options{.facts = facts};
    options.schemas = kernel_store();
    options.processes = asked.processes;
    options.from = asked.from ? std::optional(clock.to_filetime(*asked.from)) : std::nullopt;
    options.to = asked.to ? std::optional(clock.to_filetime(*asked.to)) : std::nullopt;
    return options;
}

inline Table finished(Table table) {
    table.compute_ratios();
    table.sort();
    return table;
}

inline TableOptions table_options_of(const Asked& asked) {
    TableOptions options = asked.options;
    options.slices = asked.slices;
    return options;
}

/// The columns do not depend on the trace.
inline void expect_columns(const Table& table, const std::vector<Column>& columns) {
    ASSERT_EQ(table.columns.size(), columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        EXPECT_EQ(table.columns[i].name, columns[i].name);
        EXPECT_EQ(table.columns[i].unit, columns[i].unit);
        EXPECT_EQ(table.columns[i].adding, columns[i].adding);
    }
}

/// Of one pass.
inline Table table_of_pass(test::Image image, const Asked& asked) {
    const auto reader = reader_of(std::move(image));
    const TableForm* const kind = find_table(asked.table, asked.by);
    EXPECT_NE(kind, nullptr);
    PassOptions options = options_of(*reader, asked);
    if (kind->has_slices) {
        options.range = range_of(*reader);
    }
    const auto analyzer = kind->make(table_options_of(asked));
    auto table = run(*reader, reader->info(), *analyzer, options);
    EXPECT_TRUE(table);
    if (asked.options.source.empty()) { // else a graph of one counter counts its events as well
        expect_columns(*table, empty_table(*kind).columns);
    }
    return finished(*std::move(table));
}

/// Defined in in_parts.cpp.
void expect_same_in_parts(const test::Image& image, const Asked& asked, const Table& whole);

/// Of one pass; that of parts is the same.
inline Table table_of(const test::Image& image, const Asked& asked) {
    Table table = table_of_pass(image, asked);
    expect_same_in_parts(image, asked, table);
    return table;
}

inline Table table_of(const std::vector<KernelRecord>& records, const Asked& asked) {
    return table_of(trace_of(on_processor(0, records)), asked);
}

/// A cell as text; null: `null`.
inline std::string shown(const Cell& cell) {
    if (const auto* const text = std::get_if<std::string>(&cell)) {
        return *text;
    }
    if (const auto* const number = std::get_if<std::uint64_t>(&cell)) {
        return std::to_string(*number);
    }
    if (const auto* const list = std::get_if<std::vector<std::uint64_t>>(&cell)) {
        std::string all;
        for (const std::uint64_t number : *list) {
            all += (all.empty() ? "" : " ") + std::to_string(number);
        }
        return all;
    }
    return "null";
}

/// Some columns of the rows, joined by blanks, in order.
inline std::vector<std::string> rows_of(const Table& table,
                                        const std::vector<std::string_view>& columns) {
    std::vector<std::string> rows;
    for (const Row& row : table.rows) {
        std::string text;
        for (const std::string_view column : columns) {
            const auto index = table.find(column);
            EXPECT_TRUE(index) << column;
            text += (text.empty() ? "" : " ") + (index ? shown(row.cells[*index]) : "?");
        }
        rows.push_back(std::move(text));
    }
    return rows;
}

inline std::string total_of(const Table& table, std::string_view column) {
    const auto index = table.find(column);
    return index ? shown(table.total[*index]) : "?";
}

inline std::vector<std::string_view> missing_of(const Table& table) {
    std::vector<std::string_view> sources;
    for (const NotRecorded& one : table.coverage.not_recorded) {
        sources.push_back(one.source);
    }
    return sources;
}

inline std::uint64_t remainder_of(const Table& table, std::string_view name) {
    for (const Remainder& one : table.coverage.remainders) {
        if (one.name == name) {
            return one.value;
        }
    }
    return 0;
}

using Rows = std::vector<std::string>;

/// StackWalk/Stack: frames of an event.
inline KernelRecord stack_record(std::int64_t time, std::int64_t of, std::uint32_t process,
                                 std::uint32_t thread, const std::vector<std::uint64_t>& frames) {
    ByteWriter payload;
    payload.u64(static_cast<std::uint64_t>(of)).u32(process).u32(thread);
    for (const std::uint64_t frame : frames) {
        payload.u64(frame);
    }
    return kernel_record(0x1820, 2, time, payload);
}

/// PerfInfo/DPC, ISR, version 2.
inline KernelRecord interrupt(std::int64_t time, std::uint16_t hook, std::int64_t begin,
                              std::uint64_t routine) {
    ByteWriter payload;
    payload.u64(static_cast<std::uint64_t>(begin)).u64(routine);
    if (hook == 0x0F43) {
        payload.u8(1).u16(3).u8(0);
    }
    return kernel_record(hook, 2, time, payload);
}

/// kettle.exe 100 with the threads 104 and 108, teapot.exe 200 with the thread 204.
inline std::vector<KernelRecord> tea_kitchen(std::int64_t time = start_tick) {
    return {process_record(time, Life::rundown_at_start, 100, "kettle.exe"),
            process_record(time, Life::rundown_at_start, 200, "teapot.exe"),
            thread_record(time, Life::rundown_at_start, 100, 104),
            thread_record(time, Life::rundown_at_start, 100, 108),
            thread_record(time, Life::rundown_at_start, 200, 204)};
}

inline std::vector<KernelRecord> in_tea_kitchen(std::vector<KernelRecord> records) {
    std::vector<KernelRecord> all = tea_kitchen();
    all.insert(all.end(), records.begin(), records.end());
    return all;
}

} // namespace etl::analysis
