#include "analysis/indexed/track_levels.hpp"
#include "tests/unit/answers/analysis/analyzed.hpp"

#include <limits>
#include <random>

namespace etl::analysis::tracks_test {
namespace {

// Sums.

using PieceList = std::vector<TrackPiece>;

TEST(TrackSums, OfAnIntervalInOneBinAreItsTicks) {
    TrackSums sums(4, 100);
    sums.add_interval(1, 2, {17, 20}, 1);
    EXPECT_EQ(sums.pieces(), (PieceList{{1, 2, 1, 1, {.ticks = 3, .count = 1}}}));
}

TEST(TrackSums, OfBinsThatAnIntervalFillsAreOnePiece) {
    TrackSums sums(4, 100);
    sums.add_interval(1, 2, {17, 67}, 1);
    EXPECT_EQ(sums.pieces(), (PieceList{{1, 2, 1, 1, {.ticks = 15}},
                                        {1, 2, 2, 2, {.ticks = 16}},
                                        {1, 2, 4, 1, {.ticks = 3, .count = 1}}}));
}

TEST(TrackSums, OfIntervalsThatFollowEachOtherAreThoseOfOne) {
    TrackSums one(4, 100), two(4, 100);
    one.add_interval(1, 2, {0, 160}, 0);
    two.add_interval(1, 2, {0, 48}, 0);
    two.add_interval(1, 2, {48, 160}, 0);
    EXPECT_EQ(one.pieces(), two.pieces());
    EXPECT_EQ(one.pieces().size(), 1U);
}

TEST(TrackSums, OfIntervalsThatOverlapAreAdded) {
    TrackSums sums(4, 100);
    sums.add_interval(1, 2, {0, 64}, 0);
    sums.add_interval(1, 2, {16, 48}, 0);
    EXPECT_EQ(sums.pieces(), (PieceList{{1, 2, 0, 1, {.ticks = 16}},
                                        {1, 2, 1, 2, {.ticks = 32}},
                                        {1, 2, 3, 1, {.ticks = 16}}}));
}

TEST(TrackSums, OfTimesBeforeZeroAreInBinsBeforeZero) {
    TrackSums sums(4, 100);
    sums.add_interval(0, 0, {-20, 5}, 0);
    EXPECT_EQ(sums.pieces(), (PieceList{{0, 0, -2, 1, {.ticks = 4}},
                                        {0, 0, -1, 1, {.ticks = 16}},
                                        {0, 0, 0, 1, {.ticks = 5}}}));
}

TEST(TrackSums, BeyondTheLimitAreCounted) {
    TrackSums sums(4, 2);
    for (std::int64_t time = 0; time < 64; time += 16) {
        sums.add(0, 0, time, {.count = 1});
    }
    EXPECT_EQ(sums.pieces().size(), 2U);
    EXPECT_EQ(sums.dropped(), 2U);
}

/// Intervals and events of some tracks, at random.
struct RandomTracks {
    struct Step {
        std::uint32_t track = 0, state = 0;
        Interval interval;
    };

