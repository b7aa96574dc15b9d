// What stays and what becomes of values, in all files of a key.
#include "base/text.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"
#include "tests/unit/editing/anonymize/anonymized.hpp"
#include "tests/unit/editing/anonymize/coffee_shop.hpp"

#include <algorithm>

namespace etl::anonymize::anonymizer_test {
namespace {

using namespace etl::test;

TEST(Anonymizer, LeavesNoneOfTheOriginals) {
    const Image before = story();
    constexpr std::string_view secrets[] = {"alice",       "contoso",     "brew",       "4711",
                                            "recipes",     "grandma",     "secret",     "bob",
                                            "10.20.30.40", "00-15-5D-01", "1111111111", "222222222",
                                            "3333333333",  "taxes",       "diary"};
    for (const std::string_view secret : secrets) {
        EXPECT_TRUE(occurs(before, secret)) << secret;
    }
    const auto reader = open(before);
    const Anonymized after = anonymized(*reader, kernel_store());
    for (const std::string_view secret : secrets) {
        EXPECT_FALSE(occurs(after.image, secret)) << secret;
    }
    const std::string_view address("\x0A\x14\x1E\x28", 4);
    EXPECT_TRUE(as_text(before).contains(address));
    EXPECT_FALSE(as_text(after.image).contains(address));
    const std::vector<std::byte> sid = sid_bytes();
    EXPECT_FALSE(as_text(after.image).contains(as_text(Bytes(sid).subspan(12, 12))));
    EXPECT_TRUE(occurs(after.image, "C:\\Windows\\System32\\x.dll"));
    EXPECT_TRUE(occurs(after.image, "\\Device\\HarddiskVolume2\\Users\\"));
}

TEST(Anonymizer, KeepsEveryRecordItsSizeAndTheTraceSound) {
    const auto reader = open(story());
    const Anonymized after = anonymized(*reader, kernel_store());
    const auto again = open(story());
    const auto result = open(after.image);
    const auto before = records_of(*again);
    const auto now = records_of(*result);
    ASSERT_EQ(before.size(), now.size());
    for (std::size_t i = 1; i < before.size(); ++i) { // behind the log file header
        EXPECT_EQ(before[i].size(), now[i].size());
    }
    EXPECT_TRUE(read_written(after.image).checked.empty());
}

TEST(Anonymizer, ChangesNoFieldButTheValuesItReports) {
    const auto reader = open(story());
    const Anonymized after = anonymized(*reader, kernel_store());
    EXPECT_EQ(values_of(story(), true), values_of(after.image, true));
    const auto before = values_of(story(), false);
    const auto now = values_of(after.image, false);
    ASSERT_EQ(before.size(), now.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        different += before[i] != now[i] ? 1U : 0U;
    }
    std::size_t places = 0; // a value may hold several kinds
    std::uint64_t in_bytes = 0;
    for (std::size_t i = 0; i < after.report.fields.size(); ++i) {
        const Report::Field& field = after.report.fields[i];
        const bool is_field = !field.field.starts_with("(");
        const bool is_new = i == 0 || after.report.fields[i - 1].field != field.field ||
                            after.report.fields[i - 1].event != field.event;
        places += is_field && is_new ? 1U : 0U;
        in_bytes += is_field ? 0 : field.values;
        EXPECT_GT(field.values, 0U);
    }
    EXPECT_EQ(different, places);
    EXPECT_EQ(in_bytes, 4U) << "bytes behind fields, SID of an item; header: user, path";
}

TEST(Anonymizer, GivesOneValueOnePseudonymInAllFilesOfAKey) {
    const auto of = [](const Image& image, std::string_view key) {
        const auto reader = open(image);
        return values_of(anonymized(*reader, kernel_store(), {.key = key_of_text(key)}).image,
                         false);
    };
    TraceBuilder other;
    Shop to(other);
    add_texts(to);
    const auto story_values = of(story(), "a");
    const auto other_values = of(other.build(), "a");
    EXPECT_EQ(std::vector(story_values.begin(),
                          story_values.begin() + static_cast<std::ptrdiff_t>(other_values.size())),
              other_values);
    EXPECT_NE(of(other.build(), "b"), other_values);
}

TEST(Anonymizer, TellsWhatItDidNotLookInto) {
    const auto reader = open(story());
    const Report report = anonymized(*reader, kernel_store()).report;
    ASSERT_EQ(report.binary.size(), 1U);
    EXPECT_EQ(report.binary[0].field, "Blob");
    EXPECT_EQ(report.values[static_cast<std::size_t>(Kind::redacted)], 2U) << "wiped, both";
    EXPECT_EQ(report.unchecked.at("Coffee.Shop").trailing, 1U);
    EXPECT_EQ(report.undecodable, 0U);
}

TEST(Anonymizer, FindsLearnedNamesEvenWhereNothingIsDescribed) {
    const auto reader = open(with_unknown_event());
    const Anonymized after = anonymized(*reader, kernel_store());
    EXPECT_EQ(after.report.undecodable, 1U);
    EXPECT_EQ(after.report.dropped, 0U);
    EXPECT_FALSE(occurs(after.image, "alice"));
    EXPECT_TRUE(occurs(after.image, "only"));
}

TEST(Anonymizer, FindsLearnedNamesNextToAnythingInUndescribedBytes) {
    TraceBuilder trace;
    Shop to(trace);
    add_texts(to);
    ByteWriter payload;
    payload.u8(0xC8).zero_terminated8("alice9").text16(u"Alice").u16('A').u8('x').text8("contoso");
    payload.u8(0xFF);
    to.buffer().add(format::EventRecord{
        .time = 1'000'500, .provider = shop, .descriptor = {.id = 9}, .payload = payload.view()});
    const auto reader = open(trace.build());
    const Anonymized after = anonymized(*reader, kernel_store());
    EXPECT_FALSE(occurs(after.image, "alice"));
    EXPECT_FALSE(occurs(after.image, "contoso"));
}

TEST(Anonymizer, LearnsFromProfilesInUndescribedBytes) {
    for (const std::size_t shift : {0U, 1U}) {
        ByteWriter payload;
        payload.fill(shift).text16(u"C:\\Users\\dora\\x S-1-5-21-1111111111-222222222-3-1001");
        TraceBuilder trace;
        Shop to(trace);
        to.buffer().add(format::EventRecord{.time = 1'000'050,
                                            .provider = shop,
                                            .descriptor = {.id = 9},
                                            .payload = payload.view()});
        TraceLoggingEvent hello("Hello");
        hello.utf8("Message", "dora again");
        to.add(hello);
        const auto reader = open(trace.build());
        const Anonymized after = anonymized(*reader, kernel_store());
        EXPECT_FALSE(occurs(after.image, "dora"));
        EXPECT_FALSE(occurs(after.image, "1111111111"));
        EXPECT_TRUE(occurs(after.image, "C:\\Users\\"));
    }
}

TEST(Anonymizer, PassesEventsWithNothingPrivateAsTheyAre) {
    TraceBuilder trace;
    Shop to(trace);
    TraceLoggingEvent event("Done");
    event.i32("Cups", 1).utf16("Drink", u"espresso");
    to.add(event);
    const auto reader = open(trace.build());
    const Anonymized after = anonymized(*reader, kernel_store());
    EXPECT_EQ(after.report.changed, 1U) << "the log file header alone";
    const auto again = open(trace.build());
    const auto result = open(after.image);
    const auto before = records_of(*again);
    const auto now = records_of(*result);
    EXPECT_TRUE(std::ranges::equal(before.back(), now.back()));
}

} // namespace
} // namespace etl::anonymize::anonymizer_test
