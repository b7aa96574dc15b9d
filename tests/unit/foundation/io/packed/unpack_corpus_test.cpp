// Real packed traces, where the machine has them.
#include "base/layout.hpp"
#include "io/find_files.hpp"
#include "io/unpack.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace etl::io::unpack_corpus_test {
namespace {

TEST(UnpackCorpus, OpensEveryPackedTrace) {
    const std::string folder = ETL_SHARED_CORPUS;
    if (!is_directory(folder)) {
        GTEST_SKIP() << "no shared corpus";
    }
    const auto files = find_files(folder, Recursion::yes, [](std::string_view name) {
        return name.find(".etl.") != std::string_view::npos || name.ends_with(".etlgz");
    });
    ASSERT_TRUE(files);
    int opened = 0;
    for (const std::string& path : *files) {
        const auto file = InputFile::map(path);
        ASSERT_TRUE(file) << path;
        if (!is_packed((*file)->bytes())) {
            continue;
        }
        const auto unpacked = unpack(**file, [](std::string_view, Bytes) { return true; });
        ASSERT_TRUE(unpacked) << path << ": " << describe(unpacked.error());
        ASSERT_EQ(unpacked->members.size(), 1U) << path;
        const Bytes bytes = unpacked->members[0]->bytes();
        EXPECT_FALSE(unpacked->members[0]->damage()) << path;
        ASSERT_GT(bytes.size(), 1024U) << path;
        const auto buffer_size = load_le<std::uint32_t>(bytes.data());
        EXPECT_EQ(buffer_size % 1024, 0U) << path;
        // The same trace lies unpacked beside some of them.
        const std::string plain = std::filesystem::path(path).replace_extension().string();
        if (const auto original = InputFile::map(plain)) {
            EXPECT_TRUE(std::ranges::equal(bytes, (*original)->bytes())) << path;
        }
        ++opened;
    }
    EXPECT_GE(opened, 5);
}

} // namespace
} // namespace etl::io::unpack_corpus_test
