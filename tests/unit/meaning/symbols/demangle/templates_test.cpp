#include "demangled.hpp"

#include <gtest/gtest.h>

namespace etl::symbols::templates_test {
namespace {

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

} // namespace
} // namespace etl::symbols::templates_test
