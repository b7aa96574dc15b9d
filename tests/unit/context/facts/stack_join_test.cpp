// How stacks that are recorded separately find their events and their frames.
#include "tests/unit/context/facts/facts_of.hpp"

#include <gmock/gmock.h>

namespace etl::facts::stack_join_test {
namespace {

using testing::ElementsAre;

constexpr std::uint64_t nt = 0xFFFFF80000000000;
constexpr std::uint32_t kettle = 1200, boiler = 41;

std::vector<std::uint64_t> frames_at(const Facts& facts, std::int64_t time,
                                     std::uint32_t thread = boiler) {
    std::vector<std::uint64_t> all;
    for (const StackPart& part : facts.stacks(time)) {
        if (part.thread == thread) {
            const auto frames = facts.frames(part);
            all.insert(all.end(), frames.begin(), frames.end());
        }
    }
    return all;
}

TEST(StackJoin, KernelAndUserKeysMayBeEqual) {
    const Facts facts =
        facts_of({stack_key_record(101, KeyPart::kernel, 100, kettle, boiler, 0xF00),
                  stack_key_record(102, KeyPart::user, 100, kettle, boiler, 0xF00),
                  key_frames_record(200, KeyMoment::deleted, 0xF00, {0x1000, 0x2000}),
                  key_frames_record(300, KeyMoment::deleted, 0xF00, {nt, nt + 1})});
    EXPECT_THAT(frames_at(facts, 100), ElementsAre(nt, nt + 1, 0x1000U, 0x2000U));
    EXPECT_THAT(facts.frames_of_key(0xF00, 150), ElementsAre(0x1000U, 0x2000U));
    EXPECT_THAT(facts.frames_of_key(0xF00, 250), ElementsAre(nt, nt + 1));
}

TEST(StackJoin, AStackOfTheKernelMayGoOnInTheProgram) {
    const Facts facts =
        facts_of({stack_key_record(101, KeyPart::kernel, 100, kettle, boiler, 0xF00),
                  stack_record(202, 200, kettle, boiler, {0x3000}),
                  key_frames_record(300, KeyMoment::rundown, 0xF00, {nt, 0x1000})});
    EXPECT_THAT(frames_at(facts, 100), ElementsAre(nt, 0x1000U)) << "and needs no further part";
}

TEST(StackJoin, AKernelKeyNeverMeansFramesOfAProgram) {
    const Facts facts =
        facts_of({stack_key_record(101, KeyPart::kernel, 100, kettle, boiler, 0xF00),
                  key_frames_record(300, KeyMoment::rundown, 0xF00, {0x1000, 0x2000})});
    EXPECT_THAT(frames_at(facts, 100), ElementsAre());
    EXPECT_EQ(facts.counts().unknown_keys, 1U);
}

TEST(StackJoin, KernelPartsShareTheNextUserPartOfTheirThread) {
    const Facts facts = facts_of({stack_record(101, 100, kettle, boiler, {nt + 1}),
                                  stack_record(111, 110, kettle, boiler, {nt + 2}),
                                  stack_record(121, 120, kettle, 42, {0x9000}),
                                  stack_record(131, 130, kettle, boiler, {nt + 3}),
                                  stack_record(132, 130, kettle, boiler, {0x1000}),
                                  stack_record(141, 140, kettle, boiler, {nt + 4})});
    EXPECT_THAT(frames_at(facts, 100), ElementsAre(nt + 1, 0x1000U));
    EXPECT_THAT(frames_at(facts, 110), ElementsAre(nt + 2, 0x1000U));
    EXPECT_THAT(frames_at(facts, 130), ElementsAre(nt + 3, 0x1000U));
    EXPECT_THAT(frames_at(facts, 140), ElementsAre(nt + 4)) << "none follows";
    EXPECT_EQ(facts.counts().shared_stacks, 2U);
}

TEST(StackJoin, SystemAndIdleHaveNoUserPart) {
    for (const std::uint32_t process : {0U, 4U}) {
        const Facts facts = facts_of({stack_record(101, 100, process, boiler, {nt + 1}),
                                      stack_record(132, 130, process, boiler, {0x1000})});
        EXPECT_THAT(frames_at(facts, 100), ElementsAre(nt + 1)) << process;
    }
}

TEST(StackJoin, AUserPartOfAnotherProcessIsOfAnotherThread) {
    const Facts facts = facts_of({stack_record(101, 100, kettle, boiler, {nt + 1}),
                                  stack_record(132, 130, 1300, boiler, {0x1000})});
    EXPECT_THAT(frames_at(facts, 100), ElementsAre(nt + 1)) << "the number was given again";
}

TEST(StackJoin, AUserPartAfterTheEndOfTheThreadIsOfAnotherThread) {
    const Facts facts = facts_of({thread_record(50, Life::start, kettle, boiler),
                                  stack_record(101, 100, kettle, boiler, {nt + 1}),
                                  stack_record(106, 105, kettle, boiler, {nt + 2}),
                                  stack_record(107, 105, kettle, boiler, {0x1000}),
                                  stack_record(109, 108, kettle, boiler, {nt + 3}),
                                  thread_record(110, Life::end, kettle, boiler),
                                  thread_record(120, Life::start, kettle, boiler),
                                  stack_record(132, 130, kettle, boiler, {0x2000})});
    EXPECT_THAT(frames_at(facts, 100), ElementsAre(nt + 1, 0x1000U));
    EXPECT_THAT(frames_at(facts, 108), ElementsAre(nt + 3));
}

} // namespace
} // namespace etl::facts::stack_join_test
