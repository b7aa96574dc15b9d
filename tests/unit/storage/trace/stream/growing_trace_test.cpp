#include "tests/support/damage.hpp"
#include "tests/support/stream_feed.hpp"
#include "trace/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace etl::trace::growing_trace_test {
namespace {

using namespace test;
using namespace std::chrono_literals;
using testing::ElementsAre;
using State = io::ByteStream::State;
using End = GrowingTrace::End;

constexpr std::uint32_t size = 0x400;

// A header buffer and `count` buffers of one event.
Image story(std::uint16_t count, bool is_finalized) {
    TraceFacts facts;
    facts.buffer_size = size;
    facts.reference_time = 0;
    if (!is_finalized) {
        facts.end_time.reset();
        facts.buffers_written = 0;
    }
    TraceBuilder trace(facts);
    for (std::uint16_t i = 1; i <= count; ++i) {
        trace.buffer().add(format::EventRecord{.time = i, .descriptor = {.id = i}});
    }
    return trace.build();
}

class GrowingTraceTest : public testing::Test {
protected:
    GrowingTraceTest()
        : folder_(std::filesystem::path(testing::TempDir()) /
                  ("etl-growing-" +
                   std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                   testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        path_ = (folder_ / "a.etl").string();
    }

    ~GrowingTraceTest() override { std::filesystem::remove_all(folder_); }

    void put(Bytes bytes, std::size_t at) {
        std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
        if (!file) {
            file.open(path_, std::ios::out | std::ios::binary);
        }
        file.seekp(static_cast<std::streamoff>(at));
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }

    /// All that can be read until it pauses or ends.
    Image take(GrowingTrace& trace, State& state) {
        Image all;
        std::vector<std::byte> into(700);
        while (true) {
            const auto arrival = trace.read(into, 0ms);
            EXPECT_TRUE(arrival);
            state = arrival->state;
            if (state != State::data) {
                return all;
            }
            all.insert(all.end(), into.begin(),
                       into.begin() + static_cast<std::ptrdiff_t>(arrival->size));
        }
    }

    std::filesystem::path folder_;
    std::string path_;
};

TEST_F(GrowingTraceTest, GivesCompleteBuffersAndEndsWhenFinalized) {
    const Image live = story(5, false);
    put(clamped(live, 0, 2 * size + 100), 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace) << describe(trace.error());
    State state{};
    EXPECT_EQ(take(**trace, state).size(), 2 * size);
    EXPECT_EQ(state, State::pause);
    put(Bytes(live).subspan(2 * size + 100, 2 * size), 2 * size + 100);
    EXPECT_EQ(take(**trace, state).size(), 2 * size);
    EXPECT_EQ(state, State::pause);
    EXPECT_EQ((*trace)->end(), End::none);
    put(Bytes(live).subspan(4 * size + 100), 4 * size + 100);
    put(clamped(story(5, true), 0, size), 0); // the header comes last
    EXPECT_EQ(take(**trace, state).size(), 2 * size);
    EXPECT_EQ(state, State::end);
    EXPECT_EQ((*trace)->end(), End::finalized);
}

TEST_F(GrowingTraceTest, SkipsToWhatIsNotComplete) {
    const Image live = story(5, false);
    put(clamped(live, 0, 2 * size + 100), 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    EXPECT_EQ((*trace)->skip(), 2 * size);
    const auto head = *(*trace)->head(2 * size);
    put(Bytes(live).subspan(2 * size + 100, 3 * size), 2 * size + 100);
    EXPECT_EQ((*trace)->skip(), 5 * size);
    EXPECT_EQ((*trace)->end(), End::none);
    EXPECT_TRUE(std::ranges::equal(head->bytes(), clamped(live, 0, 2 * size)));
    put(Bytes(live).subspan(5 * size + 100), 5 * size + 100);
    put(clamped(story(5, true), 0, size), 0);
    EXPECT_EQ((*trace)->skip(), 6 * size);
    EXPECT_EQ((*trace)->end(), End::finalized);
    EXPECT_EQ((*trace)->skip(), 6 * size);
}

TEST_F(GrowingTraceTest, SkipsNoZerosAndNothingThatIsGone) {
    const Image live = story(4, false);
    put(preallocate(Image(live.begin(), live.begin() + 2 * size), 8 * size), 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    EXPECT_EQ((*trace)->skip(), 2 * size);
    std::filesystem::resize_file(path_, size);
    EXPECT_EQ((*trace)->skip(), 2 * size);
    EXPECT_EQ((*trace)->end(), End::truncated);
}

TEST_F(GrowingTraceTest, WaitsForWhatIsNotWrittenOfReservedSpace) {
    const Image live = story(4, false);
    Image reserved = preallocate(Image(live.begin(), live.begin() + 2 * size), 8 * size);
    put(reserved, 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    State state{};
    EXPECT_EQ(take(**trace, state).size(), 2 * size);
    EXPECT_EQ(state, State::pause);
    // The head of the next buffer without its records, then all of it.
    put(Bytes(live).subspan(2 * size, 0x48), 2 * size);
    EXPECT_EQ(take(**trace, state).size(), 0U);
    put(Bytes(live).subspan(2 * size, size), 2 * size);
    const Image third = take(**trace, state);
    EXPECT_TRUE(std::ranges::equal(third, Bytes(live).subspan(2 * size, size)));
}

TEST_F(GrowingTraceTest, DoesNotWaitForABufferThatItsWriterLeftTorn) {
    const Image live = story(4, false);
    put(live, 0);
    put(Image(0x100), 2 * size + 0x48);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    State state{};
    EXPECT_EQ(take(**trace, state).size(), live.size());
}

TEST_F(GrowingTraceTest, EndsWhenTheFileIsTruncated) {
    const Image live = story(4, false);
    put(live, 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    State state{};
    EXPECT_EQ(take(**trace, state).size(), live.size());
    std::filesystem::resize_file(path_, size);
    EXPECT_EQ(take(**trace, state).size(), 0U);
    EXPECT_EQ(state, State::end);
    EXPECT_EQ((*trace)->end(), End::truncated);
}

TEST_F(GrowingTraceTest, EndsWhenTheFileIsReplaced) {
    const Image live = story(4, false);
    put(live, 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    std::filesystem::rename(path_, path_ + ".old");
    put(live, 0);
    State state{};
    EXPECT_EQ(take(**trace, state).size(), live.size()); // of the old one
    EXPECT_EQ(state, State::end);
    EXPECT_EQ((*trace)->end(), End::replaced);
}

TEST_F(GrowingTraceTest, IsReadAsAStream) {
    put(story(5, true), 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    const StreamReading stream = read_stream(std::move(*trace));
    EXPECT_THAT(stream.ids(), ElementsAre(1, 2, 3, 4, 5));
    EXPECT_FALSE(stream.error);
}

/// Ids of the events that come until the source pauses or ends.
std::vector<int> ids_of(StreamReader& reader) {
    std::vector<int> ids;
    for (flow::Run run = reader.next_run(); !run.empty(); run = reader.next_run()) {
        for (const flow::Event& event : run) {
            if (format::is_event(event.kind)) {
                ids.push_back(flow::read_header(event).id);
            }
        }
    }
    return ids;
}

TEST_F(GrowingTraceTest, OfAFinalizedOneTheFinalHeaderTellsWhetherBuffersAreMissing) {
    const auto made = [](std::optional<std::int64_t> end, std::uint32_t written) {
        TraceFacts facts;
        facts.buffer_size = size;
        facts.end_time = end;
        facts.buffers_written = written;
        TraceBuilder trace(facts);
        for (const std::int64_t sequence : {1, 2, 4}) { // Windows does not use all numbers
            trace.buffer({.sequence = sequence}).add(format::EventRecord{.time = sequence});
        }
        return trace.build();
    };
    for (const std::uint32_t written : {4U, 6U}) {
        put(made({}, 0), 0);
        auto opened = GrowingTrace::open(path_);
        ASSERT_TRUE(opened);
        const std::shared_ptr<GrowingTrace> trace = std::move(*opened);
        auto input = StreamInput::open(trace, path_);
        ASSERT_TRUE(input);
        auto reader = StreamReader::open(std::move(*input), {.pause = 1ms, .growing = trace.get()});
        ASSERT_TRUE(reader);
        EXPECT_EQ(ids_of(**reader).size(), 3U);
        EXPECT_TRUE((*reader)->is_paused());
        put(made(story_start + 1'000'000, written), 0);
        EXPECT_THAT(ids_of(**reader), ElementsAre());
        EXPECT_FALSE((*reader)->is_paused());
        EXPECT_EQ(trace->end(), End::finalized);
        EXPECT_EQ((*reader)->damage(), written == 4 ? 0U : 2U); // number 3, and one at the end
    }
}

TEST_F(GrowingTraceTest, GivesWhatAWriterHasFlushed) {
    for (const bool preallocate : {false, true}) {
        WriterOptions options;
        options.file.buffer_size = size;
        options.file.limit = {.count = 1};
        options.file.preallocate = preallocate;
        auto writer = Writer::create(path_, options);
        ASSERT_TRUE(writer) << describe(writer.error());
        const auto add = [&](std::uint16_t id) {
            ASSERT_TRUE(
                (*writer)->add(format::EventRecord{.time = now().ticks, .descriptor = {.id = id}}));
        };
        auto opened = GrowingTrace::open(path_);
        ASSERT_TRUE(opened);
        const std::shared_ptr<GrowingTrace> trace = std::move(*opened);
        auto input = StreamInput::open(trace, path_);
        ASSERT_TRUE(input) << describe(input.error());
        auto reader = StreamReader::open(std::move(*input), {.pause = 1ms});
        ASSERT_TRUE(reader);
        EXPECT_THAT(ids_of(**reader), ElementsAre());
        EXPECT_TRUE((*reader)->is_paused());
        add(1);
        add(2);
        EXPECT_THAT(ids_of(**reader), ElementsAre()); // nothing is flushed
        (*writer)->flush();
        EXPECT_THAT(ids_of(**reader), ElementsAre(1, 2));
        for (std::uint16_t id = 3; id <= 60; ++id) {
            add(id);
        }
        ASSERT_TRUE((*writer)->close());
        const std::vector<int> rest = ids_of(**reader);
        EXPECT_EQ(rest.size(), 58U);
        EXPECT_FALSE((*reader)->is_paused());
        EXPECT_EQ(trace->end(), End::finalized);
        EXPECT_EQ((*reader)->damage(), 0U);
        EXPECT_EQ((*reader)->late_events(), 0U);
    }
}

TEST_F(GrowingTraceTest, LetsWhatIsNoTraceThrough) {
    const std::string text(500, 'x');
    put(std::as_bytes(std::span(text)), 0);
    auto trace = GrowingTrace::open(path_);
    ASSERT_TRUE(trace);
    EXPECT_EQ(read_stream(std::move(*trace)).error->code, ErrorCode::not_a_trace);
}

} // namespace
} // namespace etl::trace::growing_trace_test
