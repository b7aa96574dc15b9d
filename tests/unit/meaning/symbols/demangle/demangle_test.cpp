// Decorated names of real programs, with the texts of another tool.
#include "demangled.hpp"

#include "symbols/demangle.hpp"
#include "symbols/limits.hpp"
#include "tests/support/folders.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace etl::symbols::demangle_test {

namespace {

TEST(DemangledNames, HaveScopes) {
    EXPECT_EQ(demangled("?boil@@YAXXZ"), "void __cdecl boil(void)");
    EXPECT_EQ(demangled("?boil@Kettle@@YAXXZ"), "void __cdecl Kettle::boil(void)");
    EXPECT_EQ(demangled("?boil@Kettle@tea@@YAXXZ"), "void __cdecl tea::Kettle::boil(void)");
    EXPECT_EQ(demangled("?boil@?QIHeater@Kettle@@UEAAXXZ"),
              "public: virtual void __cdecl Kettle::[IHeater]::boil(void)");
}

TEST(DemangledNames, AreReferredToByDigits) {
    EXPECT_EQ(demangled("?boil@Kettle@tea@@YAXV12@@Z"),
              "void __cdecl tea::Kettle::boil(class tea::Kettle)");
    EXPECT_EQ(demangled("?boil@Kettle@tea@@YAXVPot@2@@Z"),
              "void __cdecl tea::Kettle::boil(class tea::Pot)");
    EXPECT_EQ(demangled("?boil@tea@1@YAXXZ"), "void __cdecl tea::tea::boil(void)");
    EXPECT_EQ(demangled("?a@b@c@d@e@f@g@h@i@j@k@@YAXUl@89@Ui@9@@Z"),
              "void __cdecl k::j::i::h::g::f::e::d::c::b::a(struct j::i::l, struct j::i)");
}

TEST(DemangledNames, OfStructorsAreThoseOfTheClass) {
    EXPECT_EQ(demangled("?\?0Pot@tea@@QEAA@XZ"), "public: __cdecl tea::Pot::Pot(void)");
    EXPECT_EQ(demangled("?\?1Pot@tea@@UEAA@XZ"), "public: virtual __cdecl tea::Pot::~Pot(void)");
    EXPECT_EQ(demangled("?\?0?$Pot@H@tea@@QEAA@H@Z"),
              "public: __cdecl tea::Pot<int>::Pot<int>(int)");
    EXPECT_EQ(demangled("?\?1?$Pot@H@@QAE@XZ"), "public: __thiscall Pot<int>::~Pot<int>(void)");
    EXPECT_EQ(demangled("?\?$?0N@Pot@@QEAA@N@Z"), "public: __cdecl Pot::Pot<double>(double)");
}

TEST(DemangledNames, AreOperators) {
    EXPECT_EQ(demangled("?\?2Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator new(void)");
    EXPECT_EQ(demangled("?\?3Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator delete(void)");
    EXPECT_EQ(demangled("?\?4Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator=(void)");
    EXPECT_EQ(demangled("?\?5Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator>>(void)");
    EXPECT_EQ(demangled("?\?6Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator<<(void)");
    EXPECT_EQ(demangled("?\?7Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator!(void)");
    EXPECT_EQ(demangled("?\?8Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator==(void)");
    EXPECT_EQ(demangled("?\?9Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator!=(void)");
    EXPECT_EQ(demangled("?\?APot@@QEAAXXZ"), "public: void __cdecl Pot::operator[](void)");
    EXPECT_EQ(demangled("?\?CPot@@QEAAXXZ"), "public: void __cdecl Pot::operator->(void)");
    EXPECT_EQ(demangled("?\?DPot@@QEAAXXZ"), "public: void __cdecl Pot::operator*(void)");
    EXPECT_EQ(demangled("?\?EPot@@QEAAXXZ"), "public: void __cdecl Pot::operator++(void)");
    EXPECT_EQ(demangled("?\?FPot@@QEAAXXZ"), "public: void __cdecl Pot::operator--(void)");
    EXPECT_EQ(demangled("?\?GPot@@QEAAXXZ"), "public: void __cdecl Pot::operator-(void)");
    EXPECT_EQ(demangled("?\?HPot@@QEAAXXZ"), "public: void __cdecl Pot::operator+(void)");
    EXPECT_EQ(demangled("?\?IPot@@QEAAXXZ"), "public: void __cdecl Pot::operator&(void)");
    EXPECT_EQ(demangled("?\?JPot@@QEAAXXZ"), "public: void __cdecl Pot::operator->*(void)");
    EXPECT_EQ(demangled("?\?KPot@@QEAAXXZ"), "public: void __cdecl Pot::operator/(void)");
    EXPECT_EQ(demangled("?\?LPot@@QEAAXXZ"), "public: void __cdecl Pot::operator%(void)");
    EXPECT_EQ(demangled("?\?MPot@@QEAAXXZ"), "public: void __cdecl Pot::operator<(void)");
    EXPECT_EQ(demangled("?\?NPot@@QEAAXXZ"), "public: void __cdecl Pot::operator<=(void)");
    EXPECT_EQ(demangled("?\?OPot@@QEAAXXZ"), "public: void __cdecl Pot::operator>(void)");
    EXPECT_EQ(demangled("?\?PPot@@QEAAXXZ"), "public: void __cdecl Pot::operator>=(void)");
    EXPECT_EQ(demangled("?\?QPot@@QEAAXXZ"), "public: void __cdecl Pot::operator,(void)");
    EXPECT_EQ(demangled("?\?RPot@@QEAAXXZ"), "public: void __cdecl Pot::operator()(void)");
    EXPECT_EQ(demangled("?\?SPot@@QEAAXXZ"), "public: void __cdecl Pot::operator~(void)");
    EXPECT_EQ(demangled("?\?TPot@@QEAAXXZ"), "public: void __cdecl Pot::operator^(void)");
    EXPECT_EQ(demangled("?\?UPot@@QEAAXXZ"), "public: void __cdecl Pot::operator|(void)");
    EXPECT_EQ(demangled("?\?VPot@@QEAAXXZ"), "public: void __cdecl Pot::operator&&(void)");
    EXPECT_EQ(demangled("?\?WPot@@QEAAXXZ"), "public: void __cdecl Pot::operator||(void)");
    EXPECT_EQ(demangled("?\?XPot@@QEAAXXZ"), "public: void __cdecl Pot::operator*=(void)");
    EXPECT_EQ(demangled("?\?YPot@@QEAAXXZ"), "public: void __cdecl Pot::operator+=(void)");
    EXPECT_EQ(demangled("?\?ZPot@@QEAAXXZ"), "public: void __cdecl Pot::operator-=(void)");
}

TEST(DemangledNames, AreOperatorsOfTheSecondSet) {
    EXPECT_EQ(demangled("?\?_0Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator/=(void)");
    EXPECT_EQ(demangled("?\?_1Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator%=(void)");
    EXPECT_EQ(demangled("?\?_2Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator>>=(void)");
    EXPECT_EQ(demangled("?\?_3Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator<<=(void)");
    EXPECT_EQ(demangled("?\?_4Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator&=(void)");
    EXPECT_EQ(demangled("?\?_5Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator|=(void)");
    EXPECT_EQ(demangled("?\?_6Pot@@QEAAXXZ"), "public: void __cdecl Pot::operator^=(void)");
    EXPECT_EQ(demangled("?\?_UPot@@QEAAXXZ"), "public: void __cdecl Pot::operator new[](void)");
    EXPECT_EQ(demangled("?\?_VPot@@QEAAXXZ"), "public: void __cdecl Pot::operator delete[](void)");
}

TEST(DemangledNames, AreMadeByTheCompiler) {
    EXPECT_EQ(demangled("?\?_APot@@QEAAXXZ"), "public: void __cdecl Pot::`typeof'(void)");
    EXPECT_EQ(demangled("?\?_DPot@@QEAAXXZ"), "public: void __cdecl Pot::`vbase dtor'(void)");
    EXPECT_EQ(demangled("?\?_EPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`vector deleting dtor'(void)");
    EXPECT_EQ(demangled("?\?_FPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`default ctor closure'(void)");
    EXPECT_EQ(demangled("?\?_GPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`scalar deleting dtor'(void)");
    EXPECT_EQ(demangled("?\?_HPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`vector ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?_IPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`vector dtor iterator'(void)");
    EXPECT_EQ(demangled("?\?_JPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`vector vbase ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?_KPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`virtual displacement map'(void)");
    EXPECT_EQ(demangled("?\?_LPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`eh vector ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?_MPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`eh vector dtor iterator'(void)");
    EXPECT_EQ(demangled("?\?_NPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`eh vector vbase ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?_OPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`copy ctor closure'(void)");
    EXPECT_EQ(demangled("?\?_TPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`local vftable ctor closure'(void)");
    EXPECT_EQ(demangled("?\?_XPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`placement delete closure'(void)");
    EXPECT_EQ(demangled("?\?_YPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`placement delete[] closure'(void)");
}

TEST(DemangledNames, AreOfTheThirdSet) {
    EXPECT_EQ(demangled("?\?__APot@@QEAAXXZ"),
              "public: void __cdecl Pot::`managed vector ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?__BPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`managed vector dtor iterator'(void)");
    EXPECT_EQ(demangled("?\?__CPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`EH vector copy ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?__DPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`EH vector vbase copy ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?__GPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`vector copy ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?__HPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`vector vbase copy ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?__IPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`managed vector vbase copy ctor iterator'(void)");
    EXPECT_EQ(demangled("?\?__LPot@@QEAAXXZ"), "public: void __cdecl Pot::operator co_await(void)");
    EXPECT_EQ(demangled("?\?__MPot@@QEAAXXZ"), "public: void __cdecl Pot::operator<=>(void)");
    EXPECT_EQ(demangled("?\?__K_cups@@YAHO@Z"), "int __cdecl operator \"\"_cups(long double)");
    EXPECT_EQ(demangled("?\?_PDPot@@QEAAXXZ"),
              "public: void __cdecl Pot::`udt returning'operator*(void)");
}

TEST(DemangledNames, OfConversionsEndWithTheType) {
    EXPECT_EQ(demangled("?\?BPot@@QEBA_NXZ"),
              "public: bool __cdecl Pot::operator bool(void) const");
    EXPECT_EQ(demangled("?\?BPot@@QEAAPEBDXZ"),
              "public: char const * __cdecl Pot::operator char const *(void)");
    EXPECT_EQ(demangled("?\?$?BH@Pot@@QEAAHXZ"),
              "public: int __cdecl Pot::operator<int> int(void)");
}

TEST(DemangledNames, HaveAnonymousNamespaces) {
    EXPECT_EQ(demangled("?boil@?A0x12345678@@YAXXZ"),
              "void __cdecl `anonymous namespace'::boil(void)");
    EXPECT_EQ(demangled("?boil@?A@@YAXXZ"), "void __cdecl `anonymous namespace'::boil(void)");
    EXPECT_EQ(demangled("?boil@?A0x12345678@tea@@YAXUCup@1@U32@@Z"),
              "void __cdecl tea::`anonymous namespace'::boil(struct `anonymous namespace'::Cup, "
              "struct tea::Cup)");
    EXPECT_EQ(demangled("?f@?A0x1@tea@@YAXUCup@1@@Z"),
              "void __cdecl tea::`anonymous namespace'::f(struct `anonymous namespace'::Cup)");
}

TEST(DemangledNames, HaveLocalScopes) {
    EXPECT_EQ(demangled("?n@?1?\?pour@@YAXXZ@4HA"), "int `void __cdecl pour(void)'::`2'::n");
    EXPECT_EQ(demangled("?n@?BA@?\?pour@Pot@@QEAAXXZ@4HA"),
              "int `public: void __cdecl Pot::pour(void)'::`16'::n");
    EXPECT_EQ(demangled("?n@?@?\?pour@@YAXXZ@4HA"), "int `void __cdecl pour(void)'::`0'::n");
    EXPECT_EQ(demangled("?pour@Local@?1?\?boil@@YAXXZ@QEAAXXZ"),
              "public: void __cdecl `void __cdecl boil(void)'::`2'::Local::pour(void)");
    EXPECT_EQ(demangled("?n@?1?\?pour@?2?\?boil@@YAXXZ@YAXXZ@4HA"),
              "int `void __cdecl `void __cdecl boil(void)'::`3'::pour(void)'::`2'::n");
    EXPECT_EQ(demangled("?n@?1?\?main@@9@4HA"), "int `extern \"C\" main'::`2'::n");
}

TEST(DemangledNames, OfLambdasAreKept) {
    EXPECT_EQ(demangled("?\?R<lambda_1>@@QEBA@XZ"),
              "public: __cdecl <lambda_1>::operator()(void) const");
    EXPECT_EQ(demangled("?<lambda_invoker_cdecl>@<lambda_1>@@CA@H@Z"),
              "private: static __cdecl <lambda_1>::<lambda_invoker_cdecl>(int)");
    EXPECT_EQ(
        demangled("?\?R<lambda_0123456789abcdef0123456789abcdef>@@QEBAHH@Z"),
        "public: int __cdecl <lambda_0123456789abcdef0123456789abcdef>::operator()(int) const");
}

TEST(DemangledNames, ThatWereTooLongAreHashes) {
    EXPECT_EQ(demangled("?\?@0123456789abcdef0123456789abcdef@"),
              "?\?@0123456789abcdef0123456789abcdef@");
    EXPECT_EQ(demangled("?\?@0123456789abcdef0123456789abcdef@?\?_R4@"),
              "?\?@0123456789abcdef0123456789abcdef@?\?_R4@");
    EXPECT_EQ(demangled("?\?$f@$1?\?@0123456789abcdef0123456789abcdef@@@YAXXZ"),
              "void __cdecl f<&?\?@0123456789abcdef0123456789abcdef@>(void)");
}

TEST(DemangledNames, OfPartsOfFunctionsNameThePart) {
    EXPECT_EQ(demangled("?boil@@YAXXZ.cold"), "void __cdecl boil(void) [.cold]");
    EXPECT_EQ(demangled("?boil@@YAXXZ$0"), "void __cdecl boil(void) [$0]");
    EXPECT_EQ(demangled("__catch$?boil@@YAXXZ$12"), "void __cdecl boil(void) [__catch$12]");
    EXPECT_EQ(demangled("__ehhandler$?boil@Kettle@@QEAAXXZ"),
              "public: void __cdecl Kettle::boil(void) [__ehhandler]");
    EXPECT_EQ(demangled("?dtor$1@?0?\?boil@@YAXXZ@4HA"),
              "int `void __cdecl boil(void)'::`1'::dtor$1");
}

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

TEST(DemangledTemplates, HaveTypesAsArguments) {
    EXPECT_EQ(demangled("?\?$f@H@@YAXXZ"), "void __cdecl f<int>(void)");
    EXPECT_EQ(demangled("?\?$f@HN@@YAXXZ"), "void __cdecl f<int, double>(void)");
    EXPECT_EQ(demangled("?\?$f@V?$Pot@H@tea@@@@YAXV?$Pot@H@tea@@@Z"),
              "void __cdecl f<class tea::Pot<int>>(class tea::Pot<int>)");
    EXPECT_EQ(demangled("?f@?$Pot@V?$Cup@H@@@tea@@QEAAXXZ"),
              "public: void __cdecl tea::Pot<class Cup<int>>::f(void)");
    EXPECT_EQ(demangled("?\?$f@$$CBH@@YAXXZ"), "void __cdecl f<int const>(void)");
    EXPECT_EQ(demangled("?\?$f@$$CDUCup@@@@YAXXZ"),
              "void __cdecl f<struct Cup const volatile>(void)");
    EXPECT_EQ(demangled("?\?$f@$$CBQEAH@@YAXXZ"), "void __cdecl f<int *const>(void)");
    EXPECT_EQ(demangled("?\?$f@$$QEAH@@YAXXZ"), "void __cdecl f<int &&>(void)");
    EXPECT_EQ(demangled("?\?$f@$$T@@YAXXZ"), "void __cdecl f<std::nullptr_t>(void)");
    EXPECT_EQ(demangled("?\?$f@X@@YAXXZ"), "void __cdecl f<void>(void)");
    EXPECT_EQ(demangled("?\?$f@$$BY01$$CBH@@YAXXZ"), "void __cdecl f<int const[2]>(void)");
    EXPECT_EQ(demangled("?\?$f@$$YPot@tea@@@@YAXXZ"), "void __cdecl f<tea::Pot>(void)");
}

TEST(DemangledTemplates, HaveFunctionTypesAsArguments) {
    EXPECT_EQ(demangled("?\?$f@$$A6AXXZ@@YAXXZ"), "void __cdecl f<void __cdecl(void)>(void)");
    EXPECT_EQ(demangled("?\?$f@$$A6AHDZZ@@YAXXZ"), "void __cdecl f<int __cdecl(char, ...)>(void)");
    EXPECT_EQ(demangled("?\?$f@$$A8@@EBAXXZ@@YAXXZ"),
              "void __cdecl f<void __cdecl(void) const>(void)");
    EXPECT_EQ(demangled("?\?$f@$$A8@@GBAHD@Z@@YAXXZ"),
              "void __cdecl f<int __cdecl(char) const &>(void)");
    EXPECT_EQ(demangled("?\?$f@P6AXXZ@@YAXXZ"), "void __cdecl f<void (__cdecl *)(void)>(void)");
}

TEST(DemangledTemplates, HavePacks) {
    EXPECT_EQ(demangled("?\?$f@$$V@@YAXXZ"), "void __cdecl f<>(void)");
    EXPECT_EQ(demangled("?\?$f@$$$V@@YAXXZ"), "void __cdecl f<>(void)");
    EXPECT_EQ(demangled("?\?$f@$S@@YAXXZ"), "void __cdecl f<>(void)");
    EXPECT_EQ(demangled("?\?$f@H$$ZN@@YAXXZ"), "void __cdecl f<int, double>(void)");
    EXPECT_EQ(demangled("?\?$f@H$$V@@YAXXZ"), "void __cdecl f<int>(void)");
}

TEST(DemangledTemplates, HaveNumbersAsArguments) {
    EXPECT_EQ(demangled("?\?$f@$00@@YAXXZ"), "void __cdecl f<1>(void)");
    EXPECT_EQ(demangled("?\?$f@$0A@@@YAXXZ"), "void __cdecl f<0>(void)");
    EXPECT_EQ(demangled("?\?$f@$0?0@@YAXXZ"), "void __cdecl f<-1>(void)");
    EXPECT_EQ(demangled("?\?$f@$0BA@@@YAXXZ"), "void __cdecl f<16>(void)");
    EXPECT_EQ(demangled("?\?$f@$0?BA@@@YAXXZ"), "void __cdecl f<-16>(void)");
    EXPECT_EQ(demangled("?\?$f@$0HPPPPPPPPPPPPPPP@@@YAXXZ"),
              "void __cdecl f<9223372036854775807>(void)");
    EXPECT_EQ(demangled("?\?$f@$0?IAAAAAAAAAAAAAAA@@@YAXXZ"),
              "void __cdecl f<-9223372036854775808>(void)");
    EXPECT_EQ(demangled("?\?$f@$0PPPPPPPPPPPPPPPP@@@YAXXZ"),
              "void __cdecl f<18446744073709551615>(void)");
}

TEST(DemangledTemplates, HaveSymbolsAsArguments) {
    EXPECT_EQ(demangled("?\?$f@$1?n@@3HA@@YAXXZ"), "void __cdecl f<&int n>(void)");
    EXPECT_EQ(demangled("?\?$f@$1?g@@YAXXZ@@YAXXZ"), "void __cdecl f<&void __cdecl g(void)>(void)");
    EXPECT_EQ(demangled("?\?$f@$E?n@@3HA@@YAXXZ"), "void __cdecl f<int n>(void)");
    EXPECT_EQ(demangled("?\?$f@$1?g@Pot@@QEAAXXZ@@YAXXZ"),
              "void __cdecl f<&public: void __cdecl Pot::g(void)>(void)");
    EXPECT_EQ(demangled("?\?$f@$1?main@@9@@YAXXZ"), "void __cdecl f<&extern \"C\" main>(void)");
    EXPECT_EQ(demangled("?\?$f@$1?\?_9Pot@@$BA@AA@@YAXXZ"),
              "void __cdecl f<&[thunk]: __cdecl Pot::`vcall'{0, {flat}}>(void)");
}

TEST(DemangledTemplates, HaveMembersAsArguments) {
    EXPECT_EQ(demangled("?\?$f@$H?g@Pot@@QEAAXXZ3@@YAXXZ"),
              "void __cdecl f<{public: void __cdecl Pot::g(void), 4}>(void)");
    EXPECT_EQ(demangled("?\?$f@$I?g@Pot@@QEAAXXZA@A@@@YAXXZ"),
              "void __cdecl f<{public: void __cdecl Pot::g(void), 0, 0}>(void)");
    EXPECT_EQ(demangled("?\?$f@$J?g@Pot@@QEAAXXZA@A@A@@@YAXXZ"),
              "void __cdecl f<{public: void __cdecl Pot::g(void), 0, 0, 0}>(void)");
    EXPECT_EQ(demangled("?\?$f@$HA@@@YAXXZ"), "void __cdecl f<{0}>(void)");
    EXPECT_EQ(demangled("?\?$f@$F03@@YAXXZ"), "void __cdecl f<{1, 4}>(void)");
    EXPECT_EQ(demangled("?\?$f@$G013@@YAXXZ"), "void __cdecl f<{1, 2, 4}>(void)");
}

TEST(DemangledTemplates, HaveArgumentsDeclaredAsAuto) {
    EXPECT_EQ(demangled("?f@?$Auto@$MH04@@QEAAXXZ"), "public: void __cdecl Auto<5>::f(void)");
    EXPECT_EQ(demangled("?f@?$Auto@$M_N00@@QEAAXXZ"), "public: void __cdecl Auto<1>::f(void)");
    EXPECT_EQ(demangled("?f@?$Auto@$MPEAH1?n@@3HA@@QEAAXXZ"),
              "public: void __cdecl Auto<&int n>::f(void)");
    EXPECT_EQ(demangled("?f@?$Auto@$MP8S@@EAAXXZ1?m@1@QEAAXXZ@@QEAAXXZ"),
              "public: void __cdecl Auto<&public: void __cdecl S::m(void)>::f(void)");
}

TEST(DemangledTemplates, HaveValuesAsArguments) {
    EXPECT_EQ(demangled("?f@?$Auto@$MMAEACAAAAA@@@QEAAXXZ"),
              "public: void __cdecl Auto<2.5>::f(void)");
    EXPECT_EQ(demangled("?f@?$Auto@$MNBDPPIAAAAAAAAAAAA@@@QEAAXXZ"),
              "public: void __cdecl Auto<1.5>::f(void)");
    EXPECT_EQ(demangled("?f@?$Auto@$2UPt@@H00H01@@@QEAAXXZ"),
              "public: void __cdecl Auto<struct Pt{1, 2}>::f(void)");
    EXPECT_EQ(
        demangled("?f@?$Auto@$2UPc@@PEBD0A@3UPt@@2U2@H00H01@@2U2@H02H0?3@@@@@@QEAAXXZ"),
        "public: void __cdecl Auto<struct Pc{0, {struct Pt{1, 2}, struct Pt{3, -4}}}>::f(void)");
    EXPECT_EQ(demangled("?f@?$Auto@$MPEAHC1?ga@@3PAHA00@@@QEAAXXZ"),
              "public: void __cdecl Auto<&int *ga[1]>::f(void)");
}

TEST(DemangledTemplates, HaveReferencesOfTheirOwn) {
    EXPECT_EQ(demangled("?\?$f@UCup@@@tea@@YAXUCup@@U1@@Z"),
              "void __cdecl tea::f<struct Cup>(struct Cup, struct Cup)");
    EXPECT_EQ(demangled("?f@?$Pot@UCup@tea@@U12@@@QEAAXXZ"),
              "public: void __cdecl Pot<struct tea::Cup, struct tea::Cup>::f(void)");
    EXPECT_EQ(demangled("?\?$f@P6AXPEAH0@Z@@YAXPEBH0@Z"),
              "void __cdecl f<void (__cdecl *)(int *, int *)>(int const *, int const *)");
    EXPECT_EQ(demangled("?\?$f@PEAH0@@YAXXZ"), "void __cdecl f<int *, int *>(void)");
}

TEST(DemangledTemplates, AreOperators) {
    EXPECT_EQ(demangled("?\?$?6D@tea@@YAHD@Z"), "int __cdecl tea::operator<<<char>(char)");
    EXPECT_EQ(demangled("?\?$?DH@Pot@@QEAAHXZ"), "public: int __cdecl Pot::operator*<int>(void)");
    EXPECT_EQ(demangled("?\?$?__MH@Pot@@QEAAHXZ"),
              "public: int __cdecl Pot::operator<=><int>(void)");
}

TEST(DemangledTemplates, HaveUnboundParameters) {
    EXPECT_EQ(demangled("?\?$f@$D0@@YAXXZ"), "void __cdecl f<`template-parameter-1'>(void)");
    EXPECT_EQ(demangled("?\?$f@$Q1@@YAXXZ"),
              "void __cdecl f<`non-type-template-parameter-2'>(void)");
}

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

struct Row {
    std::string decorated;
    std::string full;
    std::string name_only;
};

std::vector<Row> rows() {
    std::ifstream file(std::filesystem::path(test::shared_corpus()) / "symbols" / "expected" /
                       "undname.tsv");
    std::vector<Row> found;
    for (std::string line; std::getline(file, line);) {
        const std::size_t first = line.find('\t');
        const std::size_t second = line.find('\t', first + 1);
        if (line.starts_with('#') || second == std::string::npos) {
            continue;
        }
        found.push_back({.decorated = line.substr(0, first),
                         .full = line.substr(first + 1, second - first - 1),
                         .name_only = line.substr(second + 1)});
    }
    return found;
}

std::string as_expected(std::string_view decorated, const DemangleStyle& style) {
    return demangle(decorated, style).value_or("error: invalid");
}

TEST(DemangleCorpus, EveryNameIsAsExpected) {
    const std::vector<Row> names = rows();
    if (names.empty()) {
        GTEST_SKIP() << "no decorated names in " << test::shared_corpus();
    }
    constexpr DemangleStyle name_only{
        .access = false, .member_kind = false, .calling_convention = false, .return_type = false};
    for (const Row& row : names) {
        EXPECT_EQ(as_expected(row.decorated, {}), row.full) << row.decorated;
        EXPECT_EQ(as_expected(row.decorated, name_only), row.name_only) << row.decorated;
    }
    EXPECT_EQ(names.size(), 846U);
}

} // namespace

} // namespace etl::symbols::demangle_test
