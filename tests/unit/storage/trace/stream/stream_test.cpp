// What a stream gives of a trace, and in which order.

#include "tests/support/damage.hpp"
#include "tests/support/stream_feed.hpp"
#include "tests/unit/storage/trace/stream/stream_story.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <tuple>

namespace etl::trace::stream_test {

namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

/// Where a finding is and what it says.
using Finding = std::tuple<Severity, std::string, std::uint64_t, std::uint64_t, std::uint64_t>;

std::vector<Finding> plain(const std::vector<Diagnostic>& findings) {
    std::vector<Finding> result;
    for (const Diagnostic& finding : findings) {
        result.emplace_back(finding.severity, finding.what, finding.where.value,
                            finding.buffer.value_or(0), finding.bytes_skipped);
    }
    // The reader of a file reports those of the index pass first, a stream missing buffers last.
    std::ranges::sort(result, {}, [](const Finding& one) {
        return std::tuple(std::get<2>(one), std::get<1>(one), std::get<4>(one));
    });
    return result;
}

void expect_as_file(const Image& image) {
    const Reading file = read(image);
    ASSERT_FALSE(file.error) << describe(*file.error);
    for (const std::size_t chunk : {1U, 7U, 71U, 72U, 73U, 1000U, 0x400U, 5000U, 1U << 20U}) {
        const StreamReading stream = read_stream(image, chunks_of(chunk, image));
        ASSERT_FALSE(stream.error) << chunk << ": " << describe(*stream.error);
        EXPECT_EQ(stream.events, file.events) << chunk;
        EXPECT_EQ(plain(stream.findings), plain(file.findings)) << chunk;
        EXPECT_EQ(stream.damage, file.damage) << chunk;
        EXPECT_EQ(stream.late_events, 0U) << chunk;
    }
}

TEST(Stream, GivesWhatTheFileGives) {
    const Image image = story(40).build();
    expect_as_file(image);
    const StreamReading stream = read_stream(image);
    EXPECT_EQ(stream.events.size(), 161U);
    EXPECT_THAT(stream.findings, IsEmpty());
    EXPECT_EQ(stream.info.name, "made.etl");
    EXPECT_TRUE(stream.info.has_header);
    EXPECT_EQ(stream.info.processors, 3U);
}

TEST(Stream, GivesWhatTheFileGivesOfCompressedBuffers) {
    for (const auto format :
         {codec::Format::lznt1, codec::Format::xpress, codec::Format::xpress_huffman}) {
        expect_as_file(story(20, format).build());
    }
}

TEST(Stream, GivesWhatTheFileGivesOfDamage) {
    const Image image = story(20).build();
    expect_as_file(truncate_at(image, image.size() - 100));
    expect_as_file(truncate_at(image, image.size() - story_buffer_size + 100));
    expect_as_file(truncate_at(image, image.size() - story_buffer_size + 30));
    expect_as_file(flip(image, 5 * story_buffer_size + 0x80));
    expect_as_file(overwrite(image, 5 * story_buffer_size, noise(200)));
    expect_as_file(overwrite(image, 5 * story_buffer_size + 100, noise(3 * story_buffer_size)));
    expect_as_file(overwrite(image, 5 * story_buffer_size, Image(3 * story_buffer_size)));
    expect_as_file(overwrite(image, 5 * story_buffer_size, Image(3 * story_buffer_size + 100)));
    expect_as_file(overwrite(image, 18 * story_buffer_size, Image(2 * story_buffer_size)));
    expect_as_file(grow_size(image, 5, 100));
    expect_as_file(grow_size(image, 5, -100));
    expect_as_file(drop_buffer(image, 5));
    expect_as_file(insert_garbage(image, 5, 333));
    expect_as_file(insert_garbage(image, 5, 3 * story_buffer_size));
    expect_as_file(insert_garbage(image, 21, 333));
    expect_as_file(insert_garbage(image, 21, 30));
    expect_as_file(preallocate(image, 5 * story_buffer_size));
    expect_as_file(preallocate(image, 5 * story_buffer_size + 100));
    expect_as_file(preallocate(image, 40));
}

TEST(Stream, SaysThatBuffersAreMissingWhereItEndsWithOne) {
    const Image image = story(20).build();
    expect_as_file(truncate_at(image, image.size() - story_buffer_size));
    expect_as_file(truncate_at(image, story_buffer_size));
    const StreamReading stream = read_stream(truncate_at(image, 5 * story_buffer_size));
    ASSERT_EQ(stream.findings.size(), 1U);
    EXPECT_EQ(stream.findings.front().severity, Severity::warning);
    EXPECT_THAT(stream.findings.front().what, testing::HasSubstr("missing buffers"));
    EXPECT_EQ(stream.findings.front().where.value, 5U * story_buffer_size);
}

TEST(Stream, SaysWhichNumbersNoBufferHas) {
    TraceFacts facts = facts_of();
    facts.end_time = {};
    facts.buffers_written = 0;
    TraceBuilder trace(facts);
    std::int64_t time = 0;
    std::uint16_t processor = 0;
    for (const std::int64_t sequence : {2, 1, 5, 4, 9}) {
        trace.buffer({.processor = processor, .sequence = sequence})
            .add(format::EventRecord{.time = ++time});
        processor = static_cast<std::uint16_t>((processor + 1) % 3);
    }
    const Image image = trace.build();
    expect_as_file(image);
    const StreamReading stream = read_stream(image);
    ASSERT_EQ(stream.findings.size(), 2U);
    EXPECT_EQ(stream.findings[0].missing->first, 3);
    EXPECT_EQ(stream.findings[0].where.value, 4U * story_buffer_size); // before 4
    EXPECT_EQ(stream.findings[1].missing->first, 6);
    EXPECT_EQ(stream.findings[1].missing->count, 3U);
    EXPECT_EQ(stream.damage, 2U);
}

TEST(Stream, SaysWhatTheHeaderContradicts) {
    for (int i = 0; i < 4; ++i) {
        TraceFacts facts = facts_of();
        facts.buffers_written = i == 0 ? std::optional(2U) : std::nullopt;
        facts.perf_freq = i == 1 ? 0 : facts.perf_freq;
        facts.buffer_size = story_buffer_size;
        TraceBuilder trace(facts);
        for (int k = 0; k < 4; ++k) {
            trace.buffer().add(format::EventRecord{.time = k});
        }
        Image image = trace.build();
        if (i == 2) { // NumberOfProcessors
            image = overwrite(image, format::buffer_header::size + 0x20 + 0x0C, Image(4));
        }
        expect_as_file(image);
        EXPECT_EQ(read_stream(image).damage, i < 3 ? 1U : 0U) << i;
    }
}

TEST(Stream, GivesWhatTheFileGivesOfDamagedCompressedBuffers) {
    const Image image = story(20, codec::Format::xpress).build();
    const auto places = buffers_of(image);
    expect_as_file(truncate_at(image, image.size() - 20));
    expect_as_file(overwrite(image, places[5].offset, noise(100)));
    expect_as_file(overwrite(image, places[5].offset + 80, noise(20)));
    expect_as_file(insert_garbage(image, 5, 333));
    expect_as_file(preallocate(image, 4096));
}

TEST(Stream, GivesUnstampedRecordsTheTimeOfTheRecordBefore) {
    TraceBuilder trace(facts_of());
    trace.buffer().add(format::EventRecord{.time = 10, .descriptor = {.id = 1}});
    trace.buffer({.processor = 1}).add(format::EventRecord{.time = 20, .descriptor = {.id = 2}});
    trace.buffer()
        .add(format::MessageRecord{.number = 77})
        .add(format::EventRecord{.time = 30, .descriptor = {.id = 3}});
    expect_as_file(trace.build());
}

TEST(Stream, GivesBuffersAsTheyComeInTheOrderOfTheFile) {
    const Image image = story(20).build();
    const Reading file = read(image, {.order = Order::file});
    const StreamReading stream = read_stream(image, chunks_of(100, image), {.order = Order::file});
    EXPECT_EQ(stream.events, file.events);
    EXPECT_EQ(stream.late_events, 0U);
}

// One event in each buffer, at these times; its id is the number of the buffer.
Image one_each(const std::vector<std::int64_t>& times) {
    TraceBuilder trace(facts_of());
    std::uint16_t id = 0;
    for (const std::int64_t time : times) {
        trace.buffer().add(format::EventRecord{.time = time, .descriptor = {.id = ++id}});
    }
    return trace.build();
}

TEST(Stream, OrdersWithinTheWindowAndCountsWhatComesLater) {
    const Image image = one_each({10, 20, 50, 60, 40, 70, 80, 90, 45, 100});
    const StreamReading wide = read_stream(image);
    EXPECT_THAT(wide.ids(), ElementsAre(1, 2, 5, 9, 3, 4, 6, 7, 8, 10));
    EXPECT_EQ(wide.late_events, 0U);
    // Three buffers: the fifth comes in time, the ninth does not.
    const StreamReading narrow =
        read_stream(image, {}, {.window_bytes = std::size_t{3} * story_buffer_size});
    EXPECT_THAT(narrow.ids(), ElementsAre(1, 2, 5, 3, 4, 9, 6, 7, 8, 10));
    EXPECT_EQ(narrow.late_events, 1U);
    EXPECT_THAT(narrow.findings, IsEmpty()); // nothing is wrong with the bytes
}

TEST(Stream, HoldsNoMoreThanTheWindow) {
    std::vector<std::int64_t> times(500);
    for (std::size_t i = 0; i < times.size(); ++i) {
        times[i] = static_cast<std::int64_t>(i);
    }
    const Image image = one_each(times);
    std::uint64_t arrived = 0;
    std::uint64_t most = 0;
    auto input = StreamInput::open(std::make_shared<StreamFeed>(image, chunks_of(100, image)), "x");
    ASSERT_TRUE(input);
    auto reader = StreamReader::open(std::move(*input),
                                     {.on_arrival = [&](flow::Run run) { arrived += run.size(); },
                                      .window_bytes = std::size_t{10} * story_buffer_size});
    ASSERT_TRUE(reader);
    std::uint64_t returned = 0;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        returned += run.size();
        most = std::max(most, arrived - returned);
    }
    EXPECT_EQ(returned, 501U);
    EXPECT_LE(most, 12U);
    EXPECT_GE(most, 9U);
}

