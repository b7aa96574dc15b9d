// Functions of the C library for text of 16-bit units, and bounded ones for both kinds.
#include <etl/compat/tchar.h>

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace etl::test::text_functions_test {
namespace {

std::u16string text_of(const WCHAR* text) {
    return text == nullptr ? u"(none)" : text;
}

TEST(WideText, IsComparedUpToACount) {
    EXPECT_EQ(wcsncmp(u"abc", u"abd", 2), 0);
    EXPECT_LT(wcsncmp(u"abc", u"abd", 3), 0);
    EXPECT_GT(wcsncmp(u"abc", u"ab", 9), 0);
    EXPECT_EQ(wcsncmp(u"a", u"b", 0), 0);
    EXPECT_EQ(_wcsnicmp(u"ABc", u"abX", 2), 0);
    EXPECT_NE(_wcsnicmp(u"ABc", u"abX", 3), 0);
    EXPECT_EQ(_wcsicmp(u"Abc", u"aBC"), 0);
    EXPECT_LT(_wcsicmp(u"Ab", u"aBC"), 0);
}

TEST(WideText, IsSearched) {
    EXPECT_EQ(text_of(wcschr(u"a=b=c", u'=')), u"=b=c");
    EXPECT_EQ(text_of(wcsrchr(u"a=b=c", u'=')), u"=c");
    EXPECT_EQ(text_of(wcschr(u"abc", u'x')), u"(none)");
    EXPECT_EQ(text_of(wcsrchr(u"abc", u'x')), u"(none)");
    EXPECT_EQ(text_of(wcschr(u"abc", u'\0')), u"");
    EXPECT_EQ(text_of(wcsrchr(u"abc", u'\0')), u"");
    EXPECT_EQ(text_of(wcsstr(u"one two", u"two")), u"two");
    EXPECT_EQ(text_of(wcsstr(u"one", u"two")), u"(none)");
    EXPECT_EQ(text_of(wcsstr(u"one", u"")), u"one");
}

TEST(WideText, IsCopiedAndAppended) {
    WCHAR to[8] = u"1234567";
    EXPECT_EQ(text_of(wcsncpy(to, u"ab", 4)), u"ab");
    EXPECT_EQ(to[3], 0);
    EXPECT_EQ(to[4], u'5');
    EXPECT_EQ(text_of(wcscat(to, u"cd")), u"abcd");
    wcsncpy(to, u"xyz", 2);
    EXPECT_EQ(text_of(to), u"xycd");
}

TEST(WideText, IsSplit) {
    WCHAR text[] = u",,a,b;;c";
    WCHAR* state = nullptr;
    EXPECT_EQ(text_of(wcstok_s(text, u",;", &state)), u"a");
    EXPECT_EQ(text_of(wcstok_s(nullptr, u",", &state)), u"b;;c");
    EXPECT_EQ(text_of(wcstok_s(nullptr, u",", &state)), u"(none)");
    EXPECT_EQ(text_of(wcstok_s(nullptr, u",", &state)), u"(none)");
}

TEST(WideText, IsReadAsNumbers) {
    WCHAR* end = nullptr;
    EXPECT_EQ(wcstol(u" -42x", &end, 10), -42);
    EXPECT_EQ(text_of(end), u"x");
    EXPECT_EQ(wcstoul(u"0xFFFFFFFF", &end, 0), 0xFFFFFFFFU);
    EXPECT_EQ(wcstoul(u"-1", nullptr, 10), 0xFFFFFFFFU);
    EXPECT_EQ(wcstol(u"ab", &end, 16), 0xAB);
    EXPECT_EQ(_wtoi(u"17 and more"), 17);
    EXPECT_EQ(_wtoi(u"\u0661"), 0); // no digit of ASCII
    EXPECT_EQ(_wtoi64(u"-9000000000"), -9'000'000'000);
    EXPECT_EQ(_wcstoi64(u"9000000000", nullptr, 10), 9'000'000'000);
    EXPECT_EQ(_wcstoui64(u"18446744073709551615", nullptr, 10), ~0ULL);
    errno = 0;
    EXPECT_EQ(wcstol(u"3000000000", nullptr, 10), 0x7FFFFFFF);
    EXPECT_EQ(errno, ERANGE);
    errno = 0;
    EXPECT_EQ(wcstoul(u"5000000000", nullptr, 10), 0xFFFFFFFFU);
    EXPECT_EQ(errno, ERANGE);
}

TEST(BoundedText, IsCutWhereTheCallerSays) {
    char to[4] = "xxx";
    EXPECT_EQ(strcpy_s(to, sizeof(to), "abc"), 0);
    EXPECT_STREQ(to, "abc");
    EXPECT_EQ(strcpy_s(to, "abcd"), ERANGE);
    EXPECT_STREQ(to, "");
    EXPECT_EQ(strcpy_s(to, sizeof(to), nullptr), EINVAL);
    EXPECT_EQ(strncpy_s(to, sizeof(to), "abcdef", 3), 0);
    EXPECT_STREQ(to, "abc");
    EXPECT_EQ(strncpy_s(to, sizeof(to), "abcdef", 4), ERANGE);
    EXPECT_STREQ(to, "");
    EXPECT_EQ(strncpy_s(to, sizeof(to), "abcdef", _TRUNCATE), STRUNCATE);
    EXPECT_STREQ(to, "abc");
    EXPECT_EQ(strncpy_s(to, sizeof(to), "ab", _TRUNCATE), 0);
    EXPECT_EQ(strcat_s(to, "c"), 0);
    EXPECT_STREQ(to, "abc");
    EXPECT_EQ(strcat_s(to, sizeof(to), "d"), ERANGE);
    EXPECT_STREQ(to, "");
    EXPECT_EQ(sprintf_s(to, sizeof(to), "%d", 123), 3);
    EXPECT_STREQ(to, "123");
    EXPECT_EQ(sprintf_s(to, sizeof(to), "%d", 1234), -1);
    EXPECT_STREQ(to, "");
}

TEST(BoundedText, IsTheSameInBothWidths) {
    WCHAR to[4] = u"xxx";
    EXPECT_EQ(wcscpy_s(to, u"abc"), 0);
    EXPECT_EQ(wcscat_s(to, u"d"), ERANGE);
    EXPECT_EQ(text_of(to), u"");
    EXPECT_EQ(wcsncpy_s(to, 4, u"abcdef", 2), 0);
    EXPECT_EQ(text_of(to), u"ab");
    EXPECT_EQ(wcsncpy_s(to, 4, u"abcdef", _TRUNCATE), STRUNCATE);
    EXPECT_EQ(text_of(to), u"abc");
    EXPECT_EQ(wcsncpy_s(to, 4, nullptr, 2), EINVAL);
}

TEST(FullPath, IsAbsoluteAndPlain) {
    const std::string here = std::filesystem::current_path().string();
    char to[4096];
    EXPECT_EQ(_fullpath(to, "a/./b/../c.etl", sizeof(to)), to);
    EXPECT_EQ(std::string(to), here + "/a/c.etl");
    EXPECT_EQ(_fullpath(to, "/x/../y", sizeof(to)), to);
    EXPECT_STREQ(to, "/y");
    EXPECT_EQ(_fullpath(to, "/longer", 7), nullptr);
    char* const made = _fullpath(nullptr, "/z", 0);
    EXPECT_STREQ(made, "/z");
    std::free(made);
    WCHAR wide[8];
    EXPECT_EQ(text_of(_wfullpath(wide, u"//\u00e4/.", 8)), u"/\u00e4");
    EXPECT_EQ(text_of(_wfullpath(wide, u"/..", 8)), u"/");
}

} // namespace
} // namespace etl::test::text_functions_test
