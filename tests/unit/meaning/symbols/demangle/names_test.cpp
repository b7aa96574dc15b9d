#include "demangled.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::names_test {
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

} // namespace
} // namespace etl::symbols::names_test
