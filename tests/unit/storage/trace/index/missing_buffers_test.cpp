// Which buffers a trace lacks, and whether that is a loss. docs/format/damage.md#missing
#include "tests/support/damage.hpp"
#include "trace/missing_buffers.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <random>
#include <tuple>

namespace etl::trace::missing_buffers_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Reason = MissingBuffers::Reason;

// A header buffer and `count` buffers with one event each, of `processors` in turn.
Image trace_of(int count, TraceFacts facts = {}) {
    TraceBuilder trace(facts);
    for (int i = 1; i <= count; ++i) {
        trace
            .buffer(
                {.processor = static_cast<std::uint16_t>(i % static_cast<int>(facts.processors)),
                 .time_stamp = 1'000'000 + 10 * i})
            .add(format::EventRecord{.time = 1'000'000 + i});
    }
    return trace.build();
}

struct Checked {
    MissingBuffers missing;
    std::vector<std::string> findings; // that the reader reports
    std::uint64_t damage = 0;
};

Checked check(const Image& file) {
    DiagnosticList findings;
    auto reader =
        Reader::open(io::InputFile::from_memory(file, "test"), {.diagnostics = &findings});
    EXPECT_TRUE(reader);
    Checked checked{.missing = find_missing_buffers((*reader)->info(), (*reader)->buffers()),
                    .damage = (*reader)->damage()};
    for (const Diagnostic& finding : findings.list()) {
        checked.findings.push_back(describe(finding));
    }
    return checked;
}

const TraceFacts running{.end_time = {}, .buffers_written = 0};

TEST(MissingBuffers, AreNoneOfAFinalizedTraceThatAddsUp) {
    EXPECT_THAT(check(trace_of(4)).missing.gaps, IsEmpty());
    TraceBuilder trace{TraceFacts{}};
    trace.buffer({.sequence = 1}).add(format::EventRecord{.time = 1'000'001});
    trace.buffer({.sequence = 3}).add(format::EventRecord{.time = 1'000'003});
    EXPECT_THAT(check(trace.build()).missing.gaps, IsEmpty());
}

TEST(MissingBuffers, AreNotHiddenByRepeatedOnes) {
    Image file = trace_of(5);
    std::copy_n(file.begin() + 2 * 0x1000, 0x1000, file.begin() + 3 * 0x1000); // 1, 2, 2, 4, 5
    const Checked checked = check(file);
    EXPECT_EQ(checked.missing.repeated, 1U);
    EXPECT_TRUE(checked.missing.is_loss());
    EXPECT_EQ(checked.missing.count(), 1U);
    file.insert(file.begin() + 4 * 0x1000, file.begin() + 3 * 0x1000, file.begin() + 4 * 0x1000);
    EXPECT_EQ(check(file).missing.repeated, 2U);
    EXPECT_EQ(check(file).missing.count(), 1U);
    EXPECT_EQ(check(file).damage, 3U) << "both repeats and the gap; not the header";
}

TEST(MissingBuffers, OfARunningLogAreALoss) {
    const Checked checked = check(drop_buffer(drop_buffer(trace_of(5, running), 3), 2));
    ASSERT_THAT(checked.missing.gaps, SizeIs(1));
    EXPECT_TRUE(checked.missing.is_loss());
    EXPECT_EQ(checked.missing.gaps[0].count, 2U);
    EXPECT_EQ(checked.missing.gaps[0].first, 2);
    EXPECT_EQ(checked.missing.gaps[0].processor, 0);
    EXPECT_EQ(checked.missing.gaps[0].after, 1U);
    EXPECT_EQ(checked.missing.gaps[0].before, 2U);
    EXPECT_EQ(checked.damage, 1U);
    EXPECT_THAT(checked.findings,
                ElementsAre("0x2000: warning: buffer 2: missing buffers before it (2 buffers, "
                            "numbers 2 to 3, processor 0)"));
}

TEST(MissingBuffers, HaveNoProcessorWhereThereAreSeveral) {
    TraceFacts facts = running;
    facts.processors = 2;
    const Checked checked = check(drop_buffer(trace_of(4, facts), 2));
    EXPECT_THAT(checked.findings,
                ElementsAre("0x2000: warning: buffer 2: missing buffers before it (1 buffer, "
                            "number 2)"));
}

TEST(MissingBuffers, OfARunningCircularLogAreNoLoss) {
    TraceFacts facts = running;
    facts.mode = format::log_mode::circular;
    const Checked checked = check(drop_buffer(drop_buffer(trace_of(5, facts), 3), 1));
    EXPECT_EQ(checked.missing.reason, Reason::running_circular);
    EXPECT_EQ(checked.missing.count(), 1U); // that at the beginning was overwritten
    EXPECT_FALSE(checked.missing.is_loss());
    EXPECT_EQ(checked.damage, 0U);
}

TEST(MissingBuffers, OfAFinishedCircularOrAppendedLogAreNotes) {
    for (const auto& [mode, reason] : {std::pair(format::log_mode::circular, Reason::circular),
                                       std::pair(format::log_mode::append, Reason::appended)}) {
        TraceFacts facts;
        facts.mode = mode;
        facts.buffers_written = 40;
        const Checked checked = check(drop_buffer(trace_of(5, facts), 3));
        EXPECT_EQ(checked.missing.reason, reason);
        EXPECT_EQ(checked.missing.count(), 1U);
        EXPECT_EQ(checked.damage, 0U);
    }
}

