#include "io/rename_file.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <iterator>

namespace etl::io::rename_file_test {
namespace {

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(RenameFile, GivesAFileAnotherName) {
    const test::TemporaryFolder folder;
    const std::string from = folder.file("from", "oak"), to = folder.path("to");
    ASSERT_TRUE(rename_file(from, to));
    EXPECT_FALSE(exists(from));
    EXPECT_EQ(content_of(to), "oak");
}

TEST(RenameFile, NeverReplacesAFile) {
    const test::TemporaryFolder folder;
    const std::string from = folder.file("from", "oak"), to = folder.file("to", "elm");
    const auto renamed = rename_file(from, to);
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().os_code, EEXIST);
    EXPECT_EQ(content_of(from), "oak");
    EXPECT_EQ(content_of(to), "elm");
}

TEST(RenameFile, SaysThatThereIsNoSuchFile) {
    const test::TemporaryFolder folder;
    const auto renamed = rename_file(folder.path("from"), folder.path("to"));
    ASSERT_FALSE(renamed);
    EXPECT_EQ(renamed.error().code, ErrorCode::not_found);
}

} // namespace
} // namespace etl::io::rename_file_test
