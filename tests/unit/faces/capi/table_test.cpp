// Tables of inputs that tests/capi does not have: event logs.
#include <etl/etl.h>

#include "base/text.hpp"
#include "tests/support/eventlogs/event_samples.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/traces/trace_builder.hpp"
#include "tests/unit/faces/capi/thread_count.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace etl::capi::table_test {
namespace {

std::string write_file(const std::string& name, Bytes bytes) {
    const std::string path = (std::filesystem::path(testing::TempDir()) / name).string();
    std::ofstream(path, std::ios::binary)
        .write(as_text(bytes).data(), static_cast<std::streamsize>(bytes.size()));
    return path;
}

std::vector<std::byte> sample_log(int events) {
    test::SampleLog log;
    for (int i = 0; i < events; ++i) {
        test::SampleEvent event;
        EXPECT_TRUE(log.add(event.text("What", u"tea").event()));
    }
    return log.finish();
}

std::vector<std::string> remarks_of(const std::vector<std::string>& files, unsigned threads = 1) {
    std::vector<const char*> paths;
    for (const std::string& file : files) {
        paths.push_back(file.c_str());
    }
    etl_table_options options = ETL_TABLE_OPTIONS_INIT;
    options.by = "event";
    options.threads = threads;
    etl_table* table = nullptr;
    EXPECT_EQ(etl_table_create("stats", paths.data(), paths.size(), &options, &table, nullptr),
              ETL_OK);
    std::vector<std::string> remarks;
    for (std::size_t i = 0; table != nullptr && i < etl_table_remark_count(table); ++i) {
        const etl_text text = etl_table_remark(table, i);
        remarks.emplace_back(text.data, text.size);
    }
    etl_table_free(table);
    return remarks;
}

/// Of a trace that is read twice: each loop has the same.
std::vector<std::string> findings_of(const std::vector<std::string>& files) {
    std::vector<const char*> paths;
    for (const std::string& file : files) {
        paths.push_back(file.c_str());
    }
    etl_trace* trace = nullptr;
    EXPECT_EQ(etl_open(paths.data(), paths.size(), nullptr, &trace, nullptr), ETL_OK);
    std::vector<std::string> findings;
    for (int loop = 0; loop < 2; ++loop) {
        etl_event* event = nullptr;
        while (etl_trace_next(trace, &event, nullptr) == ETL_OK) {
        }
        std::vector<std::string> found;
        for (std::size_t i = 0; i < etl_trace_finding_count(trace); ++i) {
            const etl_text text = etl_trace_finding(trace, i);
            found.emplace_back(text.data, text.size);
        }
        EXPECT_TRUE(loop == 0 || found == findings);
        findings = std::move(found);
        EXPECT_EQ(etl_trace_rewind(trace, nullptr), ETL_OK);
    }
    etl_trace_free(trace);
    return findings;
}

TEST(Tables, ReportTheDamageOfEventLogsAndTraces) {
    std::vector<std::byte> bytes = sample_log(3);
    const std::string intact = write_file("etl-capi-intact.evtx", bytes);
    EXPECT_THAT(remarks_of({intact}), testing::IsEmpty());
    constexpr std::size_t chunk_header = 4096;
    bytes[chunk_header + 130] ^= std::byte{0xFF};
    const std::string damaged = write_file("etl-capi-damaged.evtx", bytes);
    EXPECT_THAT(remarks_of({intact, damaged}),
                testing::Contains(testing::AllOf(testing::StartsWith(damaged + ":0x"),
                                                 testing::HasSubstr("warning: "))));
    EXPECT_THAT(findings_of({intact}), testing::IsEmpty());
    EXPECT_THAT(findings_of({intact, damaged}),
                testing::Contains(testing::StartsWith(damaged + ":0x")));
    const std::string trace = test::source_dir() + "/corpus/damaged/bad-record.etl";
    EXPECT_THAT(remarks_of({trace}), testing::Contains(testing::StartsWith(trace + ":0x")));
    std::filesystem::remove(intact);
    std::filesystem::remove(damaged);
}

// Not a pool for each of them.
TEST(Tables, DivideTheirThreadsAmongTheInputs) {
    if (!test::can_count_threads()) {
        GTEST_SKIP();
    }
    std::vector<std::string> paths;
    for (int i = 0; i < 16; ++i) {
        test::TraceBuilder trace;
        for (int buffer = 0; buffer < 64; ++buffer) {
            trace.buffer().add(format::EventRecord{.time = 2'000'000});
        }
        paths.push_back(write_file("etl-capi-many-" + std::to_string(i) + ".etl", trace.build()));
    }
    constexpr unsigned threads = 8;
    test::start_counting_threads();
    remarks_of({paths.front()}, threads);
    const unsigned of_one = test::most_threads();
    EXPECT_GE(of_one, 2U); // the test sees them
    EXPECT_LE(of_one, 2 * threads);
    test::start_counting_threads();
    remarks_of(paths, threads);
    EXPECT_LE(test::most_threads(), 2 * threads);
    for (const std::string& path : paths) {
        std::filesystem::remove(path);
    }
}

TEST(Tables, ReadEventLogs) {
    const std::string path = write_file("etl-capi-table.evtx", sample_log(3));
    const char* const paths[] = {path.c_str(), path.c_str()};
    etl_table_options options = ETL_TABLE_OPTIONS_INIT;
    options.by = "event";
    etl_table* table = nullptr;
    etl_error* error = nullptr;
    ASSERT_EQ(etl_table_create("stats", paths, 2, &options, &table, &error), ETL_OK)
        << etl_error_message(error);
    EXPECT_EQ(etl_table_row_count(table), 2U); // whether they are of one machine is not known
    std::uint64_t events = 0;
    for (std::size_t i = 0; i < etl_table_column_count(table); ++i) {
        etl_column column = ETL_COLUMN_INIT;
        ASSERT_EQ(etl_table_column(table, i, &column, nullptr), ETL_OK);
        if (std::string_view(column.name.data, column.name.size) == "events") {
            events = etl_table_cell(table, 0, i).number + etl_table_cell(table, 1, i).number;
        }
    }
    EXPECT_EQ(events, 6U);
    etl_table_free(table);
    std::filesystem::remove(path);
}

} // namespace
} // namespace etl::capi::table_test
