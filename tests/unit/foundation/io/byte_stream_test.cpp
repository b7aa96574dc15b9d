#ifndef _WIN32

#include "base/text.hpp"
#include "io/byte_stream.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace etl::io::byte_stream_test {
namespace {

using namespace std::chrono_literals;
using State = ByteStream::State;

// A FIFO in a folder of its own.
struct Fifo {
    Fifo() { ::mkfifo(path.c_str(), 0600); }

    test::TemporaryFolder folder;
    std::string path = folder.path("fifo");
};

TEST(ByteStream, TellsStreamsFromFiles) {
    const test::TemporaryFolder folder;
    const Fifo fifo;
    EXPECT_TRUE(is_stream(fifo.path));
    EXPECT_TRUE(is_stream("/dev/zero"));
    EXPECT_FALSE(is_stream(folder.file("a.etl", "x")));
    EXPECT_FALSE(is_stream(folder.path()));
    EXPECT_FALSE(is_stream(folder.path("none")));
}

TEST(ByteStream, ReportsDataPausesAndTheEnd) {
    const Fifo fifo;
    const int writer = ::open(fifo.path.c_str(), O_RDWR); // so that opening does not wait
    ASSERT_GE(writer, 0);
    auto stream = open_stream(fifo.path);
    ASSERT_TRUE(stream) << describe(stream.error());
    std::array<std::byte, 16> into{};
    const auto nothing = (*stream)->read(into, 10ms);
    ASSERT_TRUE(nothing);
    EXPECT_EQ(nothing->state, State::pause);
    ASSERT_EQ(::write(writer, "abc", 3), 3);
    const auto some = (*stream)->read(into, 10s);
    ASSERT_TRUE(some);
    EXPECT_EQ(some->state, State::data);
    EXPECT_EQ(as_text(Bytes(into).first(some->size)), "abc");
    ::close(writer);
    const auto end = (*stream)->read(into, 10s);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->state, State::end);
}

TEST(ByteStream, MissingPathsAreErrors) {
    const test::TemporaryFolder folder;
    const auto stream = open_stream(folder.path("none"));
    ASSERT_FALSE(stream);
    EXPECT_EQ(stream.error().code, ErrorCode::not_found);
}

TEST(Spool, KeepsTheHeadAndTheRest) {
    const Fifo fifo;
    std::thread writer([&] { std::ofstream(fifo.path) << "rest"; });
    auto stream = open_stream(fifo.path);
    writer.join();
    ASSERT_TRUE(stream);
    const auto file = spool(**stream, std::as_bytes(std::span(std::string_view("the "))), "name",
                            {.max_unpacked = 8});
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_EQ(as_text((*file)->bytes()), "the rest");
    EXPECT_EQ((*file)->name(), "name");
}

TEST(Spool, IsBoundedOnAnEndlessDevice) {
    auto stream = open_stream("/dev/zero");
    ASSERT_TRUE(stream);
    const auto file = spool(**stream, {}, "name", {.max_unpacked = 1U << 20U});
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::limit);
    EXPECT_EQ(file.error().need, 1U << 20U);
}

TEST(Spool, AllowanceFollowsFreeSpace) {
    const auto space = std::filesystem::space(spool_directory());
    const std::uint64_t allowance = spool_allowance();
    EXPECT_GT(allowance, 0U);
    EXPECT_LE(allowance, space.available / 2 + space.available / 4); // others write meanwhile
}

TEST(Spool, AllowanceOfCompressedInputsFollowsTheirSize) {
    constexpr std::uint64_t gigabyte = std::uint64_t{1} << 30U;
    EXPECT_LE(unpack_allowance(0), gigabyte);
    EXPECT_LE(unpack_allowance(gigabyte / 100), gigabyte);
    EXPECT_LE(unpack_allowance(gigabyte / 50), 2 * gigabyte);
    EXPECT_GE(unpack_allowance(gigabyte / 50), unpack_allowance(0));
    const std::uint64_t half = spool_allowance();
    EXPECT_LE(unpack_allowance(~std::uint64_t{0}), half + half / 2); // others write meanwhile
}

TEST(GrowingFile, SeesWhatIsAppended) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.etl", "0123");
    auto file = GrowingFile::open(path);
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_EQ(*file->size(), 4U);
    std::array<std::byte, 4> into{};
    EXPECT_EQ(*file->read_at({2}, into), 2U);
    std::ofstream(path, std::ios::app) << "4567";
    EXPECT_EQ(*file->size(), 8U);
    EXPECT_EQ(*file->read_at({2}, into), 4U);
    EXPECT_EQ(as_text(into), "2345");
    EXPECT_EQ(*file->read_at({9}, into), 0U);
}

TEST(GrowingFile, ItsHeadDoesNotGrow) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.etl", "01234567");
    auto file = GrowingFile::open(path);
    ASSERT_TRUE(file);
    const auto head = *file->head(4);
    const auto all = *file->head(100);
    std::filesystem::rename(path, folder.path("b.etl"));
    folder.file("a.etl", "another file");
    EXPECT_EQ(as_text((*file->head(2))->bytes()), "01"); // of the file that was opened
    std::ofstream(folder.path("b.etl"), std::ios::app) << "89";
    EXPECT_EQ(as_text(head->bytes()), "0123");
    EXPECT_EQ(as_text(all->bytes()), "01234567");
    EXPECT_EQ(head->name(), path);
    EXPECT_TRUE(head->changed()); // with its size, the state that an index is of
    std::array<std::byte, 4> into{};
    EXPECT_EQ(head->read({1}, into), 3U);
    EXPECT_EQ(as_text(Bytes(into).first(3)), "123");
    EXPECT_EQ(head->read({9}, into), 0U);
    EXPECT_EQ(head->intact_size(), 4U);
    std::filesystem::resize_file(folder.path("b.etl"), 3);
    EXPECT_EQ(head->intact_size(), 3U);
}

TEST(GrowingFile, SeesThatItWasReplaced) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.etl", "0123");
    auto file = GrowingFile::open(path);
    ASSERT_TRUE(file);
    EXPECT_FALSE(file->is_replaced());
    std::filesystem::rename(path, folder.path("b.etl"));
    EXPECT_TRUE(file->is_replaced()); // gone
    folder.file("a.etl", "new");
    EXPECT_TRUE(file->is_replaced());
}

TEST(GrowingFile, RefusesWhatIsNoRegularFile) {
    const auto file = GrowingFile::open("/dev/zero");
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::unsupported);
}

} // namespace
} // namespace etl::io::byte_stream_test

#endif
