#include "verbs/check/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace cli {
namespace {

using Form = CheckReport::Form;

constexpr etl::Diagnostic finding{
    .what = "a \"thing\"", .where = {0x1800}, .buffer = 3, .offset = 0x48, .bytes_skipped = 172};

/// Takes one block, then fails.
class SmallOutput final : public etl::Output {
public:
    etl::Result<void> write(std::string_view /*bytes*/) override {
        return ++writes_ > 1 ? etl::fail(etl::ErrorCode::io_failure, "full") : etl::Result<void>{};
    }

    int writes() const noexcept { return writes_; }

private:
    int writes_ = 0;
};

TEST(CheckReport, KeepsNoMoreFindingsThanABlockHolds) {
    for (const Form form : {Form::text, Form::json}) {
        etl::NullOutput output;
        CheckReport report("large.etl", form, output);
        etl::StringOutput one;
        CheckReport single("large.etl", form, one);
        single.report(finding);
        ASSERT_TRUE(single.finish(1, 1));
        const std::size_t longest = one.text().size(); // of a finding and all around it
        constexpr std::uint64_t count = 100'000;
        std::uint64_t least = 0; // bytes that all findings so far have at least
        for (std::uint64_t i = 0; i < count; ++i) {
            report.report(finding);
            least += 60;
            ASSERT_LE(least, output.bytes() + CheckReport::max_block + longest);
        }
        ASSERT_TRUE(report.finish(7, count));
        EXPECT_GT(output.bytes(), count * 60);
    }
}

TEST(CheckReport, IsAnObjectPerFile) {
    etl::StringOutput output;
    CheckReport whole("a.etl", Form::json, output);
    ASSERT_TRUE(whole.finish(4, 0));
    CheckReport damaged("b.etl", Form::json, output);
    damaged.report(finding);
    damaged.report(finding);
    ASSERT_TRUE(damaged.finish(4, 2));
    CheckReport unopened("c.etl", Form::json, output);
    ASSERT_TRUE(unopened.fail({.code = etl::ErrorCode::not_found, .what = "open"}));
    constexpr std::string_view one =
        R"({"severity":"warning","text":"a \"thing\"","file_offset":6144,"buffer":3,"offset":72,"bytes_skipped":172})";
    EXPECT_EQ(output.text(),
              std::string(R"({"file":"a.etl","findings":[],"buffers":4,"warnings":0})") + "\n" +
                  R"({"file":"b.etl","findings":[)" + std::string(one) + "," + std::string(one) +
                  R"(],"buffers":4,"warnings":2})" + "\n" +
                  R"({"file":"c.etl","error":"not found: open"})" + "\n");
}

TEST(CheckReport, SaysInTextHowTheFileIs) {
    etl::StringOutput output;
    CheckReport report("b.etl", Form::text, output);
    report.report(finding);
    ASSERT_TRUE(report.finish(4, 1));
    EXPECT_EQ(output.text(),
              "b.etl:0x1800: warning: buffer 3: record at 0x48: a \"thing\" (172 bytes "
              "skipped)\nb.etl: 4 buffers, damaged (1 finding)\n");
}

TEST(CheckReport, EndsWithTheFirstFailureOfTheOutput) {
    SmallOutput output;
    CheckReport report("b.etl", Form::text, output);
    for (int i = 0; i < 10'000; ++i) {
        report.report(finding);
    }
    EXPECT_FALSE(report.finish(1, 10'000));
    EXPECT_EQ(output.writes(), 2);
}

} // namespace
} // namespace cli
