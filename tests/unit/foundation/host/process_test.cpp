#include "base/limits.hpp"
#include "host/process.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace etl::host::process_test {
namespace {

TEST(Process, ThreadsHaveIdsOfTheirOwn) {
    const std::uint32_t here = thread_id();
    std::uint32_t there = 0;
    std::thread([&] { there = thread_id(); }).join();
    EXPECT_NE(here, 0U);
    EXPECT_NE(there, 0U);
    EXPECT_NE(here, there);
    EXPECT_EQ(thread_id(), here);
}

TEST(Process, RunsOnAProcessorThatThereIs) {
    EXPECT_GE(processor_count(), 1U);
    EXPECT_LE(processor_count(), etl::limits::processors);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_LT(current_processor(), processor_count());
    }
}

TEST(Process, KnowsItsProgram) {
    EXPECT_TRUE(executable_name().starts_with("etl_host_test")) << executable_name();
}

TEST(Process, HasAKeyThatStays) {
    EXPECT_NE(process_start_key(), 0U);
    EXPECT_EQ(process_start_key(), process_start_key());
}

TEST(Process, HasACommandLine) {
    const std::vector<std::string> arguments = command_line();
    ASSERT_FALSE(arguments.empty());
    EXPECT_NE(arguments[0].find("etl_host_test"), std::string::npos) << arguments[0];
}

TEST(Process, HasAUserWithAWholeSid) {
    const UserSid sid = user_sid();
    ASSERT_GE(sid.size, 12U);
    EXPECT_EQ(sid.bytes[0], std::byte{1});
    EXPECT_EQ(sid.size, 8 + 4 * std::to_integer<std::size_t>(sid.bytes[1]));
}

TEST(Process, ItsTimeZoneIsOnEarth) {
    EXPECT_GE(time_zone_bias(), -14 * 60);
    EXPECT_LE(time_zone_bias(), 12 * 60);
}

TEST(Process, NoGuidComesTwice) {
    std::set<Guid> seen;
    for (int i = 0; i < 1000; ++i) {
        const Guid guid = new_guid();
        EXPECT_EQ(guid.bytes[7] & std::byte{0xF0}, std::byte{0x40}); // version 4
        EXPECT_TRUE(seen.insert(guid).second);
    }
}

#if defined(__GNUC__)
[[gnu::noinline]] std::vector<std::uint64_t> callers(std::size_t max) {
    std::vector<std::uint64_t> frames(max + 1, 0xEE);
    frames.resize(walk_stack(frames.data(), max));
    return frames;
}

[[gnu::noinline]] std::vector<std::uint64_t> deeper(int levels, std::size_t max) {
    std::vector<std::uint64_t> frames = levels == 0 ? callers(max) : deeper(levels - 1, max);
    asm volatile("" ::: "memory"); // or this frame would be given up before the call
    return frames;
}

TEST(WalkStack, StartsAtTheCallerOfTheCaller) {
    const auto frames = deeper(0, 100);
    if (frames.empty()) {
        GTEST_SKIP() << "built without libunwind";
    }
    const auto start = reinterpret_cast<std::uintptr_t>(&deeper);
    EXPECT_GE(frames[0], start);
    EXPECT_LT(frames[0], start + 4096); // in `deeper`, which is far smaller
    EXPECT_GT(deeper(50, 100).size(), 50U);
}

TEST(WalkStack, GivesNoMoreThanFits) {
    if (deeper(0, 100).empty()) {
        GTEST_SKIP() << "built without libunwind";
    }
    EXPECT_EQ(deeper(50, 3).size(), 3U);
    EXPECT_EQ(deeper(300, 192).size(), 192U);
    EXPECT_EQ(deeper(5, 0).size(), 0U);
}
#endif

} // namespace
} // namespace etl::host::process_test
