// Traces in memory as the text of the dumper.
#pragma once

#include "dumper/dumper.hpp"
#include "facts/collector.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/support/traces/kernel_store.hpp"
#include "tests/support/traces/trace_builder.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>

namespace etl::dumper {

using namespace etl::test;

/// Raw time of TimeStamp 0: 10 ticks are a microsecond.
inline constexpr std::int64_t start_tick = 1'000'000;
inline constexpr std::int64_t t0 = start_tick;

inline KernelRecord record_of(std::uint16_t hook, std::uint8_t version, std::int64_t time,
                              ByteWriter& payload) {
    return {hook, version, time, payload.take()};
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// The text of a trace, as the command line makes it.
inline std::string dumped(test::Image image, Options options = {}) {
    auto reader = trace::Reader::open(io::InputFile::from_memory(std::move(image), "made.etl"));
    EXPECT_TRUE(reader);
    const flow::TraceInfo& trace = (*reader)->info();
    facts::Collector collector(kernel_store(), {}, 1);
    auto facts = std::make_shared<facts::FactsByTrace>();
    facts->push_back(collector.read(**reader, 1));
    options.schemas = kernel_store();
    options.facts = facts;
    options.start = {trace.header.start_time};
    Survey survey(options);
    (*reader)->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run events) {
        Survey part(options);
        for (const flow::Event& event : events) {
            part.add(event);
        }
        survey.combine(part);
    });
    const flow::TraceInfo* const traces[] = {&trace};
    std::string text = survey.head(traces);
    Dumper dumper(options, survey);
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        dumper.add(*event, text);
    }
    return text;
}

inline test::Image image_of(const std::vector<KernelRecord>& records, TraceFacts facts = {}) {
    facts.buffer_size = 0x10000;
    TraceBuilder trace(facts);
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : records) {
        record.add_to(buffer);
    }
    return trace.build();
}

inline std::string dumped(const std::vector<KernelRecord>& records, Options options = {}) {
    return dumped(image_of(records), std::move(options));
}

/// The lines of a kind: first that of its schema.
inline std::vector<std::string> lines_of_kind(const std::string& text, std::string_view kind) {
    std::vector<std::string> found;
    for (const std::string& line : lines_of(text)) {
        const std::string_view name = std::string_view(line).substr(0, line.find(','));
        const std::size_t begin = name.find_first_not_of(' ');
        if (begin != name.npos && name.substr(begin) == kind) {
            found.push_back(line);
        }
    }
    return found;
}

/// The cells of a line without blanks around them.
inline std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) {
        const std::size_t begin = cell.find_first_not_of(' ');
        cells.push_back(begin == cell.npos ? "" : cell.substr(begin));
    }
    return cells;
}

/// kettle.exe 100 with the thread 104, teapot.exe 200 with the thread 204; tea.dll in kettle.exe,
/// stove.sys in the kernel.
inline std::vector<KernelRecord> tea_kitchen(std::vector<KernelRecord> more = {}) {
    constexpr std::int64_t t = start_tick;
    constexpr std::uint64_t stove = 0xFFFFF80000000000, tea = 0x7FF600000000;
    std::vector<KernelRecord> records{
        process_record(t, Life::rundown_at_start, 100, "kettle.exe", u"kettle.exe --boil, --loud"),
        process_record(t, Life::rundown_at_start, 200, "teapot.exe"),
        thread_record(t, Life::rundown_at_start, 100, 104, tea + 0x900),
        thread_record(t, Life::rundown_at_start, 200, 204),
        image_record(t, Life::rundown_at_start, 100, tea, 0x10000, u"\\Kitchen\\tea.dll"),
        image_record(t, Life::rundown_at_start, 0, stove, 0x10000, u"\\Kitchen\\stove.sys")};
    for (KernelRecord& record : more) {
        records.push_back(std::move(record));
    }
    return records;
}

} // namespace etl::dumper
