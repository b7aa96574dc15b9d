#include "facts/collector.hpp"
#include "match/matcher.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::match::matcher_test {
namespace {

using namespace test;
using schema::InType;
using schema::OutType;

/// The brewing event with fields of all sorts behind its own.
schema::EventSchema everything() {
    schema::EventSchema schema = brewing();
    auto map = std::make_shared<schema::ValueMap>();
    map->name = "States";
    map->entries = {{1, "Running"}, {2, "Stopped"}};
    schema.maps = {map};
    schema.fields.push_back(tea_field("State", InType::uint32));
    schema.fields.back().map = 0;
    schema.fields.push_back(tea_field("Result", InType::uint32, OutType::ntstatus));
    schema.fields.push_back(tea_field("Peer", InType::uint32, OutType::ipv4));
    schema.fields.push_back(tea_field("When", InType::filetime));
    schema.fields.push_back(tea_field("Who", InType::guid));
    schema.fields.push_back(tea_field("Offset", InType::int32));
    schema.fields.push_back(tea_field("Block", InType::structure));
    schema.fields.back().members = 1;
    schema.fields.back().count = {schema::Extent::Kind::fixed, 2};
    schema.fields.push_back(tea_field("From", InType::uint8));
    return schema;
}

std::vector<std::byte> everything_payload() {
    std::vector<std::byte> bytes = brewing_payload();
    ByteWriter rest;
    rest.u32(2).u32(0xC0000034).u8(192).u8(168).u8(7).u8(9);
    rest.u64(static_cast<std::uint64_t>(tea_time)).guid(some_activity).u32(0xFFFFFFFB);
    rest.u8(7).u8(8);
    const auto more = rest.take();
    bytes.insert(bytes.end(), more.begin(), more.end());
    return bytes;
}

const TimeBounds bounds{.start = {tea_time - 10 * Filetime::per_second},
                        .end = Filetime{tea_time + 10 * Filetime::per_second},
                        .utc_offset_minutes = 0};

class Asked : public testing::Test {
protected:
    /// Asked in both ways.
    bool is(std::string_view text) {
        const auto expression = Expression::parse(text);
        EXPECT_TRUE(expression) << text << ": " << expression.error().what;
        const auto condition = Condition::compile(*expression, {.bounds = bounds});
        EXPECT_TRUE(condition) << text << ": " << condition.error().what;
        if (!expression || !condition) {
            return false;
        }
        Matcher alone(*condition, {.schemas = store_});
        const bool answer = alone(one_->event);
        decode::Decoder decoder(store_);
        Matcher lent(*condition, {.schemas = store_});
        for (int i = 0; i < 2; ++i) { // what is known of the kind changes nothing
            EXPECT_EQ(lent(decoder.decode(one_->event), decoder.generation()), answer) << text;
        }
        EXPECT_TRUE(condition->may_match(one_->event) || !answer) << text;
        return answer;
    }

    std::string error(std::string_view text) {
        const auto expression = Expression::parse(text);
        const auto condition =
            expression ? Condition::compile(*expression, {.bounds = {.start = {}, .end = {}}})
                       : std::unexpected(expression.error());
        return condition ? "" : condition.error().what;
    }

