#include "sink/json.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>

namespace etl::sink::tally_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;

/// Encodes events of the tea house by encoders of their own, as threads would.
std::shared_ptr<Tally> tally_of(std::vector<std::uint16_t> ids, Options options) {
    auto tally = std::make_shared<Tally>(options.fields);
    options.tally = tally;
    options.schemas = store_with({brewing()});
    const JsonLines model(options);
    for (const std::uint16_t id : ids) {
        std::string text;
        const auto encoder = model.clone();
        encoder->encode(event_of(format::EventRecord{.time = tea_time,
                                                     .provider = tea_house,
                                                     .descriptor = {.id = id}})
                            ->event,
                        text);
    }
    return tally;
}

TEST(Tally, CountsRawEventsOfAllEncoders) {
    const auto tally = tally_of({1, 2, 3, 3}, {});
    EXPECT_EQ(tally->undecoded().total(), 3U);
    EXPECT_EQ(tally->undecoded().kinds().size(), 2U);
}

TEST(Tally, CountsOnlyWantedEvents) {
    const auto where = match::Expression::parse("id != 3");
    ASSERT_TRUE(where);
    Options options;
    options.where = *match::Condition::compile(*where, {});
    const auto tally = tally_of({1, 2, 3, 3}, options);
    EXPECT_EQ(tally->undecoded().total(), 1U);
    EXPECT_EQ(tally->rejected().total(), 2U);
}

TEST(Tally, KnowsTheSchemasThatWereUsed) {
    const auto identity = [](std::uint16_t id) {
        return UsedSchema{.provider = tea_house, .origin = schema::Origin::manifest, .id = id};
    };
    EXPECT_THAT(tally_of({1, 2}, {})->used(), ElementsAre(identity(1)));
    EXPECT_THAT(tally_of({2}, {})->used(), IsEmpty());
}

TEST(Tally, FindsFieldsThatNoEventHasAndSimilarOnes) {
    const auto tally =
        tally_of({1}, {.fields = {"time", "Cups", "data.Kind", "Temprature", "data.pid"}});
    const auto unmatched = tally->unmatched_fields();
    ASSERT_EQ(unmatched.size(), 2U);
    EXPECT_EQ(unmatched[0].name, "Temprature");
    EXPECT_THAT(unmatched[0].similar, ElementsAre("Temperature"));
    EXPECT_EQ(unmatched[1].name, "pid") << "data.pid is the field, not the key";
    EXPECT_THAT(tally_of({1}, {.fields = {"cpu"}})->unmatched_fields(), IsEmpty());
}

} // namespace
} // namespace etl::sink::tally_test
