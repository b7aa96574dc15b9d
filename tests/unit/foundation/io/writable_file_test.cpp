// What holds for files on the disk and in memory, and for those in memory alone.
#include "io/writable_file.hpp"
#include "tests/support/traces/sample_bytes.hpp"
#include "tests/unit/foundation/io/opened_files.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace etl::io::writable_file_test {
namespace {

using test::bytes_of;

// What holds for files of both kinds.
class WritableFiles : public testing::TestWithParam<const char*> {
protected:
    FileFactory& files() {
        return GetParam() == std::string_view("disk") ? disk() : static_cast<FileFactory&>(memory_);
    }

    std::string path() const { return folder_.path("trace.etl"); }

private:
    MemoryFiles memory_;
    test::TemporaryFolder folder_;
};

TEST_P(WritableFiles, WritesAndReadsAnywhere) {
    const auto file = opened(files(), path());
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write_at({0}, bytes_of("one two")));
    EXPECT_TRUE(file->write_at({4}, bytes_of("six")));
    EXPECT_TRUE(file->write_at({10}, bytes_of("end")));
    EXPECT_EQ(file->size().value_or(0), 13U);
    EXPECT_EQ(read(*file, 0, 100), std::string("one six\0\0\0end", 13));
    EXPECT_EQ(read(*file, 11, 1), "n");
    EXPECT_EQ(read(*file, 13, 1), "");
    EXPECT_EQ(read(*file, 1'000, 1), "");
    EXPECT_TRUE(file->sync());
    EXPECT_TRUE(file->close());
}

TEST_P(WritableFiles, WritesNothingWithoutGrowing) {
    const auto file = opened(files(), path());
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write_at({100}, {}));
    EXPECT_EQ(file->size().value_or(1), 0U);
}

TEST_P(WritableFiles, CutsAndLengthensWithZeros) {
    const auto file = opened(files(), path());
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write_at({0}, bytes_of("12345")));
    EXPECT_TRUE(file->resize(3));
    EXPECT_TRUE(file->resize(5));
    EXPECT_EQ(read(*file, 0, 100), std::string("123\0\0", 5));
}

TEST_P(WritableFiles, AllocatesTheSizeAndKeepsWhatIsThere) {
    const auto file = opened(files(), path());
    ASSERT_TRUE(file);
    EXPECT_TRUE(file->write_at({0}, bytes_of("12345")));
    EXPECT_TRUE(file->allocate(100'000));
    EXPECT_EQ(file->size().value_or(0), 100'000U);
    EXPECT_EQ(read(*file, 0, 7), std::string("12345\0\0", 7));
    EXPECT_TRUE(file->allocate(2));
    EXPECT_EQ(read(*file, 0, 7), "12");
    EXPECT_TRUE(file->allocate(0));
    EXPECT_EQ(file->size().value_or(1), 0U);
}

TEST_P(WritableFiles, ReplaceEmptiesAndExistingKeeps) {
    EXPECT_TRUE(opened(files(), path())->write_at({0}, bytes_of("content")));
    {
        const auto file = opened(files(), path(), Open::existing);
        ASSERT_TRUE(file);
        EXPECT_EQ(read(*file, 0, 100), "content");
        EXPECT_TRUE(file->write_at({0}, bytes_of("C")));
    }
    EXPECT_EQ(read(*opened(files(), path(), Open::existing), 0, 100), "Content");
    EXPECT_EQ(opened(files(), path())->size().value_or(1), 0U);
}

TEST_P(WritableFiles, MustBeThereToBeOpenedAsExisting) {
    const auto file = files().open(path(), Open::existing);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::not_found);
}

TEST_P(WritableFiles, CanBeTakenAway) {
    EXPECT_TRUE(opened(files(), path())->write_at({0}, bytes_of("content")));
    EXPECT_TRUE(files().remove(path()));
    EXPECT_FALSE(files().open(path(), Open::existing));
    const auto again = files().remove(path());
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::not_found);
}

TEST_P(WritableFiles, FailAtSizesAndPlacesThatNothingReaches) {
    const auto file = opened(files(), path());
    ASSERT_TRUE(file);
    constexpr std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
    EXPECT_TRUE(file->write_at({0}, bytes_of("kept")));
    for (const auto& result :
         {file->resize(max), file->allocate(max), file->write_at({max}, bytes_of("x")),
          file->write_at({max / 2}, bytes_of("xx"))}) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().code, ErrorCode::io_failure);
    }
    EXPECT_EQ(read(*file, max, 1), "");
    EXPECT_EQ(read(*file, 0, 100), "kept");
}

INSTANTIATE_TEST_SUITE_P(BothKinds, WritableFiles, testing::Values("disk", "memory"),
                         [](const auto& of) { return std::string(of.param); });

TEST(MemoryFiles, ShowsWhatWasWrittenAndTakesWhatIsGiven) {
    MemoryFiles files;
    EXPECT_TRUE(opened(files, "a")->write_at({0}, bytes_of("x")));
    EXPECT_EQ(files.files().at("a"), bytes_of("x"));
    files.files()["b"] = bytes_of("given");
    EXPECT_EQ(read(*opened(files, "b", Open::existing), 0, 100), "given");
}

TEST(MemoryFiles, FailWhenClosedOrTakenAway) {
    MemoryFiles files;
    const auto closed = opened(files, "a");
    EXPECT_TRUE(closed->close());
    EXPECT_FALSE(closed->write_at({0}, bytes_of("x")));
    const auto removed = opened(files, "b");
    files.files().erase("b");
    EXPECT_FALSE(removed->write_at({0}, bytes_of("x")));
    EXPECT_FALSE(removed->size());
    EXPECT_FALSE(files.files().contains("b"));
}

TEST(MemoryFiles, HaveAnEnd) {
    MemoryFiles files;
    const auto file = opened(files, "a");
    ASSERT_FALSE(file->resize(MemoryFiles::max_file + 1));
    const auto written = file->write_at({MemoryFiles::max_file}, bytes_of("x"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::io_failure);
    EXPECT_EQ(file->size().value_or(1), 0U);
}

} // namespace
} // namespace etl::io::writable_file_test
