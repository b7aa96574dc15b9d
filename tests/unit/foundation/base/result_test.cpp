#include <etl/error.hpp>

#include "base/output.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace etl::result_test {
namespace {

TEST(Error, SaysWhatIsMissingWhere) {
    const Error error{ErrorCode::truncated, "buffer header", FileOffset{0x48}, 72, 10, 0};
    EXPECT_EQ(describe(error), "truncated: buffer header at 0x48: needs 72 bytes, 10 left");
    const Error first{ErrorCode::truncated, "flags", FileOffset{0}, 1, 0, 0};
    EXPECT_EQ(describe(first), "truncated: flags at 0x0: needs 1 byte, 0 left");
}

TEST(Error, SaysAPlaceOnlyWhereThereIsOne) {
    EXPECT_EQ(describe(Error{ErrorCode::not_found, "file"}), "not found: file");
    EXPECT_EQ(describe(Error{ErrorCode::malformed, "gzip stream", FileOffset{0}}),
              "malformed: gzip stream at 0x0");
    EXPECT_EQ(describe(Error{ErrorCode::unsupported, "encrypted member", FileOffset{0x20}}),
              "unsupported: encrypted member at 0x20");
}

TEST(Error, NamesTheLimitAndWhatWasFound) {
    EXPECT_EQ(describe(Error{ErrorCode::limit, "archive entries", {}, 65536, 70000}),
              "limit reached: archive entries: at most 65536, found 70000");
    EXPECT_EQ(describe(Error{ErrorCode::limit, "decompressed bytes", {}, 100}),
              "limit reached: decompressed bytes: at most 100");
    EXPECT_EQ(describe(Error{ErrorCode::malformed, "size", FileOffset{8}, 48, 7}),
              "malformed: size at 0x8: expected 48, found 7");
    EXPECT_EQ(describe(Error{ErrorCode::malformed, "version", FileOffset{8}, 0, 7}),
              "malformed: version at 0x8: found 7");
}

TEST(Error, EndsWithTheWordsOfTheSystem) {
    Error error{ErrorCode::io_failure, "read"};
    error.os_code = ENOSPC;
    EXPECT_EQ(describe(error), "I/O error: read: No space left on device");
}

TEST(Error, HasAWordForEachCode) {
    std::set<std::string_view> words;
    for (int code = 0; code <= static_cast<int>(ErrorCode::invalid_option); ++code) {
        words.insert(name(static_cast<ErrorCode>(code)));
    }
    EXPECT_EQ(words.size(), static_cast<std::size_t>(ErrorCode::invalid_option) + 1);
    EXPECT_FALSE(words.contains(""));
}

TEST(Error, IsCarriedByAResult) {
    const auto make = [](int value) -> Result<int> {
        if (value < 0) {
            return fail(ErrorCode::malformed, "value", FileOffset{3}, 1, 2);
        }
        return value;
    };
    EXPECT_EQ(make(5).value(), 5);
    EXPECT_EQ(make(-1).error().code, ErrorCode::malformed);
    EXPECT_EQ(make(-1).error().where, FileOffset{3});
}

TEST(Diagnostic, SaysBufferRecordAndLoss) {
    const Diagnostic finding{.what = "size of 2 is smaller than a header",
                             .where = FileOffset{0x10000},
                             .buffer = 1,
                             .offset = 0x80,
                             .bytes_skipped = 65408};
    EXPECT_EQ(describe(finding), "0x10000: warning: buffer 1: record at 0x80: size of 2 is smaller "
                                 "than a header (65408 bytes skipped)");
}

TEST(Diagnostic, LeavesOutWhatIsNotKnown) {
    const Diagnostic finding{.severity = Severity::note, .what = "the header says nothing"};
    EXPECT_EQ(describe(finding), "0x0: note: the header says nothing");
    DiagnosticList list;
    list.report(finding);
    ASSERT_EQ(list.list().size(), 1U);
    EXPECT_STREQ(list.list()[0].what, finding.what);
}

TEST(Output, OfTestsKeepsOrCounts) {
    StringOutput text;
    NullOutput none;
    for (Output* output : {static_cast<Output*>(&text), static_cast<Output*>(&none)}) {
        EXPECT_TRUE(output->write("ab"));
        EXPECT_TRUE(output->write("c"));
    }
    EXPECT_EQ(text.text(), "abc");
    EXPECT_EQ(none.bytes(), 3U);
}

} // namespace
} // namespace etl::result_test
