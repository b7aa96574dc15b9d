#include "base/text.hpp"
#include "io/input_file.hpp"
#include "io/unpack.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace etl::io::input_file_test {
namespace {

// Kilobytes of files that are in this process's memory; -1 where the system does not say.
long resident_file_kilobytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        if (word == "RssFile:") {
            long value = -1;
            status >> value;
            return value;
        }
    }
    return -1;
}

unsigned sum_of_pages(Bytes bytes) {
    unsigned sum = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 4096) {
        sum += std::to_integer<unsigned>(bytes[at]);
    }
    return sum;
}

// Puts another file in the place of standard input while it lives.
class StandardInput {
public:
    explicit StandardInput(int descriptor) : before_(::dup(STDIN_FILENO)) {
        ::dup2(descriptor, STDIN_FILENO);
    }

    StandardInput(const StandardInput&) = delete;
    StandardInput& operator=(const StandardInput&) = delete;

    ~StandardInput() {
        ::dup2(before_, STDIN_FILENO);
        ::close(before_);
    }

private:
    int before_;
};

TEST(InputFile, MapsAFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.etl", "content");
    const auto file = InputFile::map(path);
    ASSERT_TRUE(file);
    EXPECT_EQ(as_text((*file)->bytes()), "content");
    EXPECT_EQ((*file)->name(), path);
    EXPECT_FALSE((*file)->damage());
}

TEST(InputFile, MapsAnEmptyFileToNothing) {
    const test::TemporaryFolder folder;
    const auto file = InputFile::map(folder.file("a.etl"));
    ASSERT_TRUE(file);
    EXPECT_TRUE((*file)->bytes().empty());
    (*file)->release(FileOffset{0}, 100);
}

TEST(InputFile, OutlivesTheNameOfTheFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.etl", "content");
    const auto file = InputFile::map(path);
    ASSERT_TRUE(file);
    ASSERT_EQ(::unlink(path.c_str()), 0);
    EXPECT_EQ(as_text((*file)->bytes()), "content");
}

TEST(InputFile, SaysWhyItCannotBeOpened) {
    const test::TemporaryFolder folder;
    const auto missing = InputFile::map(folder.path("none.etl"));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_EQ(missing.error().os_code, ENOENT);
    const auto below_a_file = InputFile::map(folder.file("file") + "/a.etl");
    ASSERT_FALSE(below_a_file);
    EXPECT_EQ(below_a_file.error().code, ErrorCode::not_found);
    const auto a_folder = InputFile::map(folder.path());
    ASSERT_FALSE(a_folder);
    EXPECT_EQ(a_folder.error().code, ErrorCode::io_failure);
}

TEST(InputFile, ReadsAPipeToItsEnd) {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const std::string content = test::noise_text(1'000'000);
    std::thread writer([&] { std::ofstream(path, std::ios::binary) << content; });
    const auto file = InputFile::map(path);
    writer.join();
    ASSERT_TRUE(file);
    EXPECT_TRUE(as_text((*file)->bytes()) == content);
    EXPECT_EQ((*file)->name(), path);
}

TEST(InputFile, KeepsBytesInMemory) {
    const auto file = InputFile::from_memory({std::byte{1}, std::byte{2}}, "made");
    EXPECT_EQ(file->bytes().size(), 2U);
    EXPECT_EQ(file->bytes()[1], std::byte{2});
    EXPECT_EQ(file->name(), "made");
    file->release(FileOffset{0}, 2);
    EXPECT_EQ(file->bytes()[1], std::byte{2});
}

/// What read() copies from `at` on, up to `max` bytes.
std::string read_from(const InputFile& file, std::uint64_t at, std::size_t max) {
    std::vector<std::byte> bytes(max);
    const std::size_t count = file.read(FileOffset{at}, bytes);
    return std::string(as_text(bytes).substr(0, count));
}

TEST(InputFile, CopiesBytes) {
    const test::TemporaryFolder folder;
    const auto mapped = InputFile::map(folder.file("a.etl", "content"));
    ASSERT_TRUE(mapped);
    const Bytes bytes = (*mapped)->bytes();
    const auto in_memory = InputFile::from_memory({bytes.begin(), bytes.end()}, "made");
    for (const InputFile* file : {mapped->get(), in_memory.get()}) {
        EXPECT_EQ(read_from(*file, 0, 7), "content");
        EXPECT_EQ(read_from(*file, 3, 2), "te");
        EXPECT_EQ(read_from(*file, 5, 100), "nt");
        EXPECT_EQ(read_from(*file, 7, 1), "");
        EXPECT_EQ(read_from(*file, 8, 1), "");
        EXPECT_EQ(read_from(*file, UINT64_MAX, 1), "");
    }
}

