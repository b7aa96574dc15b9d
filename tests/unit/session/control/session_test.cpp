// The whole story of a session: started, enabled, written to, stopped; and what its files hold
// then, for every way in which a file may grow.
#include <etl/format/records.hpp>
#include <etl/session/runtime.hpp>

#include "tests/unit/session/traced.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <thread>

namespace etl::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint32_t in_process = mode::private_logger | mode::private_in_proc;
constexpr std::size_t large = 1000; // bytes of payload: a buffer of 4 KB takes three

/// A runtime with one provider, and sessions of one processor, so that order is that of writing.
class WholeSession : public testing::Test {
protected:
    WholeSession() {
        auto added = runtime_.add(tea);
        if (added) {
            provider_ = std::move(*added);
        }
    }

    SessionOptions options(std::uint32_t chosen, const std::string& file = "a.etl") {
        SessionOptions options;
        options.name = "Morning";
        options.guid = some_guid;
        options.buffer_kb = 4;
        options.maximum_buffers = 200;
        options.mode = chosen;
        options.processors = 1;
        if (!file.empty()) {
            options.file = folder_ / file;
        }
        return options;
    }

    /// Started and enabled.
    Session begin(const SessionOptions& options) {
        const auto session = runtime_.start(options);
        if (!session) {
            ADD_FAILURE() << describe(session.error());
            return {};
        }
        EXPECT_TRUE(session->enable(tea, {.level = 5}));
        return *session;
    }

    /// Numbers from `first` on; how many got in.
    std::uint32_t write(std::uint32_t first, std::uint32_t count, std::size_t size = 8) {
        std::uint32_t written = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            written += write_number(provider_, first + i, size).written;
        }
        return written;
    }

    static std::vector<std::uint32_t> from_to(std::uint32_t first, std::uint32_t end) {
        std::vector<std::uint32_t> numbers(end - first);
        std::iota(numbers.begin(), numbers.end(), first);
        return numbers;
    }

    test::Written sound(const std::string& file) {
        test::Written written = written_to(folder_ / file);
        EXPECT_FALSE(written.error) << file;
        EXPECT_THAT(written.checked, IsEmpty()) << file;
        return written;
    }

    TestFolder folder_;
    Runtime runtime_;
    Registration provider_;
};

TEST_F(WholeSession, SequentialFileHasEveryEventInOrder) {
    const Session session = begin(options(mode::sequential));
    EXPECT_EQ(write(0, 500), 500U);
    const auto state = session.stop();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->events_lost, 0U);
    const test::Written written = sound("a.etl");
    EXPECT_EQ(numbers_in(written), from_to(0, 500));
    EXPECT_EQ(written.info.header.buffers_written, state->buffers_written);
    EXPECT_NE(written.info.header.end_time, 0);
}

TEST_F(WholeSession, EventsAreWhatWasWritten) {
    const Session session = begin(options(0));
    write(7, 1);
    ASSERT_TRUE(session.stop());
    const test::Written written = sound("a.etl");
    ASSERT_THAT(written.streams, SizeIs(1));
    namespace layout = format::event_record;
    const Bytes record = written.streams.begin()->second.front();
    const auto header = record.first<layout::size>();
    EXPECT_EQ(load<layout::provider_id>(header), tea);
    EXPECT_EQ(load<layout::process_id>(header), static_cast<std::uint32_t>(::getpid()));
}

TEST_F(WholeSession, CircularFileKeepsTheNewestBuffers) {
    SessionOptions circular = options(mode::circular | mode::use_kbytes_for_size);
    circular.maximum_file_size = 40; // the header buffer and nine others
    const Session session = begin(circular);
    for (std::uint32_t i = 0; i < 60; ++i) {
        write(i, 1, large);
        ASSERT_TRUE(session.flush()); // each in a buffer of its own
    }
    const auto state = session.stop();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->buffers_written, 61U);
    EXPECT_EQ(std::filesystem::file_size(folder_ / "a.etl"), 40U << 10U);
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(51, 60));
}

TEST_F(WholeSession, AppendTwiceKeepsOneReadableFile) {
    SessionOptions append = options(mode::append);
    append.clock = 2;
    for (std::uint32_t round = 0; round < 3; ++round) {
        const Session session = begin(append);
        write(round * 10, 10);
        ASSERT_TRUE(session.stop());
    }
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 30));
}

