#include "demangled.hpp"

#include "symbols/limits.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::hostile_test {
namespace {

std::string repeated(std::string_view text, std::size_t count) {
    std::string made;
    for (std::size_t i = 0; i < count; ++i) {
        made += text;
    }
    return made;
}

TEST(DemangleHostile, RejectsWhatIsNotDecorated) {
    for (const std::string_view name :
         {"", "boil", "_boil", "main", ".", ".text", "?", "??", "???", "?@", "??@", "??@@", "?boil",
          "?boil@", "?boil@@", "__C$?"}) {
        EXPECT_EQ(demangle(name), std::nullopt) << name;
    }
}

TEST(DemangleHostile, RejectsWhatFollowsTheName) {
    EXPECT_EQ(demangled("?boil@@YAXXZ@"), "damaged");
    EXPECT_EQ(demangled("?boil@@YAXXZx"), "damaged");
    EXPECT_EQ(demangled("?boil@@YAXXZ$"), "damaged");
    EXPECT_EQ(demangled("?boil@@YAXXZ$1x"), "damaged");
}

TEST(DemangleHostile, RejectsDamage) {
    for (const std::string_view name :
         {"?f@@YAX0@Z",                       // refers to no parameter
          "?f@1@YAXXZ",                       // refers to no name
          "?f@@YAX",                          // ends early
          "?f@@YAXH",                         //
          "?f@@YAXYA@H@Z",                    // an array without dimensions
          "?f@@YAXY?0H@Z",                    //
          "?f@@YAXY_01H@Z",                   //
          "?f@@YAXPE_NA@Z",                   // not a storage class
          "?f@@YAXW9E@@@Z",                   // not an underlying type
          "?f@@Y@XXZ",                        // not a calling convention
          "?f@@YAXVE@Z",                      // a name without an end
          "??BPot@@3HA",                      // a variable cannot be a conversion
          "??0@QEAA@XZ",                      // nor is there a class
          "?f@?$Pot@?0H@@YAXXZ",              //
          "?f@??0Pot@@QEAA@XZ",               //
          "??$f@$0BAAAAAAAAAAAAAAAA@@@YAXXZ", // a number of more than 64 bits
          "??$f@$MMAPPPPPPPPP@@@YAXXZ",       // of more than 32
          "??_C@_2",
          "??_C@_03ABC",
          "??_C@_03A@?",
          "??_C@_03A@?$A",
          "??_C@_03A@?$QQ@",
          "?f@Pot@@$6A@A@EAAXXZ",
          "??_9Pot@@$BA@BA",
          "??_Rx",
          "??_R5Pot@@8",
          "??_Z",
          "??__Z"}) {
        EXPECT_EQ(demangle(name), std::nullopt) << name;
    }
}

TEST(DemangleHostile, EveryStartOfANameIsHandled) {
    constexpr std::string_view name = "??$f@V?$Pot@$1?n@?1??g@@YAXXZ@4P8S@@EBAHPEAY02H0ZZEQ1@$H??_"
                                      "9S@@$BA@AA@$0?BA@@@$MPEQD@@HFBI@A@"
                                      "@tea@@YA?AUCup@@$$QEAHAEBV?$a@$$A6AXXZ@@0@_E";
    std::size_t accepted = 0;
    for (std::size_t size = 0; size < name.size(); ++size) {
        accepted += demangle(name.substr(0, size)) ? 1U : 0U;
    }
    EXPECT_EQ(accepted, 0U);
}

TEST(DemangleHostile, BoundsTheDepth) {
    const std::string pointers = "?f@@YAX" + repeated("PEA", 100) + "H@Z";
    EXPECT_EQ(demangled(pointers), "void __cdecl f(int " + repeated("*", 100) + ")");
    for (const std::string_view part : {"PEA", "P6A", "V?$a@", "P8", "Y00", "$$C", "?A", "U1?1??f@",
                                        "V?$a@$1?f@?$a@", "W4?1??"}) {
        EXPECT_EQ(demangle("?f@@YAX" + repeated(part, 10'000)), std::nullopt) << part;
        EXPECT_EQ(demangle("?f@" + repeated(part, 10'000)), std::nullopt) << part;
    }
    EXPECT_EQ(demangle(repeated("?", limits::decorated_bytes)), std::nullopt);
    EXPECT_EQ(demangle(repeated("?f@?1?", 10'000)), std::nullopt);
    EXPECT_EQ(demangle(repeated("??__E", 10'000)), std::nullopt);
    EXPECT_EQ(demangle("?" + repeated("?$", 10'000)), std::nullopt);
}

TEST(DemangleHostile, BoundsTheSize) {
    const std::string longest(
        limits::demangled_bytes - std::string_view("void __cdecl (void)").size(), 'a');
    EXPECT_EQ(demangled("?" + longest + "@@YAXXZ").size(), limits::demangled_bytes);
    EXPECT_EQ(demangle("?b" + longest + "@@YAXXZ"), std::nullopt);
    EXPECT_EQ(demangle("?" + std::string(limits::decorated_bytes, 'a') + "@@3HA"), std::nullopt);
    EXPECT_EQ(demangle("?f@@YAXP6AXV" + std::string(40'000, 'a') + "@@@Z0@Z"), std::nullopt);
}

// Each parameter is a function that takes the one before ten times.
TEST(DemangleHostile, BoundsWhatBackReferencesRepeat) {
    std::string name = "?f@@YAXPEAUCup@@";
    for (char digit = '0'; digit < '9'; ++digit) {
        name += "P6AX" + std::string(10, digit) + "@Z";
    }
    EXPECT_EQ(demangle(name + "@Z"), std::nullopt);
}

// Each parameter is at most as deep as the limit, and refers to the one before.
TEST(DemangleHostile, BoundsTheDepthOfBackReferences) {
    std::string name = "?f@@YAXPEAH";
    for (char digit = '0'; digit < '9'; ++digit) {
        name += repeated("PEA", 100) + "P6AX" + digit + "@Z";
        EXPECT_EQ(demangle(name + "@Z").has_value(), digit < '4') << digit;
    }
}

TEST(DemangleHostile, BoundsNamesOfRust) {
    for (const std::string_view part :
         {"N", "Nv", "I", "M", "X", "Y", "INvC1a1f", "NvC1a1fI", "NvMs_"}) {
        EXPECT_EQ(demangle("_R" + repeated(part, 10'000)), std::nullopt) << part;
    }
    for (const std::string_view part :
         {"R", "T", "A", "S", "FG_", "DG_", "KB_", "B_", "INvC1a1f"}) {
        EXPECT_EQ(demangle("_RINvC1a1f" + repeated(part, 10'000)), std::nullopt) << part;
    }
    EXPECT_EQ(demangle("_RINvC1a1fFGzzzzz_EuE"), std::nullopt);
    EXPECT_EQ(demangle("_ZN" + repeated("1a", 32'000)), std::nullopt);
}

// Each tuple contains the one before twice: eleven are 57 KB of text.
TEST(DemangleHostile, BoundsWhatBackReferencesOfRustRepeat) {
    const std::string name =
        "_RINvC1a1fTmmETB7_B7_ETBb_Bb_ETBj_Bj_ETBr_Br_ETBz_Bz_ETBH_BH_ETBP_BP_ETBX_BX_ETB15_B15_E"
        "TB1d_B1d_ETB1n_B1n_E";
    EXPECT_EQ(demangled(name + "E").size(), 57'312U);
    EXPECT_EQ(demangle(name + "TB1x_B1x_EE"), std::nullopt);
}

} // namespace
} // namespace etl::symbols::hostile_test
