// Tables of inputs that tests/capi does not have: event logs.
#include <etl/etl.h>

#include "tests/support/eventlogs/event_samples.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace etl::capi::table_test {
namespace {

TEST(Tables, ReadEventLogs) {
    test::SampleLog log;
    for (int i = 0; i < 3; ++i) {
        test::SampleEvent event;
        ASSERT_TRUE(log.add(event.text("What", u"tea").event()));
    }
    const std::vector<std::byte> bytes = log.finish();
    const std::string path =
        (std::filesystem::path(testing::TempDir()) / "etl-capi-table.evtx").string();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    const char* const paths[] = {path.c_str(), path.c_str()};
    etl_table_options options = ETL_TABLE_OPTIONS_INIT;
    options.by = "event";
    etl_table* table = nullptr;
    etl_error* error = nullptr;
    ASSERT_EQ(etl_table_create("stats", paths, 2, &options, &table, &error), ETL_OK)
        << etl_error_message(error);
    EXPECT_EQ(etl_table_row_count(table), 1U);
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < etl_table_column_count(table); ++i) {
        etl_column column = ETL_COLUMN_INIT;
        ASSERT_EQ(etl_table_column(table, i, &column, nullptr), ETL_OK);
        if (std::string_view(column.name.data, column.name.size) == "events") {
            most = etl_table_cell(table, 0, i).number;
        }
    }
    EXPECT_EQ(most, 6U);
    etl_table_free(table);
    std::filesystem::remove(path);
}

} // namespace
} // namespace etl::capi::table_test