TEST_F(WholeSession, SeriesHasFilesThatCanBeReadOneByOne) {
    SessionOptions series = options(mode::new_file | mode::use_kbytes_for_size, "t%d.etl");
    series.maximum_file_size = 16; // four buffers
    const Session session = begin(series);
    for (std::uint32_t i = 0; i < 7; ++i) {
        write(i, 1);
        ASSERT_TRUE(session.flush());
    }
    EXPECT_EQ(session.query()->file, folder_ / "t3.etl");
    ASSERT_TRUE(session.stop());
    EXPECT_THAT(folder_.names(), ElementsAre("t1.etl", "t2.etl", "t3.etl"));
    EXPECT_EQ(numbers_in(sound("t1.etl")), from_to(0, 3));
    EXPECT_EQ(numbers_in(sound("t2.etl")), from_to(3, 6));
    EXPECT_EQ(numbers_in(sound("t3.etl")), from_to(6, 7));
}

TEST_F(WholeSession, NextFileOfASeriesBeginsAtOnce) {
    SessionOptions series = options(mode::new_file, "t%d.etl");
    series.maximum_file_size = 1;
    const Session session = begin(series);
    write(0, 5);
    ASSERT_TRUE(session.next_file());
    write(5, 5);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("t1.etl")), from_to(0, 5));
    EXPECT_EQ(numbers_in(sound("t2.etl")), from_to(5, 10));
}

TEST_F(WholeSession, StopNamesTheLastFileOfASeries) {
    SessionOptions series = options(mode::new_file | mode::use_kbytes_for_size, "t%d.etl");
    series.maximum_file_size = 8; // the header buffer and one more
    const Session session = begin(series);
    write(0, 1);
    EXPECT_EQ(session.flush()->file, folder_ / "t1.etl");
    write(1, 1);
    const auto last = session.stop();
    ASSERT_TRUE(last);
    EXPECT_EQ(last->file, folder_ / "t2.etl");
    EXPECT_EQ(numbers_in(sound("t2.etl")), from_to(1, 2));
}

TEST_F(WholeSession, StopAfterTheFileHasEndedNamesNone) {
    const Session session = begin(options(0));
    ASSERT_TRUE(session.to_real_time());
    const auto last = session.stop();
    ASSERT_TRUE(last);
    EXPECT_EQ(last->file, "");
}

/// The folder that programs work in, changed until the test is over.
class WorkingFolder {
public:
    explicit WorkingFolder(const std::string& path) { change(path); }

    WorkingFolder(const WorkingFolder&) = delete;
    WorkingFolder& operator=(const WorkingFolder&) = delete;

    ~WorkingFolder() { std::filesystem::current_path(before_); }

