// Secrets.
#include "loopback/access.hpp"

#include <gtest/gtest.h>

namespace etl::loopback::access_test {
namespace {

TEST(Access, GivesTheKeyForTheToken) {
    const Access access, other;
    EXPECT_EQ(access.token().size(), 64U);
    EXPECT_NE(access.token(), other.token());
    const auto key = access.enter(access.token());
    ASSERT_TRUE(key);
    EXPECT_NE(*key, access.token());
    EXPECT_TRUE(access.admits(*key));
    EXPECT_FALSE(other.admits(*key));
    EXPECT_FALSE(access.enter(other.token()));
    EXPECT_FALSE(access.enter(""));
    EXPECT_FALSE(access.enter(access.token() + "0"));
    EXPECT_FALSE(access.admits(""));
    EXPECT_FALSE(access.admits(access.token()));
}

TEST(Access, ComparesAllOfATextWithAnother) {
    EXPECT_TRUE(is_equal_in_constant_time("", ""));
    EXPECT_TRUE(is_equal_in_constant_time("abc", "abc"));
    EXPECT_FALSE(is_equal_in_constant_time("abc", "abd"));
    EXPECT_FALSE(is_equal_in_constant_time("abc", "bbc"));
    EXPECT_FALSE(is_equal_in_constant_time("abc", "abcd"));
    EXPECT_FALSE(is_equal_in_constant_time("\x80", ""));
}

} // namespace
} // namespace etl::loopback::access_test
