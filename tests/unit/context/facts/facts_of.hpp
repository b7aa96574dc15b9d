// The facts of a trace in memory, collected as the command line does it.
#pragma once

#include "facts/collector.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/support/traces/kernel_store.hpp"
#include "tests/support/traces/trace_builder.hpp"
#include "trace/reader.hpp"

#include <gtest/gtest.h>

namespace etl::facts {

using namespace etl::test;

inline std::unique_ptr<trace::Reader> open(test::Image image) {
    auto reader = trace::Reader::open(io::InputFile::from_memory(std::move(image), "made.etl"));
    EXPECT_TRUE(reader);
    return std::move(*reader);
}

inline Facts facts_of(trace::Reader& reader, unsigned threads = 1) {
    Collector collector(kernel_store(), {}, threads);
    return collector.read(reader, threads);
}

inline test::Image trace_of(const std::vector<KernelRecord>& records) {
    TraceBuilder trace({.buffer_size = 0x10000});
    BufferBuilder& buffer = trace.buffer();
    for (const KernelRecord& record : records) {
        record.add_to(buffer);
    }
    return trace.build();
}

inline Facts facts_of(const std::vector<KernelRecord>& records) {
    return facts_of(*open(trace_of(records)));
}

inline std::string_view name_of(const Facts& facts, std::uint32_t process, std::int64_t time) {
    const auto found = facts.process(process, time);
    return found ? found->name : std::string_view("?");
}

} // namespace etl::facts