    static void change(const std::string& path) { std::filesystem::current_path(path); }

private:
    std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(WholeSession, SeriesMayLieInAFolderWithAPercentSign) {
    std::filesystem::create_directory(folder_ / "100%done");
    SessionOptions series = options(mode::new_file, "");
    series.maximum_file_size = 1;
    series.file = "t%d.etl";
    const std::string first = std::filesystem::canonical(folder_ / "100%done") / "t1.etl";
    const std::string second = std::filesystem::canonical(folder_ / "100%done") / "t2.etl";
    {
        const WorkingFolder there(folder_ / "100%done");
        const Session session = begin(series);
        EXPECT_EQ(session.query()->file, first) << "a full path, whatever was given";
        SessionOptions other = options(0, "");
        other.file = second;
        other.guid = {};
        EXPECT_EQ(said(runtime_.start(other)), "ERROR_ALREADY_EXISTS") << "the name, first of all";
        other.name = "Other";
        EXPECT_EQ(said(runtime_.start(other)), "ERROR_BAD_PATHNAME") << "a file of the series";
        write(0, 1);
        WorkingFolder::change(folder_ / "");
        ASSERT_TRUE(session.next_file()) << "beside the first one, wherever the program is now";
        write(1, 1);
        const auto last = session.stop();
        ASSERT_TRUE(last);
        EXPECT_EQ(last->file, second);
    }
    EXPECT_EQ(numbers_in(sound("100%done/t1.etl")), from_to(0, 1));
    EXPECT_EQ(numbers_in(sound("100%done/t2.etl")), from_to(1, 2));
    series.file = folder_ / "100%done/t%d.etl";
    EXPECT_EQ(said(runtime_.start(series)), "ERROR_INVALID_NAME") << "two in the name as given";
}

TEST_F(WholeSession, SeriesMayGoOnInAFolderWithAPercentSign) {
    std::filesystem::create_directory(folder_ / "100%done");
    SessionOptions series = options(mode::new_file, "t%d.etl");
    series.maximum_file_size = 1;
    const Session session = begin(series);
    const WorkingFolder there(folder_ / "100%done");
    const auto updated = session.update({.file = "u%d.etl"});
    ASSERT_TRUE(updated);
    EXPECT_EQ(updated->file, std::filesystem::canonical(folder_ / "100%done") / "u1.etl");
    EXPECT_EQ(said(session.update({.file = folder_ / "100%done/v%d.etl"})), "ERROR_INVALID_NAME");
    ASSERT_TRUE(session.stop());
}

TEST_F(WholeSession, LimitHasSpaceForTwoBuffers) {
    SessionOptions small = options(mode::use_kbytes_for_size);
    small.maximum_file_size = 7; // buffers of 4 KB
    EXPECT_EQ(said(runtime_.start(small)), "ERROR_INVALID_PARAMETER");
    SessionOptions series = options(mode::new_file | mode::use_kbytes_for_size, "t%d.etl");
    series.maximum_file_size = 4;
    EXPECT_EQ(said(runtime_.start(series)), "ERROR_INVALID_PARAMETER");
    EXPECT_THAT(folder_.names(), IsEmpty()) << "nothing was made";
    small.maximum_file_size = 8;
    const Session session = begin(small);
    write(0, 1);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 1));
}

TEST_F(WholeSession, CircularFileHasSpaceForTwoBuffersWhateverItsLimit) {
    for (const std::uint32_t limit : {1U, 4U, 7U}) {
        SessionOptions circular = options(mode::circular | mode::use_kbytes_for_size);
        circular.maximum_file_size = limit;
        const Session session = begin(circular);
        for (std::uint32_t i = 0; i < 3; ++i) {
            write(i, 1);
            ASSERT_TRUE(session.flush());
        }
        ASSERT_TRUE(session.stop());
        EXPECT_EQ(std::filesystem::file_size(folder_ / "a.etl"), 8U << 10U);
        const test::Written written = sound("a.etl");
        EXPECT_EQ(numbers_in(written), from_to(2, 3)) << "the newest buffer";
        EXPECT_EQ(written.info.header.maximum_file_size, limit) << "as it was given";
        EXPECT_EQ(written.info.header.buffers_written, 4U);
    }
}

TEST_F(WholeSession, PreallocatedFileIsCutToWhatWasUsed) {
    SessionOptions whole = options(mode::preallocate);
    whole.maximum_file_size = 1;
    const Session session = begin(whole);
    EXPECT_EQ(std::filesystem::file_size(folder_ / "a.etl"), 1U << 20U);
    write(0, 5);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(std::filesystem::file_size(folder_ / "a.etl"), 8U << 10U);
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 5));
}

TEST_F(WholeSession, RingKeepsTheLastBuffers) {
    SessionOptions ring = options(mode::buffering, "");
    ring.minimum_buffers = 4;
    const Session session = begin(ring);
    EXPECT_EQ(write(0, 100, large), 100U) << "a ring loses nothing that is new";
    ASSERT_TRUE(session.flush(folder_ / "first.etl"));
    const std::vector<std::uint32_t> first = numbers_in(sound("first.etl"));
    ASSERT_THAT(first, SizeIs(testing::Ge(9U)));
    EXPECT_THAT(first, SizeIs(testing::Le(12U)));
    EXPECT_EQ(first, from_to(100 - static_cast<std::uint32_t>(first.size()), 100));

    write(100, 2, large);
    const auto state = session.query();
    EXPECT_EQ(state->number_of_buffers, 4U);
    EXPECT_EQ(state->logger_thread_id, 0U);
    ASSERT_TRUE(session.stop(folder_ / "second.etl"));
    EXPECT_EQ(numbers_in(sound("second.etl")).back(), 101U);
}

