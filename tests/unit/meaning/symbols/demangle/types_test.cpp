#include "demangled.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::types_test {
namespace {

TEST(DemangledTypes, AreNamedByLetters) {
    EXPECT_EQ(demangled("?f@@YAXCDEFGHIJKMNO@Z"),
              "void __cdecl f(signed char, char, unsigned char, short, unsigned short, int, "
              "unsigned int, long, unsigned long, float, double, long double)");
    EXPECT_EQ(demangled("?f@@YAX_D_E_F_G_H_I_J_K_L_M@Z"),
              "void __cdecl f(__int8, unsigned __int8, __int16, unsigned __int16, __int32, "
              "unsigned __int32, __int64, unsigned __int64, __int128, unsigned __int128)");
    EXPECT_EQ(demangled("?f@@YAX_N_Q_S_U_W@Z"),
              "void __cdecl f(bool, char8_t, char16_t, char32_t, wchar_t)");
    EXPECT_EQ(demangled("?f@@YA_PXZ"), "auto __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YA_TXZ"), "decltype(auto) __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YAX$$T@Z"), "void __cdecl f(std::nullptr_t)");
}

TEST(DemangledTypes, HaveTags) {
    EXPECT_EQ(demangled("?f@@YAXTMix@@@Z"), "void __cdecl f(union Mix)");
    EXPECT_EQ(demangled("?f@@YAXUCup@@@Z"), "void __cdecl f(struct Cup)");
    EXPECT_EQ(demangled("?f@@YAXVPot@tea@@@Z"), "void __cdecl f(class tea::Pot)");
    EXPECT_EQ(demangled("?f@@YAXW4Kind@tea@@@Z"), "void __cdecl f(enum tea::Kind)");
    EXPECT_EQ(demangled("?f@@YAXW0Small@@@Z"), "void __cdecl f(enum Small)");
    EXPECT_EQ(demangled("?f@@YAXW7Large@@@Z"), "void __cdecl f(enum Large)");
}

TEST(DemangledTypes, ArePointers) {
    EXPECT_EQ(demangled("?f@@YAXPAH@Z"), "void __cdecl f(int *)");
    EXPECT_EQ(demangled("?f@@YAXPEAH@Z"), "void __cdecl f(int *)");
    EXPECT_EQ(demangled("?f@@YAXPBD@Z"), "void __cdecl f(char const *)");
    EXPECT_EQ(demangled("?f@@YAXPECD@Z"), "void __cdecl f(char volatile *)");
    EXPECT_EQ(demangled("?f@@YAXPEDD@Z"), "void __cdecl f(char const volatile *)");
    EXPECT_EQ(demangled("?f@@YAXQEAH@Z"), "void __cdecl f(int *const)");
    EXPECT_EQ(demangled("?f@@YAXREAH@Z"), "void __cdecl f(int *volatile)");
    EXPECT_EQ(demangled("?f@@YAXSEAH@Z"), "void __cdecl f(int *const volatile)");
    EXPECT_EQ(demangled("?f@@YAXPEAPEBD@Z"), "void __cdecl f(char const **)");
    EXPECT_EQ(demangled("?f@@YAXPEAQEBD@Z"), "void __cdecl f(char const *const *)");
    EXPECT_EQ(demangled("?f@@YAXPEIAH@Z"), "void __cdecl f(int *__restrict)");
    EXPECT_EQ(demangled("?f@@YAXPEFAH@Z"), "void __cdecl f(int __unaligned *)");
    EXPECT_EQ(demangled("?f@@YAXPEIFBH@Z"), "void __cdecl f(int const __unaligned *__restrict)");
    EXPECT_EQ(demangled("?f@@YAXPAUCup_@@@Z"), "void __cdecl f(struct Cup_ *)");
}

TEST(DemangledTypes, AreReferences) {
    EXPECT_EQ(demangled("?f@@YAXAAH@Z"), "void __cdecl f(int &)");
    EXPECT_EQ(demangled("?f@@YAXAEBVPot@@@Z"), "void __cdecl f(class Pot const &)");
    EXPECT_EQ(demangled("?f@@YAX$$QEAH@Z"), "void __cdecl f(int &&)");
    EXPECT_EQ(demangled("?f@@YAX$$QEBVPot@@@Z"), "void __cdecl f(class Pot const &&)");
    EXPECT_EQ(demangled("?f@@YAXAECH@Z"), "void __cdecl f(int volatile &)");
}

TEST(DemangledTypes, AreFunctionPointers) {
    EXPECT_EQ(demangled("?f@@YAXP6AXXZ@Z"), "void __cdecl f(void (__cdecl *)(void))");
    EXPECT_EQ(demangled("?f@@YAXP6GHDN@Z@Z"), "void __cdecl f(int (__stdcall *)(char, double))");
    EXPECT_EQ(demangled("?f@@YAXQ6AXXZ@Z"), "void __cdecl f(void (__cdecl *const)(void))");
    EXPECT_EQ(demangled("?f@@YAXPEAP6AXXZ@Z"), "void __cdecl f(void (__cdecl **)(void))");
    EXPECT_EQ(demangled("?f@@YAP6AHH@ZXZ"), "int (__cdecl * __cdecl f(void))(int)");
    EXPECT_EQ(demangled("?f@@YAP6AP6AHH@ZD@ZXZ"),
              "int (__cdecl * (__cdecl * __cdecl f(void))(char))(int)");
    EXPECT_EQ(demangled("?f@@YAXP6AXHZZ@Z"), "void __cdecl f(void (__cdecl *)(int, ...))");
    EXPECT_EQ(demangled("?f@@YAXP6AXX_E@Z"), "void __cdecl f(void (__cdecl *)(void) noexcept)");
}

