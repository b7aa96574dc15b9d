#include "host/memory.hpp"
#include "host/process.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <utility>

namespace etl::host::memory_test {
namespace {

constexpr std::size_t large = std::size_t{1} << 34U; // more than is ever touched

std::string fresh_file(const char* name) {
    const auto path = std::filesystem::temp_directory_path() /
                      (std::string("etl_memory_") + std::to_string(process_id()) + name);
    std::filesystem::remove(path);
    return path.string();
}

TEST(Memory, IsReservedAsAWholeAndZero) {
    auto memory = Memory::reserve(large);
    ASSERT_TRUE(memory);
    EXPECT_EQ(memory->size(), large);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->data()) % page_size(), 0U);
    EXPECT_TRUE(memory->commit(large - 1, 1));
    EXPECT_EQ(memory->data()[large - 1], std::byte{0});
    memory->data()[large - 1] = std::byte{7};
    EXPECT_EQ(memory->data()[large - 1], std::byte{7});
    EXPECT_FALSE(memory->commit(large, 1));
}

TEST(Memory, RefusesWhatNoMachineHas) {
    EXPECT_FALSE(Memory::reserve(SIZE_MAX / 2));
    EXPECT_FALSE(Memory::reserve(0));
}

TEST(Memory, InAFileLeavesWhatWasWritten) {
    const std::string path = fresh_file("left");
    {
        auto memory = Memory::reserve_in_file(path, 1U << 20U);
        ASSERT_TRUE(memory) << describe(memory.error());
        ASSERT_TRUE(memory->commit(4096, 4096));
        memory->data()[5000] = std::byte{'x'};
        const Memory moved = std::move(*memory);
        EXPECT_EQ(memory->data(), nullptr);
    }
    EXPECT_EQ(std::filesystem::file_size(path), 1U << 20U);
    std::ifstream file(path, std::ios::binary);
    file.seekg(5000);
    EXPECT_EQ(file.get(), 'x');
    std::filesystem::remove(path);
}

TEST(Memory, InAFileNeverTakesOneThatIsThere) {
    const std::string path = fresh_file("there");
    std::ofstream(path) << "precious";
    EXPECT_FALSE(Memory::reserve_in_file(path, 4096));
    EXPECT_EQ(std::filesystem::file_size(path), 8U);
    std::filesystem::remove(path);
}

TEST(Memory, ItsFileCanBeTakenAwayWhileItIsUsed) {
    const std::string path = fresh_file("gone");
    auto memory = Memory::reserve_in_file(path, 4096);
    ASSERT_TRUE(memory);
    memory->remove_file();
    EXPECT_FALSE(std::filesystem::exists(path));
    memory->data()[0] = std::byte{1};
    EXPECT_EQ(memory->data()[0], std::byte{1});
}

} // namespace
} // namespace etl::host::memory_test
