#include "schema/file_reading.hpp"

#include <gtest/gtest.h>

namespace etl::schema::file_reading_test {

namespace {

using Read = std::expected<SchemaSet, FileError>;

TEST(Guarded, HandsOnWhatIsReadAndWhyItIsNot) {
    EXPECT_TRUE(guarded([] { return Read(); }));
    const Read rejected = guarded([]() -> Read { return std::unexpected(FileError{7, "no"}); });
    ASSERT_FALSE(rejected);
    EXPECT_EQ(rejected.error().line, 7);
}

TEST(Guarded, MakesAnErrorOfMemoryThatRunsOut) {
    const Read no_memory = guarded([]() -> Read { throw std::bad_alloc(); });
    ASSERT_FALSE(no_memory);
    EXPECT_EQ(no_memory.error().reason, "not enough memory");
    EXPECT_FALSE(guarded([]() -> Read { throw std::length_error("string"); }));
}

TEST(Guarded, FindsNothingInAScanThatRunsOutOfMemory) {
    EXPECT_EQ(guarded_scan([] { return std::vector<int>{1}; }), std::vector<int>{1});
    EXPECT_TRUE(guarded_scan([]() -> std::vector<int> { throw std::bad_alloc(); }).empty());
}

} // namespace

} // namespace etl::schema::file_reading_test
