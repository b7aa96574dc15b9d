#include "base/text.hpp"
#include "io/temporary_file.hpp"
#include "tests/support/environment.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace etl::io::temporary_file_test {
namespace {

using testing::IsEmpty;
using Open = FileFactory::Open;

void write(FileFactory& files, std::string_view text, Open how) {
    auto file = files.open("any.etl", how);
    ASSERT_TRUE(file) << describe(file.error());
    ASSERT_TRUE((*file)->write_at({0}, std::as_bytes(std::span(text))));
    ASSERT_TRUE((*file)->close());
}

std::string text_of(const InputFile& file) {
    return std::string(as_text(file.bytes()));
}

TEST(TemporaryFile, IsReadAsAnInputAfterItself) {
    std::shared_ptr<const InputFile> input;
    {
        auto file = TemporaryFile::create();
        ASSERT_TRUE(file) << describe(file.error());
        write(*file, "a longer text", Open::replace);
        write(*file, "text", Open::replace);
        const auto made = file->input("copy.etl");
        ASSERT_TRUE(made) << describe(made.error());
        input = *made;
    }
    EXPECT_EQ(input->name(), "copy.etl");
    EXPECT_EQ(text_of(*input), "text");
    EXPECT_EQ(input->intact_size(), 4U);
    EXPECT_TRUE(input->changed());
}

TEST(TemporaryFile, KeepsItsContentWhenItIsOpenedAgain) {
    auto file = TemporaryFile::create();
    ASSERT_TRUE(file);
    write(*file, "first", Open::replace);
    write(*file, "s", Open::existing);
    const auto input = file->input("copy.etl");
    ASSERT_TRUE(input);
    EXPECT_EQ(text_of(**input), "sirst");
}

#ifndef _WIN32 // there the folder is the user's own

TEST(TemporaryFile, HasNoName) {
    const test::TemporaryFolder folder;
    const test::Environment temporary("TMPDIR", folder.path(""));
    const auto file = TemporaryFile::create();
    ASSERT_TRUE(file);
    EXPECT_THAT(folder.entries(), IsEmpty());
}

TEST(TemporaryFolder, IsPrivateAndEndsWithItsFiles) {
    const test::TemporaryFolder parent;
    const test::Environment temporary("TMPDIR", parent.path(""));
    {
        auto made = TemporaryFolder::create();
        ASSERT_TRUE(made) << describe(made.error());
        const TemporaryFolder folder = *std::move(made);
        EXPECT_EQ(std::filesystem::status(folder.path()).permissions(),
                  std::filesystem::perms::owner_all);
        std::ofstream(folder.path() + "/1.etl") << "one";
        EXPECT_EQ(parent.entries().size(), 1U);
    }
    EXPECT_THAT(parent.entries(), IsEmpty());
}

TEST(TemporaryFile, NeedsAFolder) {
    const test::Environment temporary("TMPDIR", "/no/such/folder");
    const auto file = TemporaryFile::create();
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::io_failure);
}

#endif

} // namespace
} // namespace etl::io::temporary_file_test
