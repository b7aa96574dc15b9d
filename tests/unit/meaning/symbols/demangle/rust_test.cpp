#include "demangled.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::rust_test {
namespace {

TEST(DemangledRust, OldNamesLoseTheirHash) {
    EXPECT_EQ(demangled("_ZN3tea4boil17h0123456789abcdefE"), "tea::boil");
    EXPECT_EQ(demangled("__ZN3tea4boil17h0123456789abcdefE"), "tea::boil");
    EXPECT_EQ(demangled("_ZN3tea4boil17h0123456789abcdefE.llvm.42"), "tea::boil [.llvm.42]");
    EXPECT_EQ(
        demangled("_ZN45_$LT$tea..Pot$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE"),
        "<tea::Pot as core::fmt::Debug>::fmt");
    EXPECT_EQ(demangled("_ZN3tea28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE"),
              "tea::{{closure}}");
    EXPECT_EQ(demangled("_ZN3tea24f$SP$$BP$$RF$$LP$$RP$$C$17h0123456789abcdefE"), "tea::f@*&(),");
    EXPECT_EQ(demangled("_ZN3tea8a.b$u7e$17h0123456789abcdefE"), "tea::a.b~");
}

TEST(DemangledRust, PathsAreNested) {
    EXPECT_EQ(demangled("_RNvC3tea4boil"), "tea::boil");
    EXPECT_EQ(demangled("__RNvC3tea4boil"), "tea::boil");
    EXPECT_EQ(demangled("_RNvCs1a_3tea4boil"), "tea::boil");
    EXPECT_EQ(demangled("_RNvNtC3tea3pot4boil"), "tea::pot::boil");
    EXPECT_EQ(demangled("_RNvC3tea4boil.cold"), "tea::boil [.cold]");
    EXPECT_EQ(demangled("_RNvC3tea4boilC4milk"), "tea::boil");
    EXPECT_EQ(demangled("_RNCNvC3tea4boil0"), "tea::boil::{closure#0}");
    EXPECT_EQ(demangled("_RNCNvC3tea4boils_0"), "tea::boil::{closure#1}");
    EXPECT_EQ(demangled("_RNSNvC3tea4boil6vtable"), "tea::boil::{shim:vtable#0}");
    EXPECT_EQ(demangled("_RNKNvC3tea4boil0"), "tea::boil::{K#0}");
    EXPECT_EQ(demangled("_RNvC3tea4_3cup"), "tea::3cup");
}

TEST(DemangledRust, ImplementationsAreInBrackets) {
    EXPECT_EQ(demangled("_RNvMC3teaNtB2_3Pot4boil"), "<tea::Pot>::boil");
    EXPECT_EQ(demangled("_RNvXC3teaNtB2_3PotNtB2_4Brew4boil"), "<tea::Pot as tea::Brew>::boil");
    EXPECT_EQ(demangled("_RNvYNtC3tea3PotNtB4_4Brew4boil"), "<tea::Pot as tea::Brew>::boil");
    EXPECT_EQ(demangled("_RNvMs0_C3teaNtB5_3Pot4boil"), "<tea::Pot>::boil");
}

TEST(DemangledRust, InstancesHaveArguments) {
    EXPECT_EQ(demangled("_RINvC3tea4boilmE"), "tea::boil::<u32>");
    EXPECT_EQ(demangled("_RINvC3tea4boilE"), "tea::boil::<>");
    EXPECT_EQ(demangled("_RINvC3tea4boilNtB2_3PotINtB2_3CuphEE"),
              "tea::boil::<tea::Pot, tea::Cup<u8>>");
    EXPECT_EQ(demangled("_RINvC3tea4boilL_mE"), "tea::boil::<'_, u32>");
}

TEST(DemangledRust, TypesAreSpelled) {
    EXPECT_EQ(demangled("_RINvC3tea1fabcdefhijlmnopstuvxyzE"),
              "tea::f::<i8, bool, char, f64, str, f32, u8, isize, usize, i32, u32, i128, u128, _, "
              "i16, u16, (), ..., i64, u64, !>");
    EXPECT_EQ(demangled("_RINvC3tea1fRmQmPmOmRSeRAmj4_E"),
              "tea::f::<&u32, &mut u32, *const u32, *mut u32, &[str], &[u32; 4]>");
    EXPECT_EQ(demangled("_RINvC3tea1fTETmETmcEE"), "tea::f::<(), (u32,), (u32, char)>");
    EXPECT_EQ(demangled("_RINvC3tea1fFEuFmcEbFUKCEzFK8fastcallEuE"),
              "tea::f::<fn(), fn(u32, char) -> bool, unsafe extern \"C\" fn() -> !, extern "
              "\"fastcall\" fn()>");
    EXPECT_EQ(demangled("_RINvC3tea1fFG_RL0_mEuE"), "tea::f::<for<'a> fn(&'a u32)>");
    EXPECT_EQ(demangled("_RINvC3tea1fFG0_RL1_hRL0_hEuE"),
              "tea::f::<for<'a, 'b> fn(&'a u8, &'b u8)>");
}

TEST(DemangledRust, TraitObjectsHaveTraits) {
    EXPECT_EQ(demangled("_RINvC3tea1fDNtB2_4BrewEL_E"), "tea::f::<dyn tea::Brew>");
    EXPECT_EQ(demangled("_RINvC3tea1fDNtB2_4BrewNtB2_4SendEL_E"),
              "tea::f::<dyn tea::Brew + tea::Send>");
    EXPECT_EQ(demangled("_RINvC3tea1fDNtB2_4Brewp3CupmEL_E"), "tea::f::<dyn tea::Brew<Cup = u32>>");
    EXPECT_EQ(demangled("_RINvC3tea1fDINtB2_4BrewhEp3CupmEL_E"),
              "tea::f::<dyn tea::Brew<u8, Cup = u32>>");
    EXPECT_EQ(demangled("_RINvC3tea1fDG_INtB2_2FnTRL0_eEEp6OutputmEL_E"),
              "tea::f::<dyn for<'a> tea::Fn<(&'a str,), Output = u32>>");
}

TEST(DemangledRust, ConstantsAreValues) {
    EXPECT_EQ(demangled("_RINvC3tea1fKj7_E"), "tea::f::<7>");
    EXPECT_EQ(demangled("_RINvC3tea1fKln5_E"), "tea::f::<-5>");
    EXPECT_EQ(demangled("_RINvC3tea1fKb1_Kb0_E"), "tea::f::<true, false>");
    EXPECT_EQ(demangled("_RINvC3tea1fKc78_Kce9_Kc27_Kca_E"), "tea::f::<'x', 'é', '\\'', '\\u{a}'>");
    EXPECT_EQ(demangled("_RINvC3tea1fKj_E"), "tea::f::<0>");
    EXPECT_EQ(demangled("_RINvC3tea1fKpE"), "tea::f::<_>");
    EXPECT_EQ(demangled("_RINvC3tea1fKo123456789abcdef01_E"), "tea::f::<0x123456789abcdef01>");
    EXPECT_EQ(demangled("_RINvC3tea1fKj7_KBa_E"), "tea::f::<7, 7>");
}

TEST(DemangledRust, IdentifiersCanBePunycode) {
    EXPECT_EQ(demangled("_RNvNtC3teau9gre_6ka8iu10tsch_yna7o"), "tea::größe::tschüß");
}

TEST(DemangledRust, DamageIsRejected) {
    EXPECT_EQ(demangled("_R"), "damaged");
    EXPECT_EQ(demangled("_RNv"), "damaged");
    EXPECT_EQ(demangled("_RC0"), "damaged"); // a crate without a name
    EXPECT_EQ(demangled("_RNvC3te"), "damaged");
    EXPECT_EQ(demangled("_RNvC3tea4boilx"), "damaged");
    EXPECT_EQ(demangled("_RNvC3tea4boil@"), "damaged");
    EXPECT_EQ(demangled("_R0NvC3tea4boil"), "damaged");
    EXPECT_EQ(demangled("_RNvB_4boil"), "damaged");
    EXPECT_EQ(demangled("_RNvB0_4boil"), "damaged");
    EXPECT_EQ(demangled("_RINvC3tea1fKc110000000_E"), "damaged");
    EXPECT_EQ(demangled("_RINvC3tea1fgE"), "damaged");
    EXPECT_EQ(demangled("_RINvC3tea1fm"), "damaged");
    EXPECT_EQ(demangled("_RINvC3tea1fL0_E"), "damaged");
    EXPECT_EQ(demangled("_RNvC3teau3---"), "damaged");
    EXPECT_EQ(demangled("_RNvC3teau4zzzz"), "damaged");
    EXPECT_EQ(demangled("_RegisterClass"), "damaged");
    EXPECT_EQ(demangled("_ZN3tea4boilE"), "damaged");
    EXPECT_EQ(demangled("_ZN3tea4boil17h0123456789abcdeE"), "damaged");
    EXPECT_EQ(demangled("_ZN3tea4boil17h0123456789abcdefF"), "damaged");
    EXPECT_EQ(demangled("_ZN3tea4$XX$17h0123456789abcdefE"), "damaged");
    EXPECT_EQ(demangled("_ZN3tea3$LT17h0123456789abcdefE"), "damaged");
    EXPECT_EQ(demangled("_ZN17h0123456789abcdefE"), "damaged");
    EXPECT_EQ(demangled("_ZN"), "damaged");
    EXPECT_EQ(demangled("_ZN99tea"), "damaged");
    EXPECT_EQ(demangled("_ZN3std6vectorEv"), "damaged");
}

} // namespace
} // namespace etl::symbols::rust_test