TEST(DemangledTypes, ArePointersToMembers) {
    EXPECT_EQ(demangled("?f@@YAXPEQCup@@H@Z"), "void __cdecl f(int Cup::*)");
    EXPECT_EQ(demangled("?f@@YAXPERCup@@H@Z"), "void __cdecl f(int const Cup::*)");
    EXPECT_EQ(demangled("?f@@YAXP8Cup@@EAAXXZ@Z"), "void __cdecl f(void (__cdecl Cup::*)(void))");
    EXPECT_EQ(demangled("?f@@YAXP8Cup@tea@@EBAHH@Z@Z"),
              "void __cdecl f(int (__cdecl tea::Cup::*)(int) const)");
    EXPECT_EQ(demangled("?f@@YAXP8Cup@@AEXH@Z@Z"), "void __cdecl f(void (__thiscall Cup::*)(int))");
    EXPECT_EQ(demangled("?f@@YAXPEAP8Cup@@EAAXXZ@Z"),
              "void __cdecl f(void (__cdecl Cup::**)(void))");
    EXPECT_EQ(demangled("?m@@3PEQCup@@HEQ1@"), "int Cup::*m");
    EXPECT_EQ(demangled("?m@@3P8Cup@@EAAXXZEQ1@"), "void (__cdecl Cup::*m)(void)");
    EXPECT_EQ(demangled("?m@@3PQCup@@HQ1@"), "int Cup::*m");
}

TEST(DemangledTypes, AreArrays) {
    EXPECT_EQ(demangled("?f@@YAXAEAY02H@Z"), "void __cdecl f(int (&)[3])");
    EXPECT_EQ(demangled("?f@@YAXPEAY112H@Z"), "void __cdecl f(int (*)[2][3])");
    EXPECT_EQ(demangled("?f@@YAXPEAY0BA@$$CBH@Z"), "void __cdecl f(int const (*)[16])");
    EXPECT_EQ(demangled("?f@@YAXPEBY02H@Z"), "void __cdecl f(int const (*)[3])");
    EXPECT_EQ(demangled("?f@@YAXPEAY01P6AXXZ@Z"), "void __cdecl f(void (__cdecl *(*)[2])(void))");
    EXPECT_EQ(demangled("?f@@YAPEAY02HXZ"), "int (* __cdecl f(void))[3]");
    EXPECT_EQ(demangled("?\?$f@$$BY0A@H@@YAXXZ"), "void __cdecl f<int[]>(void)");
    EXPECT_EQ(demangled("?\?$f@$$BY123H@@YAXXZ"), "void __cdecl f<int[3][4]>(void)");
}

TEST(DemangledTypes, ReturnedByValueHaveQualifiers) {
    EXPECT_EQ(demangled("?f@@YA?AUCup@@XZ"), "struct Cup __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YA?BUCup@@XZ"), "struct Cup const __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YA?BHXZ"), "int const __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YA?A?<auto>@@XZ"), "<auto> __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YA?A_PXZ"), "auto __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YAX?BUCup@@@Z"), "void __cdecl f(struct Cup const)");
    EXPECT_EQ(demangled("?\?R<lambda_2>@?0?\?pour@@YA?A?<auto>@@XZ@QEBA?A?2@H@Z"),
              "public: <auto> __cdecl `<auto> __cdecl "
              "pour(void)'::`1'::<lambda_2>::operator()(int) const");
}

TEST(DemangledTypes, AreReferredToByDigits) {
    EXPECT_EQ(demangled("?f@@YAXPEAUCup@@0@Z"), "void __cdecl f(struct Cup *, struct Cup *)");
    EXPECT_EQ(demangled("?f@@YAXHPEAUCup@@H_N01@Z"),
              "void __cdecl f(int, struct Cup *, int, bool, struct Cup *, bool)");
    EXPECT_EQ(demangled("?f@@YAXP6AXPEAH@Z01@Z"),
              "void __cdecl f(void (__cdecl *)(int *), int *, void (__cdecl *)(int *))");
}

TEST(DemangledTypes, OfDescriptorsFollowADot) {
    EXPECT_EQ(demangled(".?AVPot@tea@@"), "class tea::Pot `RTTI Type Descriptor Name'");
    EXPECT_EQ(demangled(".?AW4Kind@@"), "enum Kind `RTTI Type Descriptor Name'");
    EXPECT_EQ(demangled(".PEAVPot@@"), "class Pot *`RTTI Type Descriptor Name'");
    EXPECT_EQ(demangled(".H"), "int `RTTI Type Descriptor Name'");
    EXPECT_EQ(demangled(".P6AXXZ"), "void (__cdecl *)(void)`RTTI Type Descriptor Name'");
}

} // namespace
} // namespace etl::symbols::types_test
