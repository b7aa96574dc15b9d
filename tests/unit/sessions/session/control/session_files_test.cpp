// What the files of a session hold, for every way in which a file may grow.
#include <etl/session.hpp>

#include "format/records.hpp"
#include "tests/unit/sessions/session/control/whole_session.hpp"
#include "tests/unit/sessions/session/traced.hpp"

#include <gmock/gmock.h>

namespace etl::session::session_files_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

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
    EXPECT_EQ(state->buffers_written, 62U); // the last one names the enabled provider
    EXPECT_EQ(std::filesystem::file_size(folder_ / "a.etl"), 40U << 10U);
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(52, 60));
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
    ASSERT_TRUE(session.switch_to_next_file());
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
        ASSERT_TRUE(session.switch_to_next_file())
            << "beside the first one, wherever the program is now";
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

TEST_F(WholeSession, CompressedPrivateFileDecodesToTheSameEvents) {
    const Session session = begin(options(in_process | mode::compressed));
    EXPECT_EQ(write(0, 300, 100), 300U);
    ASSERT_TRUE(session.stop());
    EXPECT_EQ(numbers_in(sound("a.etl")), from_to(0, 300));
    EXPECT_LT(std::filesystem::file_size(folder_ / "a.etl"), 300U * 100U / 2U);
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

} // namespace
} // namespace etl::session::session_files_test