    explicit RandomTracks(unsigned seed) {
        std::mt19937 random(seed);
        const auto below = [&](std::uint32_t limit) {
            return static_cast<std::uint32_t>(random() % limit);
        };
        std::int64_t now = 1'000;
        for (int i = 0; i < 3'000; ++i) {
            now += below(50);
            const std::int64_t length = below(below(40) == 0 ? 40'000 : 60);
            steps.push_back(
                {below(5), below(3), {std::max<std::int64_t>(1'000, now - length), now}});
        }
    }

    std::vector<Step> steps;
};

TEST(TrackSums, OfLongerBinsAreThoseOfTheEvents) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        const RandomTracks random(seed);
        TrackSums grown(2, 1U << 16U), direct(7, 1U << 16U);
        for (const auto& [track, state, interval] : random.steps) {
            grown.add_interval(track, state, interval, 1);
            direct.add_interval(track, state, interval, 1);
        }
        while (grown.shift() < direct.shift()) {
            grown.coarsen();
        }
        ASSERT_EQ(grown.pieces(), direct.pieces()) << seed;
    }
}

// Levels.

TrackLevels::BlockOf blocks_of(const EncodedLevels& section) {
    return [&section](std::uint32_t block) {
        return block < section.blocks.size() ? Bytes(section.blocks[block]) : Bytes{};
    };
}

/// What all spans of a level have, and the intervals of none.
std::vector<TrackPiece> pieces_of(const TrackLevels& levels, std::uint32_t level, unsigned shift) {
    TrackSums sums(shift, 1U << 20U);
    const auto all = [](std::uint32_t) { return true; };
    for (const TrackSpan& span : levels.spans()) {
        if (span.level == level) {
            EXPECT_LE(span.shift, shift);
            EXPECT_TRUE(levels.add_span(span, all, sums));
        }
    }
    EXPECT_TRUE(levels.show_long(all, [&](const LongInterval& one) {
        sums.add_interval(one.track, one.state, one.interval, one.count);
    }));
    return sums.pieces();
}

TEST(TrackLevels, EachAddUpToTheEvents) {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const RandomTracks random(seed);
        constexpr unsigned shift = 20;
        TrackRecorder recorder;
        TrackSums direct(shift, 1U << 20U);
        int left = 100;
        std::int64_t last = 0;
        for (const auto& [track, state, interval] : random.steps) {
            if (--left <= 0 && interval.to > last) {
                recorder.cut(interval.to);
                left = 100;
            }
            last = interval.to;
            recorder.add_interval(track, state, interval, 1, interval.to);
            direct.add_interval(track, state, interval, 1);
        }
        recorder.finish({1'000, last}, std::vector<Track>(5));
        const EncodedLevels section = recorder.take();
        const auto levels = TrackLevels::open(section.head, blocks_of(section));
        ASSERT_TRUE(levels);
        ASSERT_EQ(levels->spans().back().level, 2U); // 30 spans, 4, 1
        for (std::uint32_t level = 0; level <= 2; ++level) {
            ASSERT_EQ(pieces_of(*levels, level, shift), direct.pieces()) << seed << ' ' << level;
        }
    }
}

TEST(TrackLevels, HaveAtMostSoManyBinsASpan) {
    TrackRecorder recorder;
    for (std::int64_t time = 0; time < 100'000; time += 7) {
        recorder.add(0, 0, time, {.count = 1});
    }
    recorder.finish({0, 100'000}, {Track{}});
    const EncodedLevels section = recorder.take();
    const auto levels = TrackLevels::open(section.head, blocks_of(section));
    ASSERT_TRUE(levels);
    ASSERT_EQ(levels->spans().size(), 1U);
    EXPECT_EQ(levels->spans().front().shift, 7U); // 782 bins
}

TEST(TrackLevels, AfterQuietSpansAreAsFineAsTheirEvents) {
    TrackRecorder recorder;
    recorder.add(0, 0, 0, {.count = 1});
    recorder.add(0, 0, std::int64_t{1} << 40U, {.count = 1});
    std::int64_t time = (std::int64_t{1} << 40U) + 1;
    for (int span = 0; span < 3; ++span) {
        recorder.cut(time);
        for (int i = 0; i < 100; ++i) {
            recorder.add(0, 0, time += 5, {.count = 1});
        }
        ++time;
    }
    recorder.finish({0, time}, {Track{}});
    const EncodedLevels section = recorder.take();
    const auto levels = TrackLevels::open(section.head, blocks_of(section));
    ASSERT_TRUE(levels);
    EXPECT_EQ(levels->spans()[0].shift, 31U);
    EXPECT_EQ(levels->spans()[1].shift, 0U);
    EXPECT_EQ(levels->spans()[2].shift, 0U);
}

TEST(TrackLevels, OfLateEventsAreNone) {
    TrackRecorder recorder;
    recorder.add(0, 0, 10, {.count = 1});
    recorder.cut(100);
    recorder.add(0, 0, 99, {.count = 1});
    recorder.finish({10, 100}, {Track{}});
    EXPECT_TRUE(recorder.take().head.empty());
}

TEST(TrackLevels, OfAllTimesThatThereAreAreAdded) {
    constexpr std::int64_t first = std::numeric_limits<std::int64_t>::min() + 1;
    constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
    TrackRecorder recorder;
    recorder.add(0, 0, first, {.count = 1});
    recorder.add(0, 0, last, {.count = 1});
    recorder.finish({first, last}, {Track{}});
    const EncodedLevels section = recorder.take();
    const auto levels = TrackLevels::open(section.head, blocks_of(section));
    ASSERT_TRUE(levels);
    EXPECT_EQ(pieces_of(*levels, 0, 62).size(), 2U);
}

TEST(TrackLevels, WithTracksThatDoNotExistAreDamaged) {
    for (const std::uint32_t track : {1U, 0U}) { // a track; the thread of a processor
        TrackRecorder recorder;
        recorder.add_interval(track, 7, {5, 500}, 1, 500);
        recorder.cut(600);
        recorder.add_interval(track, 7, {550, 700}, 1, 700);
        recorder.finish({5, 700}, {Track{.kind = TrackKind::processor}});
        const EncodedLevels section = recorder.take();
        const auto levels = TrackLevels::open(section.head, blocks_of(section));
        ASSERT_TRUE(levels);
        const auto all = [](std::uint32_t) { return true; };
        TrackSums sums(10, 100);
        EXPECT_FALSE(levels->add_span(levels->spans().front(), all, sums));
        EXPECT_FALSE(levels->show_long(all, [](const LongInterval&) {}));
    }
}

TEST(TrackLevels, ThatAreDamagedAreRefused) {
    TrackRecorder recorder;
    recorder.add_interval(0, 0, {5, 500}, 1, 500);
    recorder.finish({5, 500}, {Track{}});
    const EncodedLevels good = recorder.take();
    ASSERT_TRUE(TrackLevels::open(good.head, blocks_of(good)));
    EXPECT_FALSE(TrackLevels::open({}, blocks_of(good)));
    for (std::size_t size = 0; size < good.head.size(); ++size) {
        EXPECT_FALSE(TrackLevels::open(Bytes(good.head).first(size), blocks_of(good))) << size;
    }
}

TEST(TrackLevels, WithDamagedBlocksSaySo) {
    TrackRecorder recorder;
    recorder.add_interval(0, 0, {5, 500}, 1, 500);
    recorder.finish({5, 500}, {Track{}});
    const EncodedLevels good = recorder.take();
    ASSERT_EQ(good.blocks.size(), 1U);
    for (std::size_t size = 0; size <= good.blocks.front().size(); ++size) {
        const auto levels = TrackLevels::open(
            good.head, [&](std::uint32_t) { return Bytes(good.blocks.front()).first(size); });
        ASSERT_TRUE(levels);
        TrackSums sums(10, 100);
        EXPECT_EQ(levels->add_span(
                      levels->spans().front(), [](std::uint32_t) { return true; }, sums),
                  size == good.blocks.front().size());
    }
}

// The table.

Rows thread_rows(const std::vector<KernelRecord>& records, Asked asked = {"tracks", ""}) {
    asked.options.tracks.kinds = {TrackKind::thread};
    asked.options.tracks.shift = 10;
    return rows_of(table_of(in_tea_kitchen(records), asked),
                   {"process", "id", "state", "duration_ns", "count"});
}

TEST(Tracks, OfThreadsAreTheirStates) {
    // t0 is in the middle of a bin, so there are two pieces of the last wait.
    EXPECT_EQ(thread_rows({switch_from(t0 + 10, 104, 0), switch_from(t0 + 30, 0, 104, 5, 15),
                           ready_record(t0 + 50, 104), switch_from(t0 + 60, 104, 0),
                           switch_from(t0 + 100, 204, 104, 1)}),
              (Rows{"kettle.exe 104 running 6000 2", "kettle.exe 104 ready 1000 1",
                    "kettle.exe 104 WrQueue 2000 1"}));
}

TEST(Tracks, ShowWhatIsOpenAtTheEnd) {
    EXPECT_EQ(thread_rows({switch_from(t0 + 10, 104, 0), switch_from(t0 + 30, 204, 104, 5, 15),
                           sample_in(t0 + 130, 0x1000, 204)}),
              (Rows{"kettle.exe 104 running 2000 1", "kettle.exe 104 WrQueue 10000 0",
                    "teapot.exe 204 running 10000 0"}));
}

TEST(Tracks, OfAThreadEndWithIt) {
    EXPECT_EQ(thread_rows({switch_from(t0 + 10, 104, 0), switch_from(t0 + 30, 0, 104, 5, 15),
                           thread_record(t0 + 50, Life::end, 100, 104),
                           sample_in(t0 + 130, 0x1000, 204)}),
              (Rows{"kettle.exe 104 running 2000 1", "kettle.exe 104 WrQueue 2000 0"}));
    EXPECT_EQ(
        thread_rows({switch_from(t0 + 10, 104, 0), switch_from(t0 + 30, 0, 104, 5, 15),
                     ready_record(t0 + 50, 104), thread_record(t0 + 60, Life::start, 200, 104),
                     sample_in(t0 + 130, 0x1000, 204)}),
        (Rows{"kettle.exe 104 running 2000 1", "kettle.exe 104 ready 1000 0",
              "kettle.exe 104 WrQueue 2000 0"}));
}

TEST(Tracks, OfAWindowBeginBeforeIt) {
    EXPECT_EQ(thread_rows({switch_from(t0 + 10, 104, 0), switch_from(t0 + 30, 204, 104, 5, 15),
                           switch_from(t0 + 130, 104, 204, 5, 6)},
                          {.table = "tracks", .by = "", .from = t0 + 60, .to = t0 + 100}),
              (Rows{"kettle.exe 104 WrQueue 4000 0", "teapot.exe 204 running 4000 0"}));
}

TEST(Tracks, OfOneProcessDependOnTheOthers) {
    Asked asked{.table = "tracks", .by = "", .processes = {.ids = {200}}};
    EXPECT_EQ(thread_rows({switch_from(t0 + 10, 104, 0), switch_from(t0 + 30, 204, 104, 5, 15),
                           switch_from(t0 + 130, 104, 204, 5, 6)},
                          asked),
              (Rows{"teapot.exe 204 running 10000 1"}));
}

TEST(Tracks, OfProcessorsAreTheThreadsThatTheyRun) {
    Asked asked{"tracks", ""};
    asked.options.tracks.kinds = {TrackKind::processor, TrackKind::interrupts};
    asked.options.tracks.shift = 20;
    const auto records =
        in_tea_kitchen({switch_from(t0 + 10, 104, 0), interrupt(t0 + 25, 0x0F44, t0 + 20, 0x1000),
                        switch_from(t0 + 30, 0, 104)});
    EXPECT_EQ(rows_of(table_of(records, asked), {"track", "id", "process", "state", "duration_ns"}),
              (Rows{"processor 0 kettle.exe thread 104 2000", "interrupts 0 null dpc 500"}));
}

TEST(Tracks, OfProvidersAreTheirEvents) {
    Asked asked{"tracks", ""};
    asked.options.tracks.kinds = {TrackKind::events, TrackKind::samples};
    asked.options.tracks.shift = 20;
    const Table table = table_of(in_tea_kitchen({sample_in(t0 + 20, 0x1000, 104)}), asked);
    EXPECT_EQ(rows_of(table, {"track", "name", "process", "count"}),
              (Rows{"samples null kettle.exe 1", "events MSNT_SystemTrace null 6"}));
    EXPECT_EQ(missing_of(table).front(), "disk I/O");
}

} // namespace
} // namespace etl::analysis::tracks_test
