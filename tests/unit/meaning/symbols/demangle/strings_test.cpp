#include "demangled.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::strings_test {
namespace {

TEST(DemangledStrings, AreQuoted) {
    EXPECT_EQ(demangled("?\?_C@_03ABCDEFGH@tea?$AA@"), "\"tea\"");
    EXPECT_EQ(demangled("?\?_C@_00ABCDEFGH@?$AA@"), "\"\"");
    EXPECT_EQ(demangled("?\?_C@_0A@ABCDEFGH@@"), "\"\"");
    EXPECT_EQ(demangled("?\?_C@_05ABCDEFGH@okay?6@"), "\"okay\\n\"...");
    EXPECT_EQ(demangled("?\?_C@_0CA@ABCDEFGH@a?5cup?5of?5tea@"), "\"a cup of tea\"...");
}

TEST(DemangledStrings, HaveEscapes) {
    EXPECT_EQ(demangled("?\?_C@_0L@ABCDEFGH@?0?1?2?3?4?5?6?7?8?9?$AA@"), "\",/\\\\:. \\n\\t\\'-\"");
    EXPECT_EQ(demangled("?\?_C@_04ABCDEFGH@?a?z?A?Z?$AA@"), "\"\\xE1\\xFA\\xC1\\xDA\"");
    EXPECT_EQ(demangled("?\?_C@_06ABCDEFGH@?$AH?$AI?$AL?$AM?$AN?$CC?$AA@"),
              "\"\\a\\b\\v\\f\\r\\\"\"");
    EXPECT_EQ(demangled("?\?_C@_02ABCDEFGH@?$AB?$HP?$AA@"), "\"\\x01\\x7F\"");
}

TEST(DemangledStrings, HavePrefixes) {
    EXPECT_EQ(demangled("?\?_C@_15ABCDEFGH@?$AAt?$AAe?$AA?$AA@"), "L\"te\"");
    EXPECT_EQ(demangled("?\?_C@_15ABCDEFGH@?$CG?$DK?$AAe?$AA?$AA@"), "L\"\\x263Ae\"");
    EXPECT_EQ(demangled("?\?_C@_05ABCDEFGH@t?$AAe?$AA?$AA?$AA@"), "u\"te\"");
    EXPECT_EQ(demangled("?\?_C@_07ABCDEFGH@t?$AA?$AA?$AA?$AA?$AA?$AA?$AA@"), "U\"t\"");
}

} // namespace
} // namespace etl::symbols::strings_test
