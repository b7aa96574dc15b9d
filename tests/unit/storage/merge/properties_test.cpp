// What holds for any traces: parts become the whole again, the order of merging does not matter,
// memory does not grow with the number of traces.
#include "tests/support/counting_new.hpp"
#include "tests/unit/storage/merge/merging.hpp"

#include <gmock/gmock.h>

#include <random>

namespace etl::merge::properties_test {
namespace {

using namespace test;

constexpr std::int64_t reference = 1'000'000;
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
} // namespace etl::merge::properties_test