TEST(Stream, GivesAllCompleteBuffersInAPause) {
    const Image image = one_each({10, 20, 30, 40});
    // The header buffer and two others, half of the next; then the rest.
    const StreamReading stream =
        read_stream(image, {3 * story_buffer_size, 0, story_buffer_size / 2, 0});
    EXPECT_THAT(stream.ids(), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(stream.pauses, ElementsAre(3U, 3U));
    EXPECT_THAT(stream.findings, IsEmpty());
    EXPECT_EQ(stream.late_events, 0U);
}

TEST(Stream, CountsWhatComesTooLateAfterAPause) {
    const Image image = one_each({10, 30, 20, 40});
    const StreamReading stream = read_stream(image, {3 * story_buffer_size, 0});
    EXPECT_THAT(stream.ids(), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(stream.late_events, 1U);
}

TEST(Stream, HoldsNothingBackForLongWhileItWaits) {
    const Image image = one_each({10, 20, 30, 40});
    const auto max_delay = std::chrono::milliseconds(0);
    const StreamReading stream = read_stream(
        image, {story_buffer_size, story_buffer_size, story_buffer_size, story_buffer_size},
        {.max_delay = max_delay});
    EXPECT_THAT(stream.ids(), ElementsAre(1, 2, 3, 4));
    EXPECT_GE(stream.pauses.size(), 3U); // not only at the end
    EXPECT_LT(stream.pauses.front(), 5U);
}

TEST(Stream, ShowsEachBufferBeforeItsEventsAreReturned) {
    const Image image = story(20).build();
    std::set<std::uint64_t> arrived;
    auto input = StreamInput::open(std::make_shared<StreamFeed>(image), "x");
    ASSERT_TRUE(input);
    auto reader = StreamReader::open(std::move(*input), {.on_arrival = [&](flow::Run run) {
                                         arrived.insert(run.front().buffer->number);
                                     }});
    ASSERT_TRUE(reader);
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        EXPECT_TRUE(arrived.contains(event->buffer->number));
    }
    EXPECT_EQ(arrived.size(), 21U);
}

TEST(Stream, EndsWhenAskedWithoutCallingHalfABufferDamaged) {
    const Image image = one_each({10, 20, 30, 40});
    std::atomic<bool> stop = false;
    auto input = StreamInput::open(
        std::make_shared<StreamFeed>(
            image, std::vector<std::size_t>{3 * story_buffer_size + story_buffer_size / 2, 0}),
        "x");
    ASSERT_TRUE(input);
    DiagnosticList findings;
    auto reader = StreamReader::open(std::move(*input), {.diagnostics = &findings, .stop = &stop});
    ASSERT_TRUE(reader);
    stop = true;
    std::size_t count = 0;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        count += run.size();
    }
    EXPECT_EQ(count, 3U);
    EXPECT_THAT(findings.list(), IsEmpty());
}

