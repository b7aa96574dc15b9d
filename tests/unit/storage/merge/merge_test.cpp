// What holds for any traces: parts become the whole again, the order of merging does not matter,
// memory does not grow with the number of traces.
#include "flow/context.hpp"
#include "flow/trace_info.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/unit/storage/merge/merging.hpp"

#include <gmock/gmock.h>

#include <random>

namespace etl::merge::merge_test {

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

constexpr std::uint16_t processors = 4;

/// A record and where it goes. Times are all different: of equal ones nobody knows the order.
struct Piece {
    std::uint16_t processor = 0;
    std::int64_t time = 0;
    Image payload;
};

std::vector<Piece> invented(std::uint32_t seed, std::size_t count) {
    std::mt19937 random(seed);
    std::vector<Piece> pieces;
    std::int64_t time = reference;
    for (std::size_t i = 0; i < count; ++i) {
        time += 1 + static_cast<std::int64_t>(random() % 50);
        pieces.push_back({static_cast<std::uint16_t>(random() % processors), time,
                          Image(random() % 200, static_cast<std::byte>(random() & 0xFFU))});
    }
    return pieces;
}

Image file_with(const std::vector<Piece>& pieces) {
    io::MemoryFiles files;
    TraceFacts facts{.processors = processors};
    const Image header = TraceBuilder(facts).build();
    trace::WriterOptions options{
        .file = {}, .recording = trace::recording_of(content_of(header).info), .files = &files};
    options.file.buffer_size = 0x1000;
    auto writer = trace::Writer::create("part.etl", options);
    EXPECT_TRUE(writer);
    for (const Piece& piece : pieces) {
        EXPECT_TRUE((*writer)->add(
            format::EventRecord{.time = piece.time, .payload = piece.payload}, piece.processor));
    }
    EXPECT_TRUE((*writer)->close());
    return files.files().at("part.etl");
}

/// Parts of a trace; `part_of` says for each record, by its number, which it goes to.
template <typename PartOf>
std::vector<Image> split(const std::vector<Piece>& pieces, std::size_t count,
                         const PartOf& part_of) {
    std::vector<std::vector<Piece>> parts(count);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        parts[part_of(i)].push_back(pieces[i]);
    }
    std::vector<Image> images;
    for (const auto& part : parts) {
        images.push_back(file_with(part));
    }
    return images;
}

TEST(MergeProperties, PartsBecomeTheTraceAgain) {
    for (std::uint32_t seed = 1; seed <= 5; ++seed) {
        const auto pieces = invented(seed, 500);
        const Image whole = merged_file({file_with(pieces)});
        const auto by_processor =
            split(pieces, processors, [&](std::size_t i) { return pieces[i].processor; });
        const auto by_time = split(pieces, 5, [](std::size_t i) { return i / 100; });
        const auto in_turns = split(pieces, 3, [](std::size_t i) { return i % 3; });
        for (const auto& parts : {by_processor, by_time, in_turns}) {
            const Content merged = content_of(merged_file(parts));
            EXPECT_EQ(merged.streams, content_of(whole).streams) << "seed " << seed;
            EXPECT_TRUE(merged.findings.empty());
        }
    }
}

TEST(MergeProperties, OfOneTraceIsRelogging) {
    const auto pieces = invented(7, 500);
    const Image source = file_with(pieces);
    const Content merged = content_of(merged_file({source}));
    EXPECT_EQ(merged.streams, content_of(source).streams);
    EXPECT_EQ(merged.info.header.session_name, u"Relogger");
}

TEST(MergeProperties, IsAssociative) {
    const auto pieces = invented(11, 600);
    const auto parts = split(
        pieces, 3, [&](std::size_t i) { return static_cast<std::size_t>(pieces[i].time % 3); });
    const Image left = merged_file({merged_file({parts[0], parts[1]}), parts[2]});
    const Image right = merged_file({parts[0], merged_file({parts[1], parts[2]})});
    const Image at_once = merged_file(parts);
    // Whole files, headers included.
    EXPECT_EQ(left, right);
    EXPECT_EQ(left, at_once);
}

TEST(MergeProperties, TaggedOnesAreReadInOrderHoweverManySourcesOverlap) {
    const auto pieces = invented(19, 600);
    const auto parts = split(pieces, 7, [](std::size_t i) { return i % 7; });
    const Reading reading = read(merged_file(parts, {.tag_sources = true}));
    EXPECT_TRUE(reading.findings.empty());
    EXPECT_EQ(reading.events.size(), 1 + 7 + pieces.size());
    EXPECT_TRUE(std::ranges::is_sorted(reading.events, {}, &Seen::time));
}

TEST(MergeProperties, RestampingTwiceIsRestampingOnce) {
    constexpr Options system_time{.timestamps = Timestamps::system_time};
    const auto pieces = invented(13, 300);
    const Image once = merged_file({file_with(pieces)}, system_time);
    EXPECT_EQ(content_of(merged_file({once}, system_time)).streams, content_of(once).streams);
}

TEST(MergeProperties, ManyTracesOneAfterTheOtherNeedTheMemoryOfFew) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations are not counted here";
    }
    std::vector<Input> inputs;
    const auto count = std::make_shared<OpenCount>();
    for (int i = 0; i < 1000; ++i) {
        TraceFacts facts;
        facts.reference_time += i * 1000LL;
        TraceBuilder trace(facts);
        trace.buffer().add(format::EventRecord{.time = facts.reference_time + 10});
        inputs.push_back(input_of(trace.build(), std::to_string(i), count));
    }
    auto merged = must_merge(std::move(inputs));
    const std::size_t before = allocations().live;
    reset_peak();
    std::size_t events = 0;
    for (flow::Run run = merged->next_run(); !run.empty(); run = merged->next_run()) {
        events += run.size();
    }
    EXPECT_EQ(events, 2000U);
    EXPECT_EQ(count->order.size(), 1000U);
    EXPECT_LE(count->max, 2);
    EXPECT_LT(allocations().peak - before, 1U << 20U);
}

TEST(MergeProperties, NothingIsAllocatedPerEvent) {
    if (!can_count_allocations()) {
        GTEST_SKIP() << "allocations are not counted here";
    }
    const auto pieces = invented(17, 4000);
    const auto parts = split(pieces, 3, [](std::size_t i) { return i % 3; });
    for (const auto stamps : {Timestamps::keep, Timestamps::system_time}) {
        auto merged = must_merge(inputs_of(parts), {.timestamps = stamps});
        for (int i = 0; i < 500; ++i) {
            merged->next_run(); // everything is as large as it will be
        }
        const std::size_t before = allocations().count;
        std::size_t events = 0;
        for (flow::Run run = merged->next_run(); !run.empty(); run = merged->next_run()) {
            events += run.size();
        }
        EXPECT_GT(events, 3000U);
        // Readers ask for some memory with each buffer, of which there are 150.
        EXPECT_LT(allocations().count - before, 1000U);
    }
}

} // namespace

} // namespace etl::merge::merge_test
