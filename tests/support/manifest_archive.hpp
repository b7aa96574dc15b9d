// The manifests of a Windows build or of applications, where they are at hand: they are not ours.
#pragma once

#include "base/text.hpp"
#include "io/input_file.hpp"
#include "io/unpack.hpp"
#include "tests/support/folders.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace etl::test {

/// `win10-18990`, for example.
inline std::filesystem::path manifest_archive(const std::string& name) {
    return std::filesystem::path(test::shared_corpus()) / "manifests" / (name + ".tar.zst");
}

/// Passes each manifest of an archive to `each`, up to the first that fails the test. Returns the
/// number passed.
inline std::size_t for_each_manifest(
    const std::filesystem::path& archive,
    const std::function<void(const std::string& file, const std::string& text)>& each) {
    std::size_t files = 0;
    const auto opened = io::InputFile::map(archive.string());
    if (!opened) {
        ADD_FAILURE() << archive;
        return files;
    }
    constexpr std::size_t longest = std::size_t{64} << 20U;
    const auto visit = [&](std::string_view name, Bytes content) {
        const std::string file = std::filesystem::path(name).filename().string();
        SCOPED_TRACE(file);
        ++files;
        each(file, std::string(as_text(content)));
        return !testing::Test::HasFailure();
    };
    const auto shown = io::for_each_member(**opened, longest, visit);
    EXPECT_TRUE(shown) << archive;
    return files;
}

} // namespace etl::test