TEST(Stream, TellsWhyItCouldNotReadOn) {
    const Image image = one_each({10, 20, 30});
    const auto feed = std::make_shared<StreamFeed>(image);
    feed->fail_at_end({.code = ErrorCode::io_failure, .what = "read"});
    const StreamReading stream = read_stream(feed);
    ASSERT_TRUE(stream.error);
    EXPECT_EQ(stream.error->code, ErrorCode::io_failure);
    EXPECT_THAT(stream.ids(), ElementsAre(1, 2, 3));
}

TEST(Stream, KeepsWhatAPinHolds) {
    const Image image = one_each({10, 20, 30, 40, 50, 60});
    auto input = StreamInput::open(std::make_shared<StreamFeed>(image), "x");
    ASSERT_TRUE(input);
    auto reader = StreamReader::open(std::move(*input), {.window_bytes = 1});
    ASSERT_TRUE(reader);
    std::vector<std::pair<flow::Run, flow::Pin>> kept;
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        kept.emplace_back(run, (*reader)->pin());
    }
    std::vector<int> ids;
    for (const auto& [run, pin] : kept) {
        for (const flow::Event& event : run) {
            ids.push_back(flow::read_header(event).id);
        }
    }
    EXPECT_THAT(ids, ElementsAre(0, 1, 2, 3, 4, 5, 6));
}