    std::shared_ptr<const schema::SchemaStore> store_ = store_with({everything()});
    std::vector<std::byte> payload_ = everything_payload();
    std::unique_ptr<OneEvent> one_ = event_of(brewing_record(payload_));
};

TEST_F(Asked, HeadersByTheirNumbers) {
    EXPECT_TRUE(is("pid == 4242 && tid == 17 && cpu == 0 && id == 1"));
    EXPECT_TRUE(is("pid in (1, 4242) && level <= 4 && keyword & 4"));
    EXPECT_TRUE(is("level <= information && level > warning"));
    EXPECT_FALSE(is("pid == 4"));
    EXPECT_FALSE(is("keyword & 2"));
    EXPECT_TRUE(is("provider_guid == 7e57ab1e-0000-4000-8000-00000000cafe"));
    EXPECT_TRUE(is("header == EVENT64"));
}

TEST_F(Asked, NamesIgnoringCaseAndWithGlobs) {
    EXPECT_TRUE(is("provider == tea-house && event == Brew*"));
    EXPECT_TRUE(is("provider == {7e57ab1e-0000-4000-8000-00000000cafe}"));
    EXPECT_TRUE(is("event == 1"));
    EXPECT_TRUE(is("event in (2, Brewing/Start)"));
    EXPECT_FALSE(is("event == Brewing"));
    EXPECT_TRUE(is("task_name == Brewing && opcode == Start && keywords == Hot"));
    EXPECT_TRUE(is("opcode in (Stop, 1)")); // one by name, one by number
    EXPECT_TRUE(is("opcode in (9, Start)"));
    EXPECT_FALSE(is("opcode in (Stop, 9)"));
    EXPECT_FALSE(is("opcode != Start"));
    EXPECT_FALSE(is("keywords == Warm"));
    EXPECT_TRUE(is("source == manifest"));
    EXPECT_TRUE(is("provider ~ 'ea.h'"));
    EXPECT_TRUE(is("provider != coffee"));
    EXPECT_FALSE(is("provider != Tea*"));
}

TEST_F(Asked, FieldsByTheirKind) {
    EXPECT_TRUE(is("Cups == 3 && data.Cups > 2 && Cups < 3.5 && Cups & 1"));
    EXPECT_TRUE(is("Kind == MINT && Kind == m?nt && Kind ~ ^m && Kind > lime"));
    EXPECT_TRUE(is("Temperature > 93 && Temperature == 93.5"));
    EXPECT_TRUE(is("Offset == -5 && Offset < 0"));
    EXPECT_TRUE(is("State == Stopped && State == 2 && State != Running && State > Running"));
    EXPECT_TRUE(is("Result == STATUS_OBJECT_NAME_NOT_FOUND && Result == 0xC0000034"));
    EXPECT_TRUE(is("Peer == 192.168.7.9 && Peer in 192.168.0.0/16 && Peer != 10.0.0.0/8"));
    EXPECT_TRUE(is("Who == 7e57ab1e-0000-4000-8000-0000000000aa"));
    EXPECT_TRUE(is("When > 2024-05-17 && When < '2024-05-17 06:00:01' && When == 2024-05*"));
    EXPECT_FALSE(is("Cups == 4"));
    EXPECT_FALSE(is("Kind == min"));
    EXPECT_FALSE(is("Peer in 192.169.0.0/16"));
}

TEST_F(Asked, MembersOfStructures) {
    EXPECT_TRUE(is("Block.From == 7 && data.Block.From == 8")); // any of them
    EXPECT_FALSE(is("Block.From == 9"));
    EXPECT_TRUE(is("has(Block) && has(Block.From) && !has(Block.To)"));
}

TEST_F(Asked, AnyField) {
    EXPECT_TRUE(is("data == mint && data == 3 && data > 93.4"));
    EXPECT_TRUE(is("data ~ in && data == Stopped && data in 192.168.0.0/16"));
    EXPECT_TRUE(is("data != mint")); // as of arrays
    EXPECT_FALSE(is("data == lime || data ~ 'Tea-House'"));
    EXPECT_TRUE(is("has(data)"));
    EXPECT_TRUE(is("data.data == 1 || Cups == 3"));
}

TEST_F(Asked, WhatIsMissingIsFalse) {
    EXPECT_FALSE(is("Sugar == 1"));
    EXPECT_FALSE(is("Sugar != 1"));
    EXPECT_TRUE(is("!(Sugar == 1)"));
    EXPECT_FALSE(is("has(Sugar)"));
    EXPECT_TRUE(is("has(Cups) || Sugar == 1"));
    EXPECT_FALSE(is("has(activity_id) && has(Sugar)"));
    EXPECT_FALSE(is("has(decode_error)"));
    EXPECT_FALSE(is("has(short)"));
}

TEST_F(Asked, Messages) {
    EXPECT_TRUE(is("message == '3 cups of mint*'"));
    EXPECT_TRUE(is("message ~ 'cups of m'"));
}

TEST_F(Asked, Times) {
    EXPECT_TRUE(is("time >= +9s && time < 11s"));
    EXPECT_TRUE(is("time > -11s && !(time > -9s)"));
    EXPECT_TRUE(is("time >= 06:00 && time < '2024-05-17 06:01'"));
}

TEST_F(Asked, QuotedNumbersAreText) {
    EXPECT_TRUE(is("Kind == 'mint'"));
    EXPECT_FALSE(is("Cups == '3'"));
}

TEST_F(Asked, ValuesThatCannotBe) {
    EXPECT_EQ(error("pid == abc"), "pid is a number; 'abc' is not");
    EXPECT_THAT(error("time > x"), testing::StartsWith("'x' is not a time; use "));
    EXPECT_THAT(error("time > -5s"), testing::HasSubstr("relative to the end"));
    EXPECT_EQ(error("provider_guid == x"), "provider_guid is a GUID; 'x' is not");
    EXPECT_EQ(error("process > 4"), "process requires ==, !=, or in");
    EXPECT_EQ(error("has(process)"), "process requires ==, !=, or in");
    EXPECT_EQ(error("ext == 4"), "ext cannot be compared; use data.ext for a field of that name");
    EXPECT_THAT(error("Kind ~ '['"), testing::StartsWith("not a valid regular expression"));
}

TEST_F(Asked, TellsWhatNothingHad) {
    const auto expression =
        Expression::parse("Cupz == 1 || provider == Tea-Hause || event == Brewin || Cups == 9");
    const auto condition = Condition::compile(*expression, {.bounds = bounds});
    Matcher matches(*condition, {.schemas = store_});
    EXPECT_FALSE(matches(one_->event));
    const auto unmatched = condition->unmatched();
    ASSERT_EQ(unmatched.size(), 3U);
    EXPECT_EQ(unmatched[0].name, "Cupz");
    EXPECT_TRUE(unmatched[0].is_field);
    EXPECT_THAT(unmatched[0].similar, testing::ElementsAre("Cups"));
    EXPECT_EQ(unmatched[1].name, "provider");
    EXPECT_THAT(unmatched[1].similar, testing::ElementsAre("Tea-House"));
    EXPECT_THAT(unmatched[2].similar, testing::ElementsAre("Brewing/Start"));
}

TEST_F(Asked, OriginsByTheTraceAlone) {
    one_->trace.name = "folder/Tea.etl";
    one_->trace.file = 1;
    EXPECT_TRUE(is("file == *tea.etl && trace == 2"));
    EXPECT_FALSE(is("trace == 1 || has(machine) || has(boot)"));
    one_->trace.has_header = true;
    one_->trace.header.boot_time = tea_time;
    EXPECT_TRUE(is("boot >= 2024-05-17 && !(boot > 2024-05-18)"));
    EXPECT_NE(error("boot == soon"), "");
}

TEST(Matcher, AsksOriginsForWhatTheTraceDoesNotTell) {
    auto one = event_of(brewing_record({}));
    one->trace.name = "merged.etl";
    one->trace.merged_inputs.push_back({.number = 2, .path = "a.etl"});
    one->buffer.merged_input = 1;
    const auto origins = std::make_shared<const facts::Origins>(
        std::array{&std::as_const(one->trace)}, facts::OriginCollector());
    const auto asks = [&](std::string_view text) {
        const auto condition = Condition::compile(*Expression::parse(text), {.bounds = bounds});
        EXPECT_TRUE(condition->needs_origins());
        EXPECT_TRUE(condition->may_match(one->event)); // it may have been merged
        return Matcher(*condition, {.schemas = {}, .origins = origins})(one->event);
    };
    EXPECT_TRUE(asks("file == a.etl && trace == 1"));
    EXPECT_FALSE(asks("file == merged.etl"));
}

TEST(Matcher, AsksHeadersBeforeTheirNames) {
    const auto condition =
        Condition::compile(*Expression::parse("pid == 4 && Cups == 3"), {.bounds = bounds});
    const auto payload = everything_payload();
    const auto one = event_of(brewing_record(payload));
    EXPECT_FALSE(condition->may_match(one->event));
    const auto either =
        Condition::compile(*Expression::parse("pid == 4 || Cups == 3"), {.bounds = bounds});
    EXPECT_TRUE(either->may_match(one->event));
}

TEST(Condition, KnowsWhetherHeadersMayRefuse) {
    const auto may_refuse = [](std::string_view text) {
        return Condition::compile(*Expression::parse(text), {.bounds = bounds})
            ->may_reject_by_header();
    };
    for (const auto* const text : {"pid == 4", "pid == 4 && Cups == 3", "!(pid == 4 || Cups == 3)",
                                   "provider == 68fdd900-4a3e-11d1-84f4-0000f80464e3",
                                   "provider != Process", "event in (1, 2)", "level <= error"}) {
        EXPECT_TRUE(may_refuse(text)) << text;
    }
    for (const auto* const text :
         {"Cups == 3", "pid == 4 || Cups == 3", "provider == Tea-House", "provider != Tea-House",
          "provider == Process", "event in (1, Start)", "!(pid == 4 && Cups == 3)"}) {
        EXPECT_FALSE(may_refuse(text)) << text;
    }
}

TEST(Matcher, CountsRecordsWithoutAnId) {
    const auto condition = Condition::compile(*Expression::parse("pid == 4"), {.bounds = bounds});
    const auto one = event_of(format::PerfinfoRecord{.hook_id = 1});
    Matcher matches(*condition, {});
    EXPECT_FALSE(matches(one->event));
    EXPECT_EQ(condition->notes().without_pid, 1U);
}

TEST(Matcher, CountsEventsThatDoNotMatchNotTests) {
    const auto condition = Condition::compile(
        *Expression::parse("pid == 4 || pid == 5 || tid > 1 || !(pid == 6 || tid == 7)"),
        {.bounds = bounds});
    const auto one = event_of(format::PerfinfoRecord{.hook_id = 1});
    Matcher matches(*condition, {});
    EXPECT_TRUE(matches(one->event));
    EXPECT_EQ(condition->notes().without_pid, 0U);
    EXPECT_EQ(condition->notes().without_tid, 0U);

    const auto other =
        Condition::compile(*Expression::parse("pid == 4 || pid == 5"), {.bounds = bounds});
    Matcher differs(*other, {});
    EXPECT_FALSE(differs(one->event));
    EXPECT_EQ(other->notes().without_pid, 1U);
}

} // namespace
} // namespace etl::match::matcher_test
