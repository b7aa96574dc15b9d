// Many parts, no part, and what is refused.
#include "relog/limits.hpp"
#include "relog/split.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/unit/editing/relog/split_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::relog::split_limits_test {
namespace {

using namespace test;
using testing::IsEmpty;

TEST(Split, OfContextAloneThereIsOnePart) {
    Story story(1);
    story.add(process_record(0, Life::rundown_at_start, 1, "signal.exe"));
    const Image whole = story.finish();
    const Outcome outcome = split_image(whole, by(SplitBy::process));
    ASSERT_EQ(outcome.parts.size(), 1U);
    EXPECT_EQ(outcome.parts[0].context, 1U);
    EXPECT_EQ(told_by(outcome.files[0]), told_by(whole));
}

TEST(Split, OfNothingThereIsNoPart) {
    Story story(1);
    const Outcome outcome = split_image(story.finish(), by(SplitBy::count, 5));
    EXPECT_FALSE(outcome.error);
    EXPECT_THAT(outcome.parts, IsEmpty());
}

TEST(Split, MorePartsThanCanBeOpenAreMadeInSeveralPasses) {
    const Image whole = timetable();
    SplitOptions options = by(SplitBy::count, 1);
    const Outcome outcome = split_image(whole, options);
    EXPECT_GT(outcome.parts.size(), 2 * relog::limits::split_parts_at_once);
    expect_partition(whole, outcome, true);
    options.context = SplitContext::none;
    expect_partition(whole, split_image(whole, options), false);
}

/// `count` events; the last but one has a payload of so many bytes.
Image small_story(int count, std::size_t payload) {
    Story story(1);
    for (int i = 0; i < count; ++i) {
        const Image bytes(i == count - 2 ? payload : 10);
        story.add(format::EventRecord{.provider = canal, .payload = bytes});
    }
    return story.finish();
}

TEST(Split, WithoutContextThereIsNoFileToShare) {
    SplitOptions options = by(SplitBy::count, 20);
    options.context = SplitContext::shared;
    const Outcome outcome = split_image(small_story(30, 10), options);
    ASSERT_EQ(outcome.parts.size(), 2U);
    EXPECT_EQ(outcome.parts[0].path, "part-1.etl");
    EXPECT_EQ(outcome.parts[0].context_path, "");
}

/// Counts one trace and writes another.
Result<std::vector<Part>> split_two(const Image& counted, const Image& written, bool with_context) {
    io::MemoryFiles files;
    SplitOptions options = by(SplitBy::count, 20);
    options.context = with_context ? SplitContext::copied : SplitContext::none;
    options.writer.files = &files;
    options.writer.recording = trace::begin_recording({story_start}, 1);
    options.writer.recording->header.log_file_name = u"part.etl";
    options.writer.file.buffer_size = 1024;
    bool is_first = true;
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return trace::Reader::open(in_memory(std::exchange(is_first, false) ? counted : written));
    };
    return split(open, "part-%d.etl", options);
}

TEST(Split, RefusesASourceThatIsAnotherTheNextTime) {
    for (const bool with_context : {true, false}) {
        ASSERT_TRUE(split_two(small_story(30, 10), small_story(30, 10), with_context));
        for (const int count : {5, 20, 29, 31, 40}) {
            SCOPED_TRACE(count);
            const auto parts = split_two(small_story(30, 10), small_story(count, 10), with_context);
            ASSERT_FALSE(parts);
            EXPECT_EQ(parts.error().code, ErrorCode::malformed);
        }
        // The file of the last part is closed when one more comes.
        EXPECT_FALSE(split_two(small_story(20, 10), small_story(21, 10), with_context));
    }
}

TEST(Split, CountsWhatNoBufferHoldsAsLost) {
    const auto parts = split_two(small_story(30, 10), small_story(30, 3000), false);
    ASSERT_TRUE(parts);
    ASSERT_EQ(parts->size(), 2U);
    EXPECT_EQ((*parts)[0].events, 20U);
    EXPECT_EQ((*parts)[0].lost, 0U);
    EXPECT_EQ((*parts)[1].events, 9U);
    EXPECT_EQ((*parts)[1].lost, 1U);
}

/// The same run again and again: nothing but a limit ends it.
class LongRun final : public flow::Source {
public:
    LongRun(flow::Run run, int times) : run_(run), left_(times) {}

    flow::Run next_run() override { return left_-- > 0 ? run_ : flow::Run{}; }

    flow::Pin pin() const override { return {}; }

    const Error* error() const noexcept override { return nullptr; }

private:
    flow::Run run_;
    int left_;
};

TEST(Split, StopsAtTheMostPartsWithinARun) {
    const auto reader = trace::Reader::open(in_memory(small_story(3, 10)));
    flow::EventCursor cursor(**reader);
    cursor.next(); // the log file header
    const flow::Event* const event = cursor.next();
    ASSERT_NE(event, nullptr);
    const std::vector<flow::Event> events(relog::limits::split_parts + 10'000, *event);
    io::MemoryFiles files;
    SplitOptions options = by(SplitBy::count, 1);
    options.writer.files = &files;
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return std::make_unique<LongRun>(flow::Run(events), 1);
    };
    const auto parts = split(open, "part-%d.etl", options);
    ASSERT_FALSE(parts);
    EXPECT_EQ(parts.error().code, ErrorCode::limit);
    EXPECT_EQ(parts.error().have, relog::limits::split_parts + 1);
    EXPECT_THAT(files.files(), IsEmpty());
}

TEST(Split, RefusesWhatMakesNoSense) {
    const Image whole = timetable();
    const auto open = [&]() -> Result<std::unique_ptr<flow::Source>> {
        return trace::Reader::open(in_memory(whole));
    };
    io::MemoryFiles files;
    for (const char* pattern : {"part.etl", "%d-%d.etl", "%x-%d.etl", "%d%%.etl"}) {
        SplitOptions options = by(SplitBy::process);
        options.writer.files = &files;
        const auto parts = split(open, pattern, options);
        ASSERT_FALSE(parts) << pattern;
        EXPECT_EQ(parts.error().code, ErrorCode::invalid_option);
    }
    for (const SplitBy key : {SplitBy::size, SplitBy::time, SplitBy::count}) {
        SplitOptions options = by(key);
        options.writer.files = &files;
        EXPECT_EQ(split(open, "%d.etl", options).error().code, ErrorCode::invalid_option);
    }
    EXPECT_THAT(files.files(), IsEmpty());
}

} // namespace
} // namespace etl::relog::split_limits_test