// Streams that are no trace, and what needs more than one look.

using namespace test;

Image image_of(std::string_view text) {
    const Bytes bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// Never ends.
class Endless final : public io::ByteStream {
public:
    explicit Endless(std::string text) : text_(std::move(text)) {}

    Result<Arrival> read(MutableBytes into, std::chrono::milliseconds) override {
        for (std::byte& byte : into) {
            byte = static_cast<std::byte>(text_[at_++ % text_.size()]);
        }
        return Arrival{State::data, into.size()};
    }

    std::size_t at() const noexcept { return at_; }

private:
    std::string text_;
    std::size_t at_ = 0;
};

TEST(StreamInput, RefusesEndlessBytesThatAreNoTrace) {
    for (const std::string& text : {std::string("y\n"), std::string(1, '\0')}) {
        const auto endless = std::make_shared<Endless>(text);
        const auto input = StreamInput::open(endless, "x");
        ASSERT_FALSE(input);
        EXPECT_EQ(input.error().code, ErrorCode::not_a_trace);
        EXPECT_LE(endless->at(), 2U << 20U);
    }
}

TEST(StreamInput, RefusesShortBytesThatAreNoTrace) {
    const Image text = image_of("Nov 11 08:00:00 box7 kernel: [    0.000000] Linux version 6.1 (cc)"
                                " and so on, for some more bytes than a header has.\n");
    EXPECT_EQ(read_stream(text).error->code, ErrorCode::not_a_trace);
    EXPECT_EQ(read_stream(text, {text.size(), 0, 0, 0}).error->code, ErrorCode::not_a_trace);
    EXPECT_EQ(read_stream(image_of("x")).error->code, ErrorCode::not_a_trace);
    EXPECT_EQ(read_stream(Image{}).error->code, ErrorCode::empty_file);
}

TEST(StreamInput, SaysWhatMustBeReadMoreThanOnce) {
    TraceFacts circular = facts_of();
    circular.mode = format::log_mode::circular;
    TraceBuilder trace(circular);
    trace.buffer();
    EXPECT_EQ(read_stream(trace.build()).spool_reason, "circular");
    EXPECT_EQ(read_stream(image_of("\x28\xb5\x2f\xfd and so on")).spool_reason,
              "compressed or archived");
    const Image image = story(5).build();
    const Image beheaded(image.begin() + 100, image.end());
    EXPECT_EQ(read_stream(beheaded).spool_reason, "damaged at the start");
    EXPECT_EQ(read_stream(beheaded).error->code, ErrorCode::invalid_option);
    const Image no_header = overwrite(image, 0x48 + 0x20, noise(8));
    EXPECT_EQ(read_stream(no_header, {100, 100}).spool_reason, read_stream(no_header).spool_reason);
}

TEST(StreamInput, SpoolsWhatWasReadAndTheRest) {
    const Image image = story(5).build();
    auto input = StreamInput::open(std::make_shared<StreamFeed>(image, chunks_of(100, image)), "x");
    ASSERT_TRUE(input);
    EXPECT_EQ(input->spool_reason(), "");
    const auto file = std::move(*input).spool();
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_TRUE(std::ranges::equal((*file)->bytes(), image));
    EXPECT_EQ((*file)->name(), "x");
}

} // namespace

} // namespace etl::trace::stream_test
