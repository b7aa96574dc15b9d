#include "flow/context.hpp"
#include "flow/stated_header.hpp"
#include "tests/unit/storage/merge/merging.hpp"

#include <gmock/gmock.h>

namespace etl::merge::merged_test {
namespace {

using namespace test;
using testing::ElementsAre;

constexpr std::int64_t reference = 1'000'000;

format::EventRecord numbered(std::uint16_t id, std::int64_t time) {
    return {.process_id = 7, .thread_id = 8, .time = time, .descriptor = {.id = id}};
}

/// Events with these ids and times, all on one processor.
Image trace_with(std::vector<std::pair<int, std::int64_t>> events, std::uint16_t processor = 0,
                 const TraceFacts& facts = {.processors = 4}) {
    TraceBuilder trace(facts);
    BufferBuilder& buffer = trace.buffer({.processor = processor});
    for (const auto& [id, time] : events) {
        buffer.add(numbered(static_cast<std::uint16_t>(id), time));
    }
    return trace.build();
}

TEST(MergedSource, GivesEventsInTheOrderOfTime) {
    const Image file =
        merged_file({trace_with({{1, 2'000'000}, {4, 5'000'000}}),
                     trace_with({{2, 3'000'000}, {3, 4'000'000}, {5, 6'000'000}}, 1)});
    EXPECT_THAT(ids_of(file), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(read_written(file).checked, testing::IsEmpty());
}

TEST(MergedSource, OfEqualTimesTheFirstInputsComeFirst) {
    constexpr std::int64_t tied = 2'000'000;
    auto merged = must_merge(
        inputs_of({trace_with({{1, tied}, {2, tied}}), trace_with({{3, tied}, {4, tied + 1}}),
                   trace_with({{5, tied}, {6, tied + 1}})}));
    std::vector<int> ids;
    flow::EventCursor events(*merged);
    while (const flow::Event* event = events.next()) {
        if (format::is_event(event->kind)) {
            ids.push_back(flow::read_header(*event).id);
        }
    }
    EXPECT_THAT(ids, ElementsAre(1, 2, 3, 5, 4, 6));
}

TEST(MergedSource, KeepsRecordsByteForByteWithTheirProcessors) {
    const Image a = trace_with({{1, 2'000'000}, {2, 4'000'000}}, 3);
    const Image b = trace_with({{3, 3'000'000}}, 2);
    const Content merged = content_of(merged_file({a, b}));
    EXPECT_EQ(merged.streams.at(3), content_of(a).streams.at(3));
    EXPECT_EQ(merged.streams.at(2), content_of(b).streams.at(2));
}

TEST(MergedSource, TakesOneTraceAsWell) {
    const Image a = trace_with({{1, 2'000'000}, {2, 4'000'000}}, 3);
    EXPECT_EQ(content_of(merged_file({a})).streams, content_of(a).streams);
}

TEST(MergedSource, RefusesNoTracesAndThoseThatDoNotFit) {
    EXPECT_EQ(MergedSource::create({}).error().code, ErrorCode::invalid_option);
    TraceFacts later;
    later.boot_time += 36'000'000'000;
    const auto refused =
        MergedSource::create(inputs_of({trace_with({{1, 1}}), trace_with({{1, 1}}, 0, later)}));
    EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
}

TEST(MergedSource, RefusesToMoveTracesThatKeepTheirStamps) {
    const auto inputs = [] { return inputs_of({trace_with({{1, 1}})}); };
    EXPECT_EQ(MergedSource::create(inputs(), {.align = Align::start}).error().code,
              ErrorCode::invalid_option);
    EXPECT_EQ(MergedSource::create(inputs(), {.offsets = {1}}).error().code,
              ErrorCode::invalid_option);
    EXPECT_TRUE(MergedSource::create(inputs(), {.offsets = {0}}));
}

TEST(MergedSource, OpensAnInputWhenItsTimeHasComeAndLetsGoOfItAtItsEnd) {
    const auto count = std::make_shared<OpenCount>();
    std::vector<Input> inputs;
    for (const int i : {3, 0, 2, 1}) {
        TraceFacts facts;
        facts.reference_time = reference * (i + 1);
        inputs.push_back(input_of(trace_with({{i, facts.reference_time + 10}}, 0, facts),
                                  std::to_string(i), count));
    }
    const Image file = file_of(*must_merge(std::move(inputs)));
    EXPECT_THAT(ids_of(file), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(count->order, ElementsAre("0", "1", "2", "3"));
    EXPECT_EQ(count->now, 0);
    EXPECT_LE(count->max, 2);
}

TEST(MergedSource, EventsBeforeTheirHeaderComeInTimeWhenTheBeginningIsKnown) {
    TraceFacts late{.processors = 4};
    late.reference_time = 9'000'000;
    auto inputs = inputs_of(
        {trace_with({{1, 2'000'000}, {3, 4'000'000}}), trace_with({{2, 3'000'000}}, 0, late)});
    auto begins = beginning_of(**inputs[1].open());
    ASSERT_TRUE(begins);
    EXPECT_EQ(begins->first, 3'000'000);
    EXPECT_EQ(begins->first_event, 3'000'000);
    inputs[1].beginning = *begins;
    const Image file = file_of(*must_merge(std::move(inputs)));
    const Content content = content_of(file);
    ASSERT_EQ(content.streams.at(0).size(), 3U);
    EXPECT_THAT(ids_of(file), ElementsAre(1, 2, 3));
    EXPECT_THAT(content.findings, testing::IsEmpty());
}

TEST(MergedSource, EventsBeforeTheirHeaderAreNeverLost) {
    TraceFacts late{.processors = 4};
    late.reference_time = 9'000'000;
    const Image file = merged_file(
        {trace_with({{1, 2'000'000}, {3, 4'000'000}}), trace_with({{2, 3'000'000}}, 0, late)});
    EXPECT_EQ(content_of(file).streams.at(0).size(), 3U);
}

TEST(MergedSource, TheBeginningOfATraceWithoutEventsIsItsHeader) {
    TraceBuilder trace;
    const auto input = input_of(trace.build());
    const auto begins = beginning_of(**input.open());
    ASSERT_TRUE(begins);
    EXPECT_EQ(begins->first, reference);
    EXPECT_FALSE(begins->first_event);
}

TEST(MergedSource, TellsOfAnInputThatCannotBeOpenedAndGoesOn) {
    auto inputs = inputs_of({trace_with({{1, 2'000'000}}), trace_with({{2, 3'000'000}})});
    inputs[0].open = []() -> Result<std::unique_ptr<flow::Source>> {
        return fail(ErrorCode::not_found, "it is gone");
    };
    auto merged = must_merge(std::move(inputs));
    int events = 0;
    flow::EventCursor cursor(*merged);
    while (cursor.next() != nullptr) {
        ++events;
    }
    EXPECT_EQ(events, 2);
    ASSERT_NE(merged->error(), nullptr);
    EXPECT_STREQ(merged->error()->what, "it is gone");
}

TEST(MergedSource, APinKeepsTheEventsOfAnInputThatHasEnded) {
    auto merged =
        must_merge(inputs_of({trace_with({{1, 2'000'000}}), trace_with({{2, 3'000'000}})}),
                   {.tag_sources = true});
    std::vector<std::pair<flow::Run, flow::Pin>> kept;
    for (flow::Run run = merged->next_run(); !run.empty(); run = merged->next_run()) {
        kept.emplace_back(run, merged->pin());
    }
    std::vector<int> ids;
    for (const auto& [run, pin] : kept) {
        for (const flow::Event& event : run) {
            if (event.raw_time > reference) {
                ids.push_back(flow::read_header(event).id);
            }
        }
    }
    EXPECT_THAT(ids, ElementsAre(1, 2));
}

TEST(MergedHeader, IsOfTheTraceThatBeganFirst) {
    TraceFacts late{.processors = 4};
    late.start_time += 50'000'000;
    late.reference_time += 50'000'000;
    late.end_time = story_start + 900'000'000;
    late.session_name = u"Late";
    late.events_lost = 2;
    late.buffers_lost = 1;
    TraceFacts early{.processors = 4};
    early.events_lost = 3;
    early.process_id = 99;
    const auto info = content_of(merged_file({trace_with({{1, 60'000'000}}, 0, late),
                                              trace_with({{2, 2'000'000}}, 0, early)}))
                          .info;
    EXPECT_EQ(info.header.start_time, early.start_time);
    EXPECT_EQ(info.reference_time, early.reference_time);
    EXPECT_EQ(info.process_id, 99U);
    EXPECT_EQ(info.header.end_time, *late.end_time);
    EXPECT_EQ(info.header.events_lost, 5U);
    EXPECT_EQ(info.header.buffers_lost, 1U);
    EXPECT_EQ(info.header.number_of_processors, 4U);
    EXPECT_EQ(info.header.session_name, u"Relogger");
    EXPECT_EQ(info.header.log_file_name, u"[multiple files]");
    EXPECT_EQ(info.header.log_file_mode, 0x10001U);
}

TEST(MergedHeader, PartsOfOneRecordingLostTheSame) {
    TraceFacts facts{.processors = 4};
    facts.events_lost = 7;
    const auto info = content_of(merged_file({trace_with({{1, 2'000'000}}, 0, facts),
                                              trace_with({{2, 3'000'000}}, 1, facts)}))
                          .info;
    EXPECT_EQ(info.header.events_lost, 7U);
}

TEST(MergedHeader, EachPartLacksBuffersOfItsOwn) {
    TraceFacts facts{.processors = 4};
    facts.buffers_lost = 1;
    facts.buffers_written = 4; // of 2
    const auto merged = must_merge(
        inputs_of({trace_with({{1, 2'000'000}}, 0, facts), trace_with({{2, 3'000'000}}, 1, facts)}),
        {.tag_sources = true});
    EXPECT_EQ(merged->recording().header.buffers_lost, 1U + 2U + 2U);
    const auto inputs = content_of(file_of(*merged)).info.merged_inputs;
    ASSERT_EQ(inputs.size(), 2U);
    EXPECT_EQ(inputs[0].buffers_lost, 3U);
    EXPECT_EQ(inputs[0].missing_buffers, 2U);
}

TEST(MergedHeader, AnEventLogAmongTheInputsLeavesTheSessionsFacts) {
    TraceFacts log{.build = 0, .processors = 4, .boot_time = 0, .events_lost = 220};
    log.clock = format::ClockType::system_time;
    log.reference_time = log.start_time;
    TraceFacts session{.processors = 4, .events_lost = 3};
    session.start_time += 50'000'000;
    const merge::Options restamp{.timestamps = merge::Timestamps::system_time};
    const auto merged = must_merge(inputs_of({trace_with({{1, story_start + 10}}, 0, log),
                                              trace_with({{2, 2'000'000}}, 0, session)}),
                                   restamp);
    const auto& header = merged->recording().header;
    EXPECT_TRUE(flow::is_header_stated(merged->info()));
    EXPECT_EQ(header.provider_version, session.build);
    EXPECT_EQ(header.boot_time, session.boot_time);
    EXPECT_EQ(header.start_time, log.start_time);
    EXPECT_EQ(header.events_lost, 3U);
    const auto logs = must_merge(inputs_of({trace_with({{1, story_start + 10}}, 0, log)}), restamp);
    EXPECT_FALSE(flow::is_header_stated(logs->info()));
    EXPECT_EQ(logs->recording().header.events_lost, 220U);
}

TEST(MergedHeader, AnUnfinishedTraceIsOneOfUnknownLosses) {
    TraceFacts unfinished{.processors = 4};
    unfinished.end_time.reset();
    unfinished.buffers_written = 0;
    const auto merged = must_merge(
        inputs_of({trace_with({{1, 2'000'000}}), trace_with({{2, 3'000'000}}, 0, unfinished)}));
    EXPECT_TRUE(merged->info().has_unknown_losses);
    const auto again = must_merge(inputs_of({file_of(*merged), trace_with({{3, 4'000'000}})}));
    EXPECT_TRUE(again->info().has_unknown_losses);
}

TEST(MergedHeader, AnUnfinishedTraceLeavesTheEndToTheNewestEvent) {
    TraceFacts unfinished{.processors = 4};
    unfinished.end_time.reset();
    const auto merged = must_merge(
        inputs_of({trace_with({{1, 2'000'000}}), trace_with({{2, 3'000'000}}, 0, unfinished)}));
    EXPECT_EQ(merged->recording().header.end_time, 0);
}

TEST(MergedHeader, FilesOfASeriesKeepTheSessionsNameAndCountLossesOnce) {
    std::vector<Image> files;
    for (std::uint32_t i = 0; i < 3; ++i) {
        TraceFacts facts;
        facts.reference_time += i * 1000;
        facts.start_time += i * 1000;
        facts.events_lost = i + 1;
        files.push_back(trace_with({{static_cast<int>(i), 2'000'000}}, 0, facts));
    }
    const auto merged = must_merge(inputs_of(files), {.relation = Relation::series});
    EXPECT_EQ(merged->recording().header.session_name, u"Signal Box");
    EXPECT_EQ(merged->recording().header.log_file_name, u"");
    EXPECT_EQ(merged->recording().header.events_lost, 3U);
}

// Context is what an image load says.
format::SystemRecord image_load(std::int64_t time, Bytes payload) {
    return {.version = 3,
            .hook_id = 0x030A,
            .process_id = 7,
            .thread_id = 8,
            .time = time,
            .payload = payload};
}

Image trace_of_loads(std::vector<std::pair<std::int64_t, std::uint8_t>> loads,
                     std::uint16_t processor = 0) {
    TraceBuilder trace({.processors = 4});
    BufferBuilder& buffer = trace.buffer({.processor = processor});
    for (const auto& [time, byte] : loads) {
        const Image payload(60, static_cast<std::byte>(byte));
        buffer.add(image_load(time, payload));
    }
    return trace.build();
}

TEST(RepeatedContext, IsGivenOnce) {
    auto merged = must_merge(inputs_of({trace_of_loads({{2'000'000, 1}, {3'000'000, 2}}),
                                        trace_of_loads({{2'000'000, 1}, {4'000'000, 3}}),
                                        trace_of_loads({{2'000'000, 1}, {4'000'000, 3}})}));
    const Content content = content_of(file_of(*merged));
    EXPECT_EQ(content.streams.at(0).size(), 3U);
    EXPECT_EQ(merged->repeated_context(), 3U);
}

TEST(RepeatedContext, IsKeptWhereAnyByteTimeOrProcessorDiffers) {
    auto merged = must_merge(
        inputs_of({trace_of_loads({{2'000'000, 1}}), trace_of_loads({{2'000'000, 2}}),
                   trace_of_loads({{2'000'001, 1}}), trace_of_loads({{2'000'000, 1}}, 1)}));
    EXPECT_EQ(content_of(file_of(*merged)).streams.at(0).size(), 3U);
    EXPECT_EQ(merged->repeated_context(), 0U);
}

TEST(RepeatedContext, IsKeptAsOftenAsOneTraceHasIt) {
    const std::pair<std::int64_t, std::uint8_t> load{2'000'000, 1};
    auto merged = must_merge(inputs_of({trace_of_loads({load}), trace_of_loads({load, load, load}),
                                        trace_of_loads({load, load})}));
    EXPECT_EQ(content_of(file_of(*merged)).streams.at(0).size(), 3U);
    EXPECT_EQ(merged->repeated_context(), 3U);
}

TEST(RepeatedContext, EventsThatAreNoneAreNeverLeftOut) {
    const Image file = merged_file({trace_with({{1, 2'000'000}}), trace_with({{1, 2'000'000}})});
    EXPECT_EQ(content_of(file).streams.at(0).size(), 2U);
}

} // namespace
} // namespace etl::merge::merged_test
