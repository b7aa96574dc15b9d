#include <etl/base/trimmed.hpp>

#include <gtest/gtest.h>

namespace etl {
namespace {

TEST(Trimmed, OmitsBlanksAtBothEnds) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
}

TEST(Trimmed, IsEmptyWithoutOtherCharacters) {
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed(" \r\n\t"), "");
}

TEST(Trimmed, OmitsOnlyWhatIsAskedFor) {
    EXPECT_EQ(trimmed(" a\n", " \t"), "a\n");
    EXPECT_EQ(trimmed("\t a ", " "), "\t a");
}

} // namespace
} // namespace etl
