#include "demangled.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::style_test {
namespace {

TEST(DemangleStyle, WritesAllPartsByDefault) {
    EXPECT_EQ(demangled("?pour@Pot@@UEBAPEAUCup@@H@Z"),
              "public: virtual struct Cup * __cdecl Pot::pour(int) const");
}

TEST(DemangleStyle, OmitsParts) {
    constexpr std::string_view method = "?pour@Pot@@UEBAPEAUCup@@H@Z";
    EXPECT_EQ(demangled(method, {.access = false}),
              "virtual struct Cup * __cdecl Pot::pour(int) const");
    EXPECT_EQ(demangled(method, {.member_kind = false}),
              "public: struct Cup * __cdecl Pot::pour(int) const");
    EXPECT_EQ(demangled(method, {.calling_convention = false}),
              "public: virtual struct Cup * Pot::pour(int) const");
    EXPECT_EQ(demangled(method, {.return_type = false}),
              "public: virtual __cdecl Pot::pour(int) const");
    EXPECT_EQ(demangled(method, {.parameters = false}),
              "public: virtual struct Cup * __cdecl Pot::pour");
    EXPECT_EQ(demangled(method, {.tags = false}),
              "public: virtual Cup * __cdecl Pot::pour(int) const");
}

TEST(DemangleStyle, OmitsBothPartsOfTheReturnedType) {
    EXPECT_EQ(demangled("?f@@YAP6AHD@ZXZ", {.return_type = false}), "__cdecl f(void)");
}

TEST(DemangleStyle, OmitsTypesOfVariables) {
    EXPECT_EQ(demangled("?n@Pot@@2P6AXXZEA", {.variable_type = false}), "public: static Pot::n");
    EXPECT_EQ(demangled("?main@@9", {.member_kind = false}), "main");
}

TEST(DemangleStyle, KeepsThePartsOfFunctionsWithinTheName) {
    EXPECT_EQ(demangled("?n@?1??pour@Pot@@QEAAHXZ@4HA", name_style),
              "`public: int __cdecl Pot::pour(void)'::`2'::n");
    EXPECT_EQ(demangled("??$f@$1?g@Pot@@QEAAXXZ@@YAXXZ", name_style),
              "f<&public: void __cdecl Pot::g(void)>");
    EXPECT_EQ(demangled(".?AUCup@?1??pour@@YAXXZ@", name_style),
              "`void __cdecl pour(void)'::`2'::Cup `RTTI Type Descriptor Name'");
}

TEST(DemangleStyle, OfNamesIsThatOfProcedures) {
    EXPECT_EQ(demangled("?pour@?$Pot@VLid@tea@@@tea@@UEBAPEAUCup@@H@Z", name_style),
              "tea::Pot<tea::Lid>::pour");
    EXPECT_EQ(demangled("?f@Pot@@WBA@EAAXXZ", name_style), "[thunk]: Pot::f`adjustor{16}'");
    EXPECT_EQ(demangled("??_9Pot@@$BHI@AA", name_style), "[thunk]: Pot::`vcall'{120, {flat}}");
    EXPECT_EQ(demangled("??BPot@@QEBA_NXZ", name_style), "Pot::operator bool");
}

} // namespace
} // namespace etl::symbols::style_test
