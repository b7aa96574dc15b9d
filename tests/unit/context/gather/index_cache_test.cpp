#include "gather/index_cache.hpp"
#include "gather/trace_index.hpp"
#include "tests/support/folders.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace etl::gather {
namespace {

using namespace test;
namespace fs = std::filesystem;
using testing::StartsWith;

class IndexCache : public testing::Test {
protected:
    std::string put(const std::string& trace, std::size_t size, int seconds_old = 0) {
        const std::vector<std::byte> index(size);
        EXPECT_TRUE(cache_index(folder_.path(trace), key_, index, 1000));
        const std::string path = cached_index_path(folder_.path(trace), key_);
        fs::last_write_time(path,
                            fs::file_time_type::clock::now() - std::chrono::seconds(seconds_old));
        return path;
    }

    TemporaryFolder folder_;
    trace::IndexKey key_{1, 2, 3};
    Environment cache_{"XDG_CACHE_HOME", folder_.path("cache")};
};

TEST_F(IndexCache, HasOneIndexForEachTrace) {
    const std::string one = put("one.etl", 100), other = put("other.etl", 100);
    EXPECT_THAT(one, StartsWith(folder_.path("cache/etl/index/")));
    EXPECT_NE(one, other);
    EXPECT_EQ(put("one.etl", 50), one);
    EXPECT_EQ(fs::file_size(one), 50U);
    const trace::IndexKey of_another_user{9};
    EXPECT_NE(cached_index_path(folder_.path("one.etl"), of_another_user), one);
}

TEST_F(IndexCache, KnowsATraceByAllItsNames) {
    const std::string trace = folder_.file("one.etl", "x");
    fs::create_symlink(trace, folder_.path("link.etl"));
    EXPECT_EQ(cached_index_path(folder_.path("link.etl"), key_), cached_index_path(trace, key_));
}

TEST_F(IndexCache, BelongsToItsUserAlone) {
    const fs::path in = fs::path(put("one.etl", 10)).parent_path();
    EXPECT_EQ(fs::status(in).permissions(), fs::perms::owner_all);
}

TEST_F(IndexCache, LosesTheOldestBeyondItsLimit) {
    const std::string oldest = put("a.etl", 250, 300), older = put("b.etl", 250, 200),
                      newer = put("c.etl", 250, 100);
    std::ofstream(fs::path(oldest).parent_path() / "notes.txt") << "not an index";
    EXPECT_TRUE(fs::exists(oldest));
    const std::string newest = put("d.etl", 249), last = put("e.etl", 10);
    EXPECT_FALSE(fs::exists(oldest));
    for (const std::string& kept : {older, newer, newest, last}) {
        EXPECT_TRUE(fs::exists(kept));
    }
    EXPECT_TRUE(fs::exists(fs::path(oldest).parent_path() / "notes.txt"));
}

TEST_F(IndexCache, TakesNoIndexThatIsMostOfIt) {
    const auto kept = cache_index("a.etl", key_, std::vector<std::byte>(251), 1000);
    ASSERT_FALSE(kept);
    EXPECT_EQ(kept.error().code, ErrorCode::limit);
}

TEST_F(IndexCache, NeedsADirectory) {
    const Environment cache("XDG_CACHE_HOME", "");
    const Environment home("HOME", "");
    EXPECT_EQ(cached_index_path("a.etl", key_), "");
    EXPECT_EQ(cache_index("a.etl", key_, {}).error().code, ErrorCode::not_found);
}

} // namespace
} // namespace etl::gather
