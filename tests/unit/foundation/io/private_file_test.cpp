#include "base/text.hpp"
#include "io/private_file.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace etl::io {
namespace {

using namespace test;
namespace fs = std::filesystem;

class PrivateFile : public testing::Test {
protected:
    Result<void> create(std::string_view content) const {
        return create_private_file(path_, std::as_bytes(std::span(content)));
    }

    std::string read() const {
        const auto content = read_private_file(path_, 8);
        return content ? std::string(as_text(*content)) : describe(content.error());
    }

    TemporaryFolder folder_;
    const std::string path_ = folder_.path("some/folder/key");
};

TEST_F(PrivateFile, IsReadableByItsOwnerOnly) {
    ASSERT_TRUE(create("secret"));
    struct stat status{};
    ASSERT_EQ(::stat(path_.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777U, 0600U);
    EXPECT_EQ(read(), "secret");
}

TEST_F(PrivateFile, ReplacesNoOther) {
    ASSERT_TRUE(create("first"));
    const auto second = create("second");
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().os_code, EEXIST);
    EXPECT_EQ(read(), "first");
    EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(path_).parent_path()), {}), 1);
}

TEST_F(PrivateFile, OfSeveralThatMakeItOneSucceeds) {
    std::atomic<unsigned> made = 0;
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] { made += create("secret") ? 1U : 0U; });
        }
    }
    EXPECT_EQ(made, 1U);
    EXPECT_EQ(read(), "secret");
}

TEST_F(PrivateFile, IsRefusedIfOthersMayReadOrChangeIt) {
    ASSERT_TRUE(create("secret"));
    for (const mode_t mode : {0644U, 0604U, 0602U, 0620U, 0666U}) {
        ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
        EXPECT_THAT(read(), testing::HasSubstr("other users can read or change it")) << mode;
    }
    for (const mode_t mode : {0600U, 0400U, 0640U}) { // a group may share a key
        ASSERT_EQ(::chmod(path_.c_str(), mode), 0);
        EXPECT_EQ(read(), "secret") << mode;
    }
}

TEST_F(PrivateFile, IsRefusedIfItBelongsToAnotherUser) {
    ASSERT_TRUE(create("secret"));
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can give a file away";
    }
    ASSERT_EQ(::chown(path_.c_str(), 54321, 54321), 0);
    EXPECT_THAT(read(), testing::HasSubstr("it belongs to another user"));
}

TEST_F(PrivateFile, IsNoPipe) {
    fs::create_directories(fs::path(path_).parent_path());
    ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    EXPECT_THAT(read(), testing::StartsWith("malformed: not a file"));
}

TEST_F(PrivateFile, SaysThatItsDirectoryCannotBeMade) {
    const std::string in_the_way = folder_.file("file", "not a directory");
    const auto made = create_private_file(in_the_way + "/folder/key", {});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::io_failure);
    EXPECT_THAT(describe(made.error()),
                testing::HasSubstr("create its directory: Not a directory"));
}

TEST_F(PrivateFile, IsReadUpToALimit) {
    ASSERT_TRUE(create("12345678"));
    EXPECT_EQ(read(), "12345678");
    fs::remove(path_);
    ASSERT_TRUE(create("123456789"));
    EXPECT_THAT(read(), testing::StartsWith("limit"));
    fs::remove(path_);
    EXPECT_THAT(read(), testing::StartsWith("not found"));
}

} // namespace
} // namespace etl::io
