// A real archive of manifests, where it is at hand: it is not ours and not part of the project.
#include "catalog/catalog.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

namespace etl::catalog::catalog_corpus_test {
namespace {

using namespace etl::literals;

double milliseconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

TEST(CatalogCorpus, FindsTwoProvidersAmongHundredsOfManifests) {
    const std::filesystem::path archive =
        std::filesystem::path(ETL_SHARED_CORPUS) / "manifests" / "win10-18990.tar.zst";
    if (!std::filesystem::exists(archive)) {
        GTEST_SKIP() << "no " << archive;
    }
    auto start = std::chrono::steady_clock::now();
    auto catalog =
        Catalog::open({.paths = {archive.string()}, .environment = false, .built_in = false});
    ASSERT_TRUE(catalog) << describe(catalog.error().error);
    RecordProperty("open_ms", std::to_string(milliseconds_since(start)));
    EXPECT_EQ(catalog->files(), 607U);

    constexpr Guid kernel_process = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid;
    constexpr Guid http_service = "dd5ef90a-6398-47a4-ad34-4dcecdef795f"_guid;
    start = std::chrono::steady_clock::now();
    schema::SchemaStore store;
    catalog->load({kernel_process, http_service}, store);
    store.freeze();
    RecordProperty("load_ms", std::to_string(milliseconds_since(start)));
    EXPECT_FALSE(store.find({kernel_process, 1, 3}).candidates.empty());
    EXPECT_FALSE(store.find({http_service, 1, 0}).candidates.empty());
    EXPECT_TRUE(catalog->remarks().empty());

    schema::SchemaStore all;
    catalog->load_all(all);
    EXPECT_EQ(store.size() + all.size(), 38929U);
    std::size_t repaired = 0;
    for (const Remark& remark : catalog->remarks()) {
        EXPECT_FALSE(remark.rejected) << remark.file << ": " << remark.text;
        repaired += remark.text.find("repaired") != std::string::npos ? 1U : 0U;
    }
    EXPECT_GT(repaired, 0U);
}

} // namespace
} // namespace etl::catalog::catalog_corpus_test
