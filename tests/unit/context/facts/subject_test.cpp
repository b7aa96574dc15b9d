// Which events a Collector looks at: all that may contain facts.
#include "facts/subject.hpp"
#include "format/known_guids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace etl::facts::subject_test {
namespace {

unsigned parts_of(const Interest& interest, std::uint16_t hook) {
    std::array<std::byte, 0x20> record{};
    store_le(record.data() + format::system_record::hook_id.offset, hook);
    return interest.parts_of({.record = record.data(),
                              .size = record.size(),
                              .kind = format::wide(format::RecordFamily::system)});
}

TEST(Interest, MissesNoHookWithFacts) {
    for (const Scope scope : {Scope::everything, Scope::processes}) {
        const Interest interest(scope);
        for (unsigned number = 0; number < 0x10000; ++number) {
            const auto hook = static_cast<std::uint16_t>(number);
            const auto subject = subject_of_hook(hook);
            const unsigned parts = parts_of(interest, hook);
            const bool has_subject = subject && is_within(scope, subject->topic);
            EXPECT_EQ((parts & Interest::subject) != 0, has_subject) << number;
            EXPECT_EQ((parts & Interest::source) != 0,
                      class_sources_of_hook(hook) != ClassSources{});
            EXPECT_EQ((parts & Interest::sampling) != 0, is_sampling_interval(hook));
            const bool is_stack = hook == 0x1820 || hook == 0x1825 || hook == 0x1826;
            EXPECT_EQ((parts & Interest::stack) != 0, is_stack) << number; // it states a thread
        }
    }
}

TEST(Interest, LeavesOutWhatFillsTraces) {
    const Interest interest(Scope::processes);
    for (const unsigned hook : {0x0F2EU, 0x0524U, 0x0532U, 0x0F33U, 0x0420U, 0x1402U}) {
        EXPECT_EQ(parts_of(interest, static_cast<std::uint16_t>(hook)), 0U) << hook;
    }
}

TEST(Interest, KnowsTheProvidersOfFactsByTheirHeads) {
    EXPECT_TRUE(std::ranges::all_of(subject_providers(), [](const Guid& provider) {
        return may_be_subject(format::head_of(provider), Scope::everything);
    }));
}

} // namespace
} // namespace etl::facts::subject_test
