#include "demangled.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::symbols_test {
namespace {

TEST(DemangledSymbols, AreVariables) {
    EXPECT_EQ(demangled("?n@@3HA"), "int n");
    EXPECT_EQ(demangled("?n@@3HB"), "int const n");
    EXPECT_EQ(demangled("?n@@3HC"), "int volatile n");
    EXPECT_EQ(demangled("?n@@3HD"), "int const volatile n");
    EXPECT_EQ(demangled("?n@Pot@@0HA"), "private: static int Pot::n");
    EXPECT_EQ(demangled("?n@Pot@@1HB"), "protected: static int const Pot::n");
    EXPECT_EQ(demangled("?n@Pot@@2PEBDEB"), "public: static char const *Pot::n");
    EXPECT_EQ(demangled("?n@@3P6AXXZEA"), "void (__cdecl *n)(void)");
    EXPECT_EQ(demangled("?n@@3QAY02HA"), "int (*const n)[3]");
    EXPECT_EQ(demangled("?n@@3AEAHEA"), "int &n");
    EXPECT_EQ(demangled("?n@@3VPot@@B"), "class Pot const n");
    EXPECT_EQ(demangled("?\?$n@H@@3HA"), "int n<int>");
}

TEST(DemangledSymbols, HaveAccessAndKind) {
    EXPECT_EQ(demangled("?f@Pot@@AEAAXXZ"), "private: void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@CAXXZ"), "private: static void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@EEAAXXZ"), "private: virtual void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@IEAAXXZ"), "protected: void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@KAXXZ"), "protected: static void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@MEAAXXZ"), "protected: virtual void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@QEAAXXZ"), "public: void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@SAXXZ"), "public: static void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@UEAAXXZ"), "public: virtual void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@RAEXXZ"), "public: void __thiscall Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@TAXXZ"), "public: static void __cdecl Pot::f(void)");
    EXPECT_EQ(demangled("?f@Pot@@VAEXXZ"), "public: virtual void __thiscall Pot::f(void)");
    EXPECT_EQ(demangled("?f@@ZAXXZ"), "void __cdecl f(void)");
}

TEST(DemangledSymbols, HaveCallingConventions) {
    EXPECT_EQ(demangled("?f@@YAXXZ"), "void __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@YCXXZ"), "void __pascal f(void)");
    EXPECT_EQ(demangled("?f@@YEXXZ"), "void __thiscall f(void)");
    EXPECT_EQ(demangled("?f@@YGXXZ"), "void __stdcall f(void)");
    EXPECT_EQ(demangled("?f@@YIXXZ"), "void __fastcall f(void)");
    EXPECT_EQ(demangled("?f@@YMXXZ"), "void __clrcall f(void)");
    EXPECT_EQ(demangled("?f@@YOXXZ"), "void __eabi f(void)");
    EXPECT_EQ(demangled("?f@@YQXXZ"), "void __vectorcall f(void)");
    EXPECT_EQ(demangled("?f@@YSXXZ"), "void __attribute__((__swiftcall__)) f(void)");
    EXPECT_EQ(demangled("?f@@YWXXZ"), "void __attribute__((__swiftasynccall__)) f(void)");
    EXPECT_EQ(demangled("?f@@YwXXZ"), "void __regcall f(void)");
}

TEST(DemangledSymbols, HaveQualifiersOfThis) {
    EXPECT_EQ(demangled("?f@Pot@@QEBAXXZ"), "public: void __cdecl Pot::f(void) const");
    EXPECT_EQ(demangled("?f@Pot@@QECAXXZ"), "public: void __cdecl Pot::f(void) volatile");
    EXPECT_EQ(demangled("?f@Pot@@QDEXXZ"), "public: void __thiscall Pot::f(void) const volatile");
    EXPECT_EQ(demangled("?f@Pot@@QEGAAXXZ"), "public: void __cdecl Pot::f(void) &");
    EXPECT_EQ(demangled("?f@Pot@@QEGBAXXZ"), "public: void __cdecl Pot::f(void) const &");
    EXPECT_EQ(demangled("?f@Pot@@QEHAAXXZ"), "public: void __cdecl Pot::f(void) &&");
    EXPECT_EQ(demangled("?f@Pot@@QEHBAXX_E"),
              "public: void __cdecl Pot::f(void) const && noexcept");
    EXPECT_EQ(demangled("?f@Pot@@QEIAAXXZ"), "public: void __cdecl Pot::f(void) __restrict");
    EXPECT_EQ(demangled("?f@Pot@@QEFAAXXZ"), "public: void __cdecl Pot::f(void) __unaligned");
}

