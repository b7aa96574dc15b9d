#include "base/text.hpp"
#include "io/unpack.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::io::member_test {
namespace {

using testing::ElementsAre;

struct Seen {
    std::vector<std::string> members;

    auto visitor() {
        return [this](std::string_view name, Bytes content) {
            members.push_back(std::string(name) + "=" + std::string(as_text(content)));
            return true;
        };
    }
};

TEST(ForEachMember, ShowsAllInOrder) {
    const auto packed = test::as_input(test::pack("zip", {{"a", "1"}, {"dir/b", ""}, {"c", "3"}}));
    Seen seen;
    const auto done = for_each_member(*packed, 100, seen.visitor());
    ASSERT_TRUE(done) << describe(done.error());
    EXPECT_THAT(seen.members, ElementsAre("a=1", "dir/b=", "c=3"));
}

TEST(ForEachMember, TakesACompressedFileForAnArchiveOfOne) {
    const auto packed = test::as_input(test::compress("xz", "1"), "dir/a.man.xz");
    Seen seen;
    EXPECT_TRUE(for_each_member(*packed, 100, seen.visitor()));
    EXPECT_THAT(seen.members, ElementsAre("a.man=1"));
}

TEST(ForEachMember, PassesOverWhatIsTooLong) {
    for (const char* const format : {"zip", "7zip", "ustar"}) {
        const auto packed = test::as_input(test::pack(
            format, {{"a", std::string(101, 'x')}, {"b", std::string(100, 'y')}, {"c", "3"}}));
        Seen seen;
        EXPECT_TRUE(for_each_member(*packed, 100, seen.visitor()));
        EXPECT_THAT(seen.members, ElementsAre("b=" + std::string(100, 'y'), "c=3"));
    }
}

TEST(ForEachMember, StopsWhenTheVisitorSaysSo) {
    const auto packed = test::as_input(test::pack("zip", {{"a", "1"}, {"b", "2"}}));
    int calls = 0;
    EXPECT_TRUE(for_each_member(*packed, 100, [&](std::string_view, Bytes) {
        ++calls;
        return false;
    }));
    EXPECT_EQ(calls, 1);
}

TEST(ForEachMember, ShowsTheGoodOnesAndReportsTheDamage) {
    const auto packed = test::as_input(
        test::stored_zip({{"a", "1"}, {"b", "2", 0, 1}, {"c", "twelve and", 1}, {"d", "4"}}));
    Seen seen;
    const auto done = for_each_member(*packed, 100, seen.visitor());
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::malformed);
    EXPECT_THAT(seen.members, ElementsAre("a=1", "d=4"));
}

} // namespace
} // namespace etl::io::member_test
