// TMFs and program databases among the schema files.
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "tests/support/images/pdb_builder.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::catalog::wpp_test {
namespace {

using test::Environment;
using test::TemporaryFolder;
using testing::IsEmpty;

constexpr Guid pump_c = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f01");
constexpr Guid valve_cpp = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f02");

std::string sample(const std::string& ending) {
    return ETL_SOURCE_DIR "/corpus/good/wpp-messages." + ending;
}

std::size_t found(Catalog& catalog, const Guid& guid) {
    schema::SchemaStore store;
    catalog.load({guid}, store);
    return store.size();
}

TEST(Catalog, LoadsTmfsAndProgramDatabases) {
    auto catalog = Catalog::open(
        {.paths = {sample("tmf"), sample("pdb")}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(catalog->files(), 2U);
    EXPECT_EQ(found(*catalog, valve_cpp), 1U);
    EXPECT_EQ(found(*catalog, pump_c), 15U);
    ASSERT_EQ(catalog->remarks().size(), 1U) << "on the item that nobody knows";
    EXPECT_FALSE(catalog->remarks()[0].rejected);
    EXPECT_GT(catalog->remarks()[0].line, 100U);
}

TEST(Catalog, FindsTmfsInFoldersAmongOtherFiles) {
    auto catalog = Catalog::open(
        {.paths = {ETL_SOURCE_DIR "/corpus/good"}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(found(*catalog, pump_c), 15U);
}

TEST(Catalog, SearchesWhereWindowsLooksForTmfs) {
    const Environment path("TRACE_FORMAT_SEARCH_PATH", sample("tmf"));
    auto catalog = Catalog::open({.paths = {}, .built_in = false});
    ASSERT_TRUE(catalog);
    EXPECT_EQ(found(*catalog, pump_c), 15U);
}

TEST(Catalog, RejectsProgramDatabasesWithoutMessages) {
    const TemporaryFolder folder;
    const auto bytes = test::PdbBuilder().annotation({"Debug", "x"}).build();
    const std::string file = folder.file("empty.pdb", std::string(as_text(bytes)));
    const auto catalog = Catalog::open({.paths = {file}, .environment = false, .built_in = false});
    ASSERT_FALSE(catalog);
    EXPECT_EQ(catalog.error().error.code, ErrorCode::unsupported);
}

} // namespace
} // namespace etl::catalog::wpp_test