TEST(DemangledSymbols, HaveVariableArgumentsAndNoexcept) {
    EXPECT_EQ(demangled("?f@@YAXZZ"), "void __cdecl f(...)");
    EXPECT_EQ(demangled("?f@@YAXHZZ"), "void __cdecl f(int, ...)");
    EXPECT_EQ(demangled("?f@@YAXH@_E"), "void __cdecl f(int) noexcept");
    EXPECT_EQ(demangled("?f@@YAXX_E"), "void __cdecl f(void) noexcept");
    EXPECT_EQ(demangled("?f@@YAXHZ_E"), "void __cdecl f(int, ...) noexcept");
}

TEST(DemangledSymbols, AreThunks) {
    EXPECT_EQ(demangled("?f@Pot@@W3AEXXZ"),
              "[thunk]: public: virtual void __thiscall Pot::f`adjustor{4}'(void)");
    EXPECT_EQ(demangled("?f@Pot@@WBA@EAAXXZ"),
              "[thunk]: public: virtual void __cdecl Pot::f`adjustor{16}'(void)");
    EXPECT_EQ(demangled("?f@Pot@@GBA@EAAXXZ"),
              "[thunk]: private: virtual void __cdecl Pot::f`adjustor{16}'(void)");
    EXPECT_EQ(demangled("?f@Pot@@O7EAAXXZ"),
              "[thunk]: protected: virtual void __cdecl Pot::f`adjustor{8}'(void)");
    EXPECT_EQ(demangled("?f@Pot@@$4PPPPPPPM@A@EAAXXZ"),
              "[thunk]: public: virtual void __cdecl Pot::f`vtordisp{-4, 0}'(void)");
    EXPECT_EQ(demangled("?f@Pot@@$0A@A@EAAXXZ"),
              "[thunk]: private: virtual void __cdecl Pot::f`vtordisp{0, 0}'(void)");
    EXPECT_EQ(demangled("?f@Pot@@$3A@7EAAXXZ"),
              "[thunk]: protected: virtual void __cdecl Pot::f`vtordisp{0, 8}'(void)");
    EXPECT_EQ(demangled("?f@Pot@@$R4BA@M@PPPPPPPM@7EAAXXZ"),
              "[thunk]: public: virtual void __cdecl Pot::f`vtordispex{16, 12, -4, 8}'(void)");
    EXPECT_EQ(demangled("?\?_9Pot@@$BHI@AA"), "[thunk]: __cdecl Pot::`vcall'{120, {flat}}");
    EXPECT_EQ(demangled("?\?_9Pot@@$BA@AE"), "[thunk]: __thiscall Pot::`vcall'{0, {flat}}");
    EXPECT_EQ(demangled("?\?_EPot@@$4PPPPPPPM@A@EAAPEAXI@Z"),
              "[thunk]: public: virtual void * __cdecl Pot::`vector deleting dtor'`vtordisp{-4, "
              "0}'(unsigned int)");
}

TEST(DemangledSymbols, AreTables) {
    EXPECT_EQ(demangled("?\?_7Pot@tea@@6B@"), "const tea::Pot::`vftable'");
    EXPECT_EQ(demangled("?\?_7Pot@@6BLid@@@"), "const Pot::`vftable'{for `Lid'}");
    EXPECT_EQ(demangled("?\?_7Pot@@6BLid@tea@@@"), "const Pot::`vftable'{for `tea::Lid'}");
    EXPECT_EQ(demangled("?\?_7Pot@@6BLid@@Jug@tea@@@"),
              "const Pot::`vftable'{for `Lid's `tea::Jug'}");
    EXPECT_EQ(demangled("?\?_8Pot@@7B@"), "const Pot::`vbtable'");
    EXPECT_EQ(demangled("?\?_8Pot@@7BLid@@@"), "const Pot::`vbtable'{for `Lid'}");
    EXPECT_EQ(demangled("?\?_SPot@@6B@"), "const Pot::`local vftable'");
    EXPECT_EQ(demangled("?\?_7Pot@@6A@"), "Pot::`vftable'");
}

