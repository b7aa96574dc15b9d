#include "base/file_name.hpp"

#include <gtest/gtest.h>

namespace etl::file_name_test {
namespace {

TEST(SafeFileName, KeepsPlainNames) {
    for (const char* const name : {"Contoso-Kitchen.Brewing-Start.12.v1.csv", "T\u00e9 \u8336.etl",
                                   "console", "com10", "com0", "lpt", "nullable.csv", "a b.c"}) {
        EXPECT_EQ(safe_file_name(name), name);
    }
}

TEST(SafeFileName, IsNoOptionAndNotHidden) {
    EXPECT_EQ(safe_file_name("-rf"), "_rf");
    EXPECT_EQ(safe_file_name("--help"), "_-help");
    EXPECT_EQ(safe_file_name(".bashrc"), "_bashrc");
    EXPECT_EQ(safe_file_name(".."), "__");
    EXPECT_EQ(safe_file_name(""), "_");
}

TEST(SafeFileName, HasNoMarkThatReordersText) {
    EXPECT_EQ(safe_file_name("a\u202egnp.exe"), "a_gnp.exe");
    EXPECT_EQ(safe_file_name("\u202a\u202b\u202c\u202d\u202e"), "_____");
    EXPECT_EQ(safe_file_name("\u2066\u2067\u2068\u2069"), "____");
    EXPECT_EQ(safe_file_name("\u200e\u200f\u061c"), "___");
    EXPECT_EQ(safe_file_name("\u200d\u2029\u202f\u2065\u206a"), "\u200d\u2029\u202f\u2065\u206a");
}

TEST(SafeFileName, HasNoControlsAndSeparators) {
    EXPECT_EQ(safe_file_name("a\nb\x1b[2Jc\x7f"), "a_b_[2Jc_");
    EXPECT_EQ(safe_file_name("a\u0085b\u009b"), "a_b_");
    EXPECT_EQ(safe_file_name("../a\\b/c:d"), "_._a_b_c_d");
    EXPECT_EQ(safe_file_name(std::string_view("a\0b", 3)), "a_b");
}

TEST(SafeFileName, IsUtf8) {
    EXPECT_EQ(safe_file_name("a\xff.csv"), "a\ufffd.csv");
}

TEST(SafeFileName, IsNoDeviceOfWindows) {
    for (const char* const name :
         {"CON", "con", "prn.csv", "AUX.tar.gz", "nul .txt", "Com1", "COM9.v1.csv", "lpt1.etl",
          "com\u00b9", "CONIN$", "conout$.txt"}) {
        EXPECT_EQ(safe_file_name(name), std::string("_") + name);
    }
}

TEST(SafeFileName, HasNoDotOrBlankAtItsEnd) {
    EXPECT_EQ(safe_file_name("name. ."), "name___");
    EXPECT_EQ(safe_file_name("nul. "), "nul__");
}

} // namespace
} // namespace etl::file_name_test