TEST_F(WholeSession, RingWithoutAFileIsABadPathname) {
    const Session session = begin(options(mode::buffering, ""));
    EXPECT_EQ(said(session.flush()), "ERROR_BAD_PATHNAME");
    const auto other = runtime_.start({.name = "Other", .file = folder_ / "b.etl"});
    ASSERT_TRUE(other);
    EXPECT_EQ(said(session.flush(folder_ / "b.etl")), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(session.stop(folder_ / "b.etl")), "ERROR_BAD_PATHNAME");
    EXPECT_EQ(said(session.stop()), "ERROR_SUCCESS");
}

TEST_F(WholeSession, CompressedPrivateFileDecodesToTheSameEvents) {
    const Session session = begin(options(in_process | mode::compressed));
    EXPECT_EQ(write(0, 300, 100), 300U);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 300));
    EXPECT_LT(std::filesystem::file_size(folder_ / "a.etl"), 300U * 100U / 2U);
}

TEST_F(WholeSession, RealTimeBesideAFileMakesTheFileToo) {
    const Session session = begin(options(mode::real_time));
    write(0, 10);
    ASSERT_TRUE(session.flush());
    EXPECT_EQ(numbers_in(written_to(folder_ / "a.etl")), from_to(0, 10));
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 10));
}

TEST_F(WholeSession, GoesOnInRealTimeWhenItsFileIsEnded) {
    const Session session = begin(options(mode::sequential));
    write(0, 10);
    ASSERT_TRUE(session.flush());
    const auto state = session.to_real_time();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->file, "");
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 10));
    const auto other = runtime_.start({.name = "Other", .file = folder_ / "a.etl"});
    EXPECT_TRUE(other) << "the file is free";
    auto live = session.listen();
    ASSERT_TRUE(live);
    write(10, 3);
    ASSERT_TRUE(session.stop());
    std::size_t events = 0;
    for (flow::Run run = (*live)->next_run(); !run.empty(); run = (*live)->next_run()) {
        for (const flow::Event& event : run) {
            events += event.kind == format::RecordKind::event64 ? 1U : 0U;
        }
    }
    EXPECT_EQ(events, 3U);
}

TEST_F(WholeSession, SwitchesToAnotherFile) {
    const Session session = begin(options(mode::sequential));
    write(0, 10);
    const auto state = session.update({.file = folder_ / "b.etl"});
    ASSERT_TRUE(state);
    EXPECT_EQ(state->file, folder_ / "b.etl");
    write(10, 10);
    EXPECT_EQ(said(session.update({.file = folder_ / "nodir/c.etl"})), "ERROR_PATH_NOT_FOUND");
    write(20, 10);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 10));
    EXPECT_EQ(numbers_in(sound("b.etl")), from_to(10, 30));
}

TEST_F(WholeSession, TimerWritesABufferThatIsNotFull) {
    SessionOptions timed = options(mode::sequential | mode::use_ms_flush_timer);
    timed.flush_timer = 5;
    const Session session = begin(timed);
    write(0, 3);
    while (session.query()->buffers_written < 2) {
        std::this_thread::yield(); // ends when the timer did its work; the test's timeout is the
                                   // limit
    }
    EXPECT_EQ(numbers_in(written_to(folder_ / "a.etl")), from_to(0, 3));
    ASSERT_TRUE(session.stop());
}

TEST_F(WholeSession, FlushPutsEverythingIntoTheFile) {
    const Session session = begin(options(0));
    write(0, 20);
    write_number(provider_, 20, 8000); // too large: lost
    ASSERT_TRUE(session.flush());
    const test::Written written = written_to(folder_ / "a.etl");
    EXPECT_EQ(numbers_in(written), from_to(0, 20));
    EXPECT_EQ(written.info.header.events_lost, 1U);
    EXPECT_EQ(written.info.header.end_time, 0) << "it is still written";
    ASSERT_TRUE(session.stop());
}