TEST(DemangledSymbols, AreTypeInformation) {
    EXPECT_EQ(demangled("?\?_R0?AVPot@tea@@@8"), "class tea::Pot `RTTI Type Descriptor'");
    EXPECT_EQ(demangled("?\?_R0PEAX@8"), "void *`RTTI Type Descriptor'");
    EXPECT_EQ(demangled("?\?_R0H@8"), "int `RTTI Type Descriptor'");
    EXPECT_EQ(demangled("?\?_R1A@?0A@EA@Pot@@8"),
              "Pot::`RTTI Base Class Descriptor at (0, -1, 0, 64)'");
    EXPECT_EQ(demangled("?\?_R17?0A@EA@Pot@@8"),
              "Pot::`RTTI Base Class Descriptor at (8, -1, 0, 64)'");
    EXPECT_EQ(demangled("?\?_R2Pot@@8"), "Pot::`RTTI Base Class Array'");
    EXPECT_EQ(demangled("?\?_R3Pot@@8"), "Pot::`RTTI Class Hierarchy Descriptor'");
    EXPECT_EQ(demangled("?\?_R4Pot@@6B@"), "const Pot::`RTTI Complete Object Locator'");
    EXPECT_EQ(demangled("?\?_R4Pot@@6BLid@@@"),
              "const Pot::`RTTI Complete Object Locator'{for `Lid'}");
}

TEST(DemangledSymbols, AreGuardsAndInitializers) {
    EXPECT_EQ(demangled("?\?_B?1?\?pour@@YAAEAUCup@@XZ@51"),
              "`struct Cup & __cdecl pour(void)'::`2'::`local static guard'{2}");
    EXPECT_EQ(demangled("?\?__J?1?\?pour@@YAAEAUCup@@XZ@5BA@"),
              "`struct Cup & __cdecl pour(void)'::`2'::`local static thread guard'{16}");
    EXPECT_EQ(demangled("?\?_B?1?\?pour@@YAXXZ@5"),
              "`void __cdecl pour(void)'::`2'::`local static guard'");
    EXPECT_EQ(demangled("?$TSS0@?1?\?pour@@YAHXZ@4HA"), "int `int __cdecl pour(void)'::`2'::$TSS0");
    EXPECT_EQ(demangled("?\?__Ecup@@YAXXZ"), "void __cdecl `dynamic initializer for 'cup''(void)");
    EXPECT_EQ(demangled("?\?__Ecup@tea@@YAXXZ"),
              "void __cdecl `dynamic initializer for 'tea::cup''(void)");
    EXPECT_EQ(demangled("?\?__E?cup@Pot@@2HA@@YAXXZ"),
              "void __cdecl `dynamic initializer for `public: static int Pot::cup''(void)");
    EXPECT_EQ(demangled("?\?__Fcup@@YAXXZ"),
              "void __cdecl `dynamic atexit destructor for 'cup''(void)");
    EXPECT_EQ(demangled("?\?__F?cup@?1?\?pour@@YAXXZ@4UCup@@A@YAXXZ"),
              "void __cdecl `dynamic atexit destructor for `struct Cup `void __cdecl "
              "pour(void)'::`2'::cup''(void)");
    EXPECT_EQ(demangled("?\?__E?$cup@H@@YAXXZ"),
              "void __cdecl `dynamic initializer for 'cup<int>''(void)");
}

TEST(DemangledSymbols, AreMarked) {
    EXPECT_EQ(demangled("?main@@9"), "extern \"C\" main");
    EXPECT_EQ(demangled("?f@@$$J0YAXXZ"), "extern \"C\" void __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@$$hYAXXZ"), "void __cdecl f(void)");
    EXPECT_EQ(demangled("?f@@$$FYMXXZ"), "void __clrcall f(void)");
    EXPECT_EQ(demangled("?f@Pot@@$$hQEAAXXZ"), "public: void __cdecl Pot::f(void)");
}

} // namespace
} // namespace etl::symbols::symbols_test
