#include "flow/pipeline.hpp"
#include "sink/event_kinds.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::event_kinds_test {
namespace {

using namespace test;
using testing::ElementsAre;

/// Event 1 twice, with other fields the second time, and event 2, whose fields are named as keys.
std::shared_ptr<const schema::SchemaStore> schemas_of_two() {
    auto other = brewing();
    other.id = 2;
    other.event_name = "Pouring";
    other.fields[0].name = "id";
    return store_with({brewing(), other});
}

TEST(EventKinds, CountsAndNamesTheFieldsOfWhatIsWanted) {
    sink::EventKinds kinds({.schemas = schemas_of_two()});
    const auto clone = kinds.encoder().clone();
    const auto payload = brewing_payload();
    auto record = brewing_record(payload);
    record.descriptor.id = 2;
    std::string numbers = encode(*clone, *event_of(record));
    record.descriptor.id = 1;
    numbers += encode(*kinds.encoder().clone(), *event_of(record));
    numbers += encode(*clone, *event_of(record));
    record.descriptor.id = 77; // met, but not written
    encode(*clone, *event_of(record));
    ASSERT_TRUE(kinds.output().write(numbers));
    const auto list = kinds.list();
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].event, "Pouring");
    EXPECT_EQ(list[0].provider, "Tea-House");
    EXPECT_EQ(list[0].key, to_string(tea_house) + "|2|0|Pouring");
    EXPECT_EQ(list[0].events, 1U);
    EXPECT_THAT(list[0].fields, ElementsAre("data.id", "Kind", "Temperature"));
    EXPECT_EQ(list[1].id, 1U);
    EXPECT_EQ(list[1].events, 2U);
    EXPECT_THAT(sink::fields_of(list), ElementsAre("data.id", "Kind", "Temperature", "Cups"));
}

} // namespace
} // namespace etl::event_kinds_test