TEST_F(WholeSession, EnabledBeforeItsProviderRegistersItMissesNothing) {
    provider_ = {};
    const Session session = begin(options(0));
    auto late = runtime_.add(tea);
    ASSERT_TRUE(late);
    provider_ = std::move(*late);
    write(0, 5);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 5));
}

TEST_F(WholeSession, SessionsOfTwoClocksGetTheSameEvent) {
    SessionOptions first = options(0);
    first.clock = 1;
    SessionOptions second = options(0, "b.etl");
    second.name = "Evening";
    second.guid = {};
    second.clock = 2;
    const Session one = begin(first);
    const Session two = begin(second);
    EXPECT_EQ(write(0, 20), 40U);
    ASSERT_TRUE(one.stop());
    ASSERT_TRUE(two.stop());
    const test::Written a = sound("a.etl");
    const test::Written b = sound("b.etl");
    EXPECT_EQ(numbers_in(a), numbers_in(b));
    EXPECT_EQ(a.info.header.clock_type(), format::ClockType::qpc);
    EXPECT_EQ(b.info.header.clock_type(), format::ClockType::system_time);
    constexpr std::int64_t minute = 60 * Filetime::per_second;
    EXPECT_LT(std::abs(a.info.header.end_time - b.info.header.end_time), minute);
}

TEST_F(WholeSession, EventsOfAllThreadsAreInTheFileWhenItIsStoppedInAStorm) {
    constexpr unsigned threads = 4;
    SessionOptions storm = options(0);
    storm.processors = 2;
    storm.maximum_buffers = 1000;
    const Session session = begin(storm);

    struct Tally {
        std::uint64_t accepted = 0, lost = 0;
    };

    std::array<Tally, threads> tallies{};
    std::atomic<bool> is_over{false};
    std::vector<std::thread> writers;
    for (unsigned i = 0; i < threads; ++i) {
        writers.emplace_back([&, i] {
            while (!is_over.load()) {
                const WriteResult result = write_number(provider_, i);
                tallies[i].accepted += result.written;
                tallies[i].lost += result.lost;
            }
        });
    }
    while (session.query()->buffers_written < 20) {
        std::this_thread::yield();
    }
    const auto state = session.stop();
    is_over = true;
    for (std::thread& writer : writers) {
        writer.join();
    }
    ASSERT_TRUE(state);
    Tally all;
    for (const Tally& tally : tallies) {
        all.accepted += tally.accepted;
        all.lost += tally.lost;
    }
    // How many are lost depends on the machine; all that were not are there.
    const test::Written written = written_to(folder_ / "a.etl");
    EXPECT_FALSE(written.error);
    EXPECT_THAT(numbers_in(written), SizeIs(all.accepted));
    EXPECT_EQ(written.info.header.events_lost, state->events_lost);
    EXPECT_EQ(state->events_lost, all.lost);
}

TEST_F(WholeSession, BlockingWritersLoseNothing) {
    SessionOptions blocking = options(in_process | mode::blocking);
    blocking.maximum_buffers = 2;
    const Session session = begin(blocking);
    EXPECT_EQ(write(0, 2000, 100), 2000U);
    const auto state = session.stop();
    ASSERT_TRUE(state);
    EXPECT_EQ(state->events_lost, 0U);
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 2000));
}

TEST_F(WholeSession, IndependentSessionLosesByItself) {
    SessionOptions tiny = options(mode::independent_session);
    SessionOptions roomy = options(0, "b.etl");
    roomy.name = "Evening";
    roomy.guid = {};
    roomy.buffer_kb = 64;
    const Session one = begin(tiny);
    const Session two = begin(roomy);
    const WriteResult result = write_number(provider_, 1, 8000);
    EXPECT_EQ(result.status, Status::success);
    EXPECT_EQ(result.written, 1);
    EXPECT_EQ(result.lost, 1);
    EXPECT_EQ(one.stop()->events_lost, 1U);
    EXPECT_EQ(two.stop()->events_lost, 0U);
    EXPECT_EQ(written_to(folder_ / "a.etl").info.header.events_lost, 1U);
    EXPECT_THAT(numbers_in(sound("b.etl")), SizeIs(1));
}

} // namespace
} // namespace etl::session
