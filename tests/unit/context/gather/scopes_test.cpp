// Which traces are of one machine and boot. docs/decisions/0034-scopes.md
#include "gather/scopes.hpp"
#include "tests/unit/storage/merge/made_traces.hpp"
#include "tests/unit/storage/merge/merging.hpp"
#include "trace/inputs.hpp"

#include <gmock/gmock.h>

namespace etl::scopes_test {
namespace {

using namespace test;
using gather::Scopes;
using testing::ElementsAre;

TraceFacts session(std::int64_t boot, std::int64_t start, std::int64_t end) {
    TraceFacts facts;
    facts.boot_time = boot;
    facts.start_time = story_start + start;
    facts.end_time = story_start + end;
    return facts;
}

class OfTraces : public testing::Test {
protected:
    void open(const Image& image) {
        readers_.push_back(*trace::Reader::open(
            in_memory(image), {.file = static_cast<std::uint32_t>(readers_.size())}));
    }

    void open(const TraceFacts& facts) { open(trace_with({{1, reference + 30}}, facts)); }

    std::vector<std::uint32_t> scopes() const {
        const Scopes scopes(readers_);
        std::vector<std::uint32_t> all;
        for (const auto& reader : readers_) {
            all.push_back(scopes.of(reader->info(), 0));
        }
        return all;
    }

    std::vector<std::unique_ptr<trace::Reader>> readers_;
};

constexpr std::int64_t boot = story_start - 1'000'000'000;

TEST_F(OfTraces, OverlappingSessionsOfABootAreOne) {
    open(session(boot, 0, 100));
    open(session(boot + 3, 50, 200)); // Windows has set its clock
    open(session(boot, 150, 300));
    EXPECT_THAT(scopes(), ElementsAre(0, 0, 0));
    const Scopes all(readers_);
    ASSERT_EQ(all.groups().size(), 1U);
    EXPECT_THAT(all.groups()[0].readers, ElementsAre(0, 1, 2));
}

TEST_F(OfTraces, ThatDoNotOverlapAreNot) {
    open(session(boot, 200, 300));
    open(session(boot, 0, 100));
    EXPECT_THAT(scopes(), ElementsAre(1, 0));
    EXPECT_EQ(Scopes(readers_).groups().size(), 2U);
}

TEST_F(OfTraces, MergedOfUnknownBootsAreNot) {
    const auto unknown = [](std::int64_t start) {
        TraceFacts facts = session(0, start, 100);
        facts.clock = format::ClockType::system_time;
        return trace_with({{1, reference + 30}}, facts);
    };
    open(merged_file({unknown(0), unknown(10), unknown(0)}));
    const Scopes all(readers_);
    ASSERT_EQ(all.all().size(), 2U);
    EXPECT_THAT(all.all()[0].merged_inputs, ElementsAre(1, 3)); // parts of one recording
    EXPECT_THAT(all.all()[1].merged_inputs, ElementsAre(2));
}

TEST_F(OfTraces, OtherBootsMachinesAndUnknownBootsAreNot) {
    open(session(boot, 0, 100));
    open(session(boot - 500'000'000, 0, 100));
    TraceFacts other = session(boot, 0, 100);
    other.processors = 9;
    open(other);
    open(session(0, 0, 100));
    open(session(0, 0, 100));
    EXPECT_EQ(Scopes(readers_).all().size(), 5U);
}

TEST_F(OfTraces, InputsOfAMergeAreByMachineAndBoot) {
    const Image one = trace_with({{1, reference + 30}}, session(boot, 0, 100));
    const Image two = trace_with({{2, reference + 30}}, session(boot + 20'000'000, 0, 100));
    open(merged_file({one, one, two}, system_time));
    const Scopes scopes(readers_);
    ASSERT_EQ(scopes.all().size(), 2U);
    const flow::TraceInfo& info = readers_[0]->info();
    EXPECT_EQ(scopes.of(info, 1), 0U);
    EXPECT_EQ(scopes.of(info, 2), 0U);
    EXPECT_EQ(scopes.of(info, 3), 1U);
    ASSERT_EQ(scopes.groups().size(), 1U);
    EXPECT_THAT(scopes.groups()[0].scopes, ElementsAre(0, 1));
    const auto events = gather::GroupEvents::open(readers_, scopes.groups()[0]);
    ASSERT_TRUE(events);
    EXPECT_EQ(events->trace_of(scopes.all()[1]).header.boot_time, boot + 20'000'000);
}

TEST_F(OfTraces, AMergeOfOneBootIsOne) {
    const Image one = trace_with({{1, reference + 30}}, session(boot, 0, 100));
    open(merged_file({one, one}, system_time));
    EXPECT_EQ(Scopes(readers_).all().size(), 1U);
}

} // namespace
} // namespace etl::scopes_test
