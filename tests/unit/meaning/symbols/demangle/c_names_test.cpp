#include "symbols/demangle.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::c_names_test {
namespace {

TEST(CDecoration, IsStripped) {
    EXPECT_EQ(strip_c_decoration("_boil"), "boil");
    EXPECT_EQ(strip_c_decoration("__boil"), "_boil");
    EXPECT_EQ(strip_c_decoration("_boil@8"), "boil");
    EXPECT_EQ(strip_c_decoration("@boil@12"), "boil");
    EXPECT_EQ(strip_c_decoration("boil@@16"), "boil");
    EXPECT_EQ(strip_c_decoration("#boil"), "boil");
}

TEST(CDecoration, IsNotFoundInOtherNames) {
    for (const std::string_view name : {"", "_", "@", "#", "boil", "boil@8", "@boil", "@boil@",
                                        "@@8", "@8", "boil@@", "?boil@@YAXXZ", "boil@x8", "8"}) {
        EXPECT_EQ(strip_c_decoration(name), name);
    }
}

} // namespace
} // namespace etl::symbols::c_names_test
