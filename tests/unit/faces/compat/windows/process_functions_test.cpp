// The command line, memory, and security identifiers.
#include <etl/compat/shellapi.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace etl::test::process_functions_test {
namespace {

using testing::ElementsAre;

std::vector<std::u16string> split(const char16_t* line) {
    int count = -1;
    LPWSTR* const found = CommandLineToArgvW(line, &count);
    if (found == nullptr) {
        return {u"(failed)"};
    }
    EXPECT_EQ(found[count], nullptr);
    std::vector<std::u16string> arguments(found, found + count);
    EXPECT_EQ(LocalFree(found), nullptr);
    return arguments;
}

TEST(CommandLine, IsSplitAsWindowsDoes) {
    EXPECT_THAT(split(u"prog a\tb  c "), ElementsAre(u"prog", u"a", u"b", u"c"));
    EXPECT_THAT(split(uR"("C:\a b\p.exe" "x y" "")"), ElementsAre(uR"(C:\a b\p.exe)", u"x y", u""));
    // Of the name, backslashes are no escapes.
    EXPECT_THAT(split(uR"("C:\"x y)"), ElementsAre(uR"(C:\)", u"x", u"y"));
    EXPECT_THAT(split(uR"(p a\\b \"q\" "a\\" c)"),
                ElementsAre(u"p", uR"(a\\b)", u"\"q\"", uR"(a\)", u"c"));
    EXPECT_THAT(split(uR"(p a\\\"b x\\"y z")"), ElementsAre(u"p", uR"(a\"b)", uR"(x\y z)"));
    EXPECT_THAT(split(uR"(p "a""b" c)"), ElementsAre(u"p", u"a\"b", u"c"));
    EXPECT_THAT(split(uR"(p "open end)"), ElementsAre(u"p", u"open end"));
    EXPECT_THAT(split(u" p"), ElementsAre(u"", u"p"));
}

TEST(CommandLine, OfNothingIsTheProgram) {
    const auto arguments = split(u"");
    ASSERT_EQ(arguments.size(), 1U);
    EXPECT_TRUE(arguments[0].starts_with(u"etl_compat_test"));
    EXPECT_EQ(CommandLineToArgvW(nullptr, nullptr), nullptr);
    EXPECT_EQ(GetLastError(), DWORD{ERROR_INVALID_PARAMETER});
}

TEST(CommandLine, IsThatOfTheProcess) {
    const auto arguments = split(GetCommandLineW());
    EXPECT_NE(arguments[0].find(u"etl_compat_test"), std::u16string::npos);
    EXPECT_NE(std::string_view(GetCommandLineA()).find("etl_compat_test"), std::string_view::npos);
    EXPECT_EQ(GetCommandLineW(), GetCommandLineW());
}

TEST(Memory, IsClearedOnRequest) {
    auto* const local = static_cast<char*>(LocalAlloc(LPTR, 16));
    EXPECT_EQ(std::string(local, 16), std::string(16, '\0'));
    EXPECT_EQ(LocalFree(local), nullptr);
    void* const global = GlobalAlloc(GMEM_FIXED, 0);
    EXPECT_NE(global, nullptr);
    EXPECT_EQ(GlobalFree(global), nullptr);
    EXPECT_EQ(GlobalFree(nullptr), nullptr);
}

TEST(Sid, HasALength) {
    SID system{SID_REVISION, 1, {{0, 0, 0, 0, 0, 5}}, {18}};
    SID world{SID_REVISION, 1, {{0, 0, 0, 0, 0, 1}}, {0}};
    EXPECT_TRUE(IsValidSid(&system));
    EXPECT_EQ(GetLengthSid(&system), 12U);
    EXPECT_EQ(GetSidLengthRequired(SID_MAX_SUB_AUTHORITIES), DWORD{SECURITY_MAX_SID_SIZE});
    EXPECT_FALSE(EqualSid(&system, &world));
    world = system;
    EXPECT_TRUE(EqualSid(&system, &world));
    world.SubAuthorityCount = 16;
    EXPECT_FALSE(IsValidSid(&world));
    EXPECT_FALSE(EqualSid(&system, &world));
    EXPECT_FALSE(IsValidSid(nullptr));
}

} // namespace
} // namespace etl::test::process_functions_test
