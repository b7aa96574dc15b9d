#include "base/text.hpp"
#include "io/input_file.hpp"
#include "tests/unit/foundation/io/packing.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#ifndef _WIN32

// The sanitizers leave the signal to who is tested here.
// NOLINTBEGIN(bugprone-reserved-identifier): their names
extern "C" const char* __asan_default_options();
extern "C" const char* __tsan_default_options();

extern "C" const char* __asan_default_options() {
    return "handle_sigbus=0";
}

extern "C" const char* __tsan_default_options() {
    return "handle_sigbus=0";
}

// NOLINTEND(bugprone-reserved-identifier)

namespace etl::io::mapping_guard_test {
namespace {

constexpr std::size_t size = 100'000;

std::shared_ptr<const InputFile> mapped(const test::TemporaryFolder& folder,
                                        std::string_view name = "x") {
    const auto file = InputFile::map(folder.file(name, std::string(size, 'x')));
    EXPECT_TRUE(file) << describe(file.error());
    return *file;
}

std::string content(const InputFile& file) {
    return std::string(as_text(file.bytes()));
}

TEST(MappingGuard, MakesTheLostPartOfATruncatedFileZeros) {
    const MappingGuard guard;
    const test::TemporaryFolder folder;
    const auto file = mapped(folder);
    EXPECT_EQ(file->intact_size(), size);
    std::filesystem::resize_file(folder.path("x"), 30'001);
    EXPECT_EQ(file->intact_size(), 30'001U);
    EXPECT_EQ(content(*file), std::string(30'001, 'x') + std::string(size - 30'001, '\0'));
    EXPECT_EQ(file->intact_size(), 30'001U);
}

TEST(MappingGuard, RemembersWhatWasLostWhenTheFileGrowsAgain) {
    const MappingGuard guard;
    const test::TemporaryFolder folder;
    const auto file = mapped(folder);
    std::filesystem::resize_file(folder.path("x"), 0);
    EXPECT_EQ(content(*file), std::string(size, '\0'));
    folder.file("x", std::string(size, 'y'));
    EXPECT_EQ(file->intact_size(), 0U);
}

TEST(MappingGuard, KnowsOfEachOfManyFiles) {
    const MappingGuard guard;
    const test::TemporaryFolder folder;
    std::vector<std::shared_ptr<const InputFile>> files;
    for (int i = 0; i < 300; ++i) {
        files.push_back(mapped(folder, std::to_string(i)));
    }
    files.erase(files.begin() + 10, files.begin() + 20);
    for (int i = 280; i < 290; ++i) {
        std::filesystem::resize_file(folder.path(std::to_string(i)), 0);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        const bool is_lost = files[i]->name().ends_with(
            "/28" + files[i]->name().substr(files[i]->name().size() - 1));
        EXPECT_EQ(files[i]->bytes()[size - 1], is_lost ? std::byte{0} : std::byte{'x'});
        EXPECT_EQ(files[i]->intact_size() < size, is_lost) << files[i]->name();
    }
}

TEST(MappingGuardDeathTest, LeavesOtherBusErrorsAlone) {
    const test::TemporaryFolder folder;
    const auto file = mapped(folder);
    const auto read_on = [&] {
        std::filesystem::resize_file(folder.path("x"), 0);
        std::fputs(content(*file).c_str(), stderr);
    };
    EXPECT_EXIT(read_on(), testing::KilledBySignal(SIGBUS), "");
    const auto raised = [] {
        const MappingGuard guard;
        std::raise(SIGBUS);
    };
    EXPECT_EXIT(raised(), testing::KilledBySignal(SIGBUS), "");
    const auto handled = [] {
        std::signal(SIGBUS, [](int) { std::_Exit(3); });
        const MappingGuard guard;
        const MappingGuard another;
        std::raise(SIGBUS);
    };
    EXPECT_EXIT(handled(), testing::ExitedWithCode(3), "");
}

} // namespace
} // namespace etl::io::mapping_guard_test

#endif