TEST(InputFile, CopiesWhatIsLeftOfATruncatedFile) {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a.etl", test::noise_text(100'000));
    const auto file = InputFile::map(path);
    ASSERT_TRUE(file);
    ASSERT_EQ(::truncate(path.c_str(), 50'000), 0);
    EXPECT_EQ(read_from(**file, 40'000, 60'000).size(), 10'000U);
    EXPECT_EQ(read_from(**file, 60'000, 10), "");
}

TEST(InputFile, ReleasesPagesAndReadsThemAgain) {
    const test::TemporaryFolder folder;
    const std::string content = test::noise_text(16U << 20U);
    const auto file = InputFile::map(folder.file("a.etl", content));
    ASSERT_TRUE(file);
    const unsigned sum = sum_of_pages((*file)->bytes());
    const long before = resident_file_kilobytes();
    (*file)->release(FileOffset{0}, content.size());
    const long after = resident_file_kilobytes();
    if (before > 0) {
        EXPECT_GT(before - after, 15 << 10);
    }
    EXPECT_EQ(sum_of_pages((*file)->bytes()), sum);
}

TEST(InputFile, ReleasesOnlyWholePagesInside) {
    const test::TemporaryFolder folder;
    const auto file = InputFile::map(folder.file("a.etl", test::noise_text(100'000)));
    ASSERT_TRUE(file);
    const auto size = (*file)->bytes().size();
    const unsigned sum = sum_of_pages((*file)->bytes());
    for (const std::uint64_t where :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4095}, std::uint64_t{99'999},
          std::uint64_t{size}, std::uint64_t{size + 1}, ~std::uint64_t{0}}) {
        for (const std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{5000},
                                           std::uint64_t{size}, ~std::uint64_t{0}}) {
            (*file)->release(FileOffset{where}, length);
        }
    }
    EXPECT_EQ(sum_of_pages((*file)->bytes()), sum);
}

TEST(SpoolStandardInput, ReadsAPipeToItsEnd) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const StandardInput input(ends[0]);
    ::close(ends[0]);
    const std::string content = test::noise_text(700'000);
    std::thread writer([&] {
        for (std::size_t at = 0; at < content.size();) {
            const auto put = ::write(ends[1], content.data() + at, content.size() - at);
            at += static_cast<std::size_t>(std::max<ssize_t>(put, 0));
        }
        ::close(ends[1]);
    });
    const auto file = spool_standard_input();
    writer.join();
    ASSERT_TRUE(file) << describe(file.error());
    EXPECT_TRUE(as_text((*file)->bytes()) == content);
    EXPECT_EQ((*file)->name(), "-");
}

TEST(SpoolStandardInput, IsBounded) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const StandardInput input(ends[0]);
    ::close(ends[0]);
    ASSERT_EQ(::write(ends[1], "0123456789", 10), 10);
    ::close(ends[1]);
    const auto file = spool_standard_input({.max_unpacked = 9});
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::limit);
    EXPECT_EQ(file.error().need, 9U);
}

TEST(SpoolStandardInput, MapsAFileFromItsPositionOn) {
    const test::TemporaryFolder folder;
    const int opened = ::open(folder.file("a.etl", "0123456789").c_str(), O_RDONLY);
    ASSERT_GE(opened, 0);
    const StandardInput input(opened);
    const auto whole = spool_standard_input({.max_unpacked = 1}); // nothing is copied
    ASSERT_TRUE(whole);
    EXPECT_EQ(as_text((*whole)->bytes()), "0123456789");
    ::lseek(opened, 4, SEEK_SET);
    const auto rest = spool_standard_input();
    ::close(opened);
    ASSERT_TRUE(rest);
    EXPECT_EQ(as_text((*rest)->bytes()), "456789");
    EXPECT_EQ((*rest)->name(), "-");
}

} // namespace
} // namespace etl::io::input_file_test