TEST(MissingBuffers, BeginAnywhereInAFileOfASeries) {
    TraceFacts facts = running;
    facts.mode = format::log_mode::new_file;
    EXPECT_THAT(check(drop_buffer(trace_of(3, facts), 1)).missing.gaps, IsEmpty());
}

TEST(MissingBuffers, AtTheEndAreCountedByTheHeader) {
    TraceFacts facts;
    facts.buffers_written = 7;
    const Checked checked = check(trace_of(3, facts));
    EXPECT_EQ(checked.missing.count(), 3U);
    EXPECT_THAT(checked.findings,
                ElementsAre("0x4000: warning: missing buffers: the header counts more "
                            "(BuffersWritten) (3 buffers, processor 0)"));
}

TEST(MissingBuffers, AreNotMoreThanTheHeaderCounts) {
    TraceFacts facts;
    facts.buffers_written = 4; // with the header buffer: one is missing, and two numbers
    TraceBuilder trace(facts);
    trace.buffer({.sequence = 1}).add(format::EventRecord{.time = 1'000'001});
    trace.buffer({.sequence = 4}).add(format::EventRecord{.time = 1'000'003});
    const Checked checked = check(trace.build());
    ASSERT_THAT(checked.missing.gaps, SizeIs(1));
    EXPECT_EQ(checked.missing.gaps[0].count, 1U);
    EXPECT_FALSE(checked.missing.gaps[0].first);
}

TEST(MissingBuffers, ARepeatedBufferHidesNoneAndMakesNone) {
    const Image file = trace_of(4, running);
    const std::vector<Place> places = buffers_of(file);
    Image twice(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(places[3].offset));
    twice.insert(twice.end(), file.begin() + static_cast<std::ptrdiff_t>(places[2].offset),
                 file.end());
    EXPECT_THAT(check(twice).missing.gaps, IsEmpty());
}

TEST(MissingBuffers, ANumberThatNoSessionGetsToIsNoGap) {
    TraceBuilder trace{running};
    trace.buffer({.sequence = 1}).add(format::EventRecord{.time = 1'000'001});
    trace.buffer({.sequence = std::int64_t{1} << 40}).add(format::EventRecord{.time = 1'000'003});
    EXPECT_THAT(check(trace.build()).missing.gaps, IsEmpty());
}

/// The numbers that no buffer has, by sorting all of them.
std::vector<std::array<std::int64_t, 3>> sorted_gaps(std::span<const BufferEntry> buffers) {
    std::vector<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>> numbers;
    for (std::uint32_t i = 1; i < buffers.size(); ++i) {
        numbers.emplace_back(buffers[i].run, buffers[i].sequence, i);
    }
    std::ranges::sort(numbers);
    std::vector<std::array<std::int64_t, 3>> gaps; // first, count, before
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto [run, sequence, place] = numbers[i];
        const bool begins = i == 0 || std::get<0>(numbers[i - 1]) != run;
        const std::int64_t expected = begins ? 1 : std::get<1>(numbers[i - 1]) + 1;
        if (sequence > expected) {
            gaps.push_back({expected, sequence - expected, place});
        }
    }
    return gaps;
}

TEST(MissingBuffers, AreThoseOfASortedListInAnyOrder) {
    std::mt19937 random(47);
    flow::TraceInfo info;
    info.has_header = true;
    info.is_unfinalized = true;
    info.header.number_of_processors = 2;
    for (int round = 0; round < 300; ++round) {
        std::vector<BufferEntry> buffers(1 + random() % 60);
        std::uint32_t run = 0;
        for (BufferEntry& one : buffers) {
            run += random() % 20 == 0 ? 1U : 0U;
            one.run = run;
            one.sequence = 1 + static_cast<std::int64_t>(random() % 50);
            one.where = {random() % 1000};
        }
        const MissingBuffers missing = find_missing_buffers(info, buffers);
        std::vector<std::array<std::int64_t, 3>> found;
        for (const MissingBuffers::Gap& gap : missing.gaps) {
            found.push_back({*gap.first, static_cast<std::int64_t>(gap.count), *gap.before});
            EXPECT_EQ(gap.where.value, buffers[*gap.before].where.value);
        }
        EXPECT_EQ(found, sorted_gaps(buffers)) << round;
    }
}

TEST(MissingBuffers, AreListedUpToALimit) {
    constexpr int many = 3000;
    TraceFacts facts = running;
    facts.buffer_size = 0x400;
    TraceBuilder trace(facts);
    for (int i = 1; i <= many; ++i) {
        trace.buffer({.sequence = 2 * i}).add(format::EventRecord{.time = 1'000'000 + i});
    }
    const Checked checked = check(trace.build());
    EXPECT_EQ(checked.missing.count(), static_cast<std::uint64_t>(many));
    EXPECT_THAT(checked.missing.gaps, SizeIs(1000));
}

} // namespace
} // namespace etl::trace::missing_buffers_test
