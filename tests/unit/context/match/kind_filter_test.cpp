#include "match/kind_filter.hpp"
#include "tests/support/counting_new.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace etl::match {
namespace {

using namespace test;

class KindFilters : public testing::Test {
protected:
    static Condition condition_of(std::string_view text) {
        return *Condition::compile(*Expression::parse(text), {});
    }

    bool passes(std::string_view text) {
        KindFilter filter;
        filter.start(condition_of(text), {.schemas = store_});
        return filter.may_match(one_->event);
    }

    std::shared_ptr<const schema::SchemaStore> store_ = store_with({brewing()});
    std::vector<std::byte> payload_ = brewing_payload();
    std::unique_ptr<OneEvent> one_ = event_of(brewing_record(payload_));
};

TEST_F(KindFilters, AllEventsPassBeforeItStarts) {
    KindFilter filter;
    EXPECT_TRUE(filter.may_match(one_->event));
    filter.start(condition_of("provider == Coffee"), {.schemas = store_});
    EXPECT_FALSE(filter.may_match(one_->event));
}

TEST_F(KindFilters, EventsAreRejectedByNames) {
    EXPECT_TRUE(passes("provider == Tea-House"));
    EXPECT_FALSE(passes("provider == Coffee"));
    EXPECT_FALSE(passes("provider == Tea-House && event == Coffee"));
    EXPECT_FALSE(passes("!(provider == Tea-*)"));
}

TEST_F(KindFilters, HeadersAreNotTested) {
    EXPECT_TRUE(passes("provider == Tea-House && pid == 1"));
    EXPECT_FALSE(passes("provider == Coffee && pid == 1"));
}

TEST_F(KindFilters, ConditionsOnFieldsRejectNothing) {
    EXPECT_TRUE(passes("provider == Coffee && data.Cups == 3"));
}

TEST_F(KindFilters, NamesOfRejectedEventsAreSuggested) {
    const Condition condition = condition_of("provider == Tea-Hause");
    KindFilter filter;
    filter.start(condition, {.schemas = store_});
    EXPECT_FALSE(filter.may_match(one_->event));
    ASSERT_EQ(condition.unmatched().size(), 1);
    EXPECT_EQ(condition.unmatched().front().similar, std::vector<std::string>{"Tea-House"});
}

TEST_F(KindFilters, TakeTurnsWithoutMemory) {
    if (!can_count_allocations()) {
        GTEST_SKIP();
    }
    KindFilter tea, coffee;
    tea.start(condition_of("provider == Tea-House"), {.schemas = store_});
    coffee.start(condition_of("provider == Coffee"), {.schemas = store_});
    const auto take_turns = [&] {
        bool is_right = true;
        for (int i = 0; i < 100; ++i) {
            is_right = is_right && tea.may_match(one_->event) && !coffee.may_match(one_->event);
        }
        return is_right;
    };
    EXPECT_TRUE(take_turns());
    const std::size_t before = allocations().count;
    EXPECT_TRUE(take_turns());
    EXPECT_EQ(allocations().count, before);
}

TEST_F(KindFilters, EachThreadRejects) {
    KindFilter filter;
    filter.start(condition_of("provider == Coffee"), {.schemas = store_});
    std::vector<int> passed(3);
    {
        std::vector<std::jthread> threads;
        for (int& count : passed) {
            threads.emplace_back([&] {
                for (int i = 0; i < 5000; ++i) {
                    count += filter.may_match(one_->event) ? 1 : 0;
                }
            });
        }
    }
    EXPECT_EQ(passed, (std::vector<int>{0, 0, 0}));
}

class KindTests : public KindFilters {
protected:
    bool may_match(std::string_view text) {
        return KindTest(condition_of(text), {.schemas = store_}).may_match(one_->event);
    }
};

TEST_F(KindTests, RejectByWhatAllEventsOfAKindShare) {
    EXPECT_TRUE(may_match("provider == Tea-House"));
    EXPECT_FALSE(may_match("provider == Coffee"));
    EXPECT_FALSE(may_match("provider == Coffee && data.Cups == 3"));
    EXPECT_FALSE(may_match("provider == Tea-House && data.Saucers == 3"));
}

TEST_F(KindTests, DoNotRejectByAnythingElse) {
    EXPECT_TRUE(may_match("provider == Coffee || pid == 123456"));
    EXPECT_TRUE(may_match("pid == 123456"));
    EXPECT_TRUE(may_match("time > 2100-01-01"));
    EXPECT_TRUE(may_match("data.Cups == 12345"));
    EXPECT_TRUE(may_match("process == nobody.exe"));
}

} // namespace
} // namespace etl::match
