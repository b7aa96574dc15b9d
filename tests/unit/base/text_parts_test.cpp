#include <etl/base/file_name.hpp>
#include <etl/base/trimmed.hpp>

#include <gtest/gtest.h>

namespace etl {
namespace {

TEST(Trimmed, OmitsBlanksAtBothEnds) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
}

TEST(Trimmed, IsEmptyWithoutOtherCharacters) {
    EXPECT_EQ(trimmed(""), "");
    EXPECT_EQ(trimmed(" \r\n\t"), "");
}

TEST(Trimmed, OmitsOnlyWhatIsAskedFor) {
    EXPECT_EQ(trimmed(" a\n", " \t"), "a\n");
    EXPECT_EQ(trimmed("\t a ", " "), "\t a");
}

TEST(FileName, FollowsTheLastSeparatorOfEitherSystem) {
    EXPECT_EQ(file_name_of(R"(C:\Windows\System32\ntdll.dll)"), "ntdll.dll");
    EXPECT_EQ(file_name_of("/usr/lib/libc.so.6"), "libc.so.6");
    EXPECT_EQ(file_name_of(R"(C:\a/b\c)"), "c");
}

TEST(FileName, IsTheWholePathWithoutSeparators) {
    EXPECT_EQ(file_name_of("a.exe"), "a.exe");
    EXPECT_EQ(file_name_of(""), "");
}

TEST(FileName, IsEmptyAfterASeparatorAtTheEnd) {
    EXPECT_EQ(file_name_of(R"(C:\a\)"), "");
}

TEST(FileName, CanFollowTheColonOfADrive) {
    EXPECT_EQ(file_name_of("C:a.exe"), "C:a.exe");
    EXPECT_EQ(file_name_of("C:a.exe", path_separators_and_drive), "a.exe");
}

} // namespace
} // namespace etl
