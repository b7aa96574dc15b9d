// What redactions and the drop of events take away.
#include "tests/unit/editing/anonymize/anonymized.hpp"
#include "tests/unit/editing/anonymize/coffee_shop.hpp"

namespace etl::anonymize::redaction_test {
namespace {

using namespace etl::test;

TEST(Anonymizer, CountsTheFieldsThatARedactionFits) {
    const auto reader = open(story());
    const Anonymized after = anonymized(
        *reader, kernel_store(),
        {.key = key_of_text("tests"),
         .redact = {{"*", "Order", "Cups"}, {"*", "Order", "Mugs"}, {"*", "Order", "*Name"}},
         .scope = Scope::redactions_only});
    EXPECT_EQ(after.report.redactions, (std::vector<std::uint64_t>{1, 0, 3}));
}

TEST(Anonymizer, DropsUndecodableEventsWhenAsked) {
    const auto reader = open(with_unknown_event());
    const Anonymized after = anonymized(
        *reader, kernel_store(), {.key = key_of_text("tests"), .undecodable = Undecodable::drop});
    EXPECT_EQ(after.report.dropped, 1U);
    EXPECT_EQ(after.events, 2U);
    EXPECT_FALSE(occurs(after.image, "only"));
}

TEST(Anonymizer, ClearsUndecodableEventsWhenAsked) {
    const auto reader = open(with_unknown_event());
    const Options options{.key = key_of_text("tests"), .undecodable = Undecodable::clear};
    const Anonymized after = anonymized(*reader, kernel_store(), options);
    EXPECT_EQ(after.report.undecodable, 1U);
    EXPECT_EQ(after.report.cleared, 1U);
    EXPECT_EQ(after.report.dropped, 0U);
    EXPECT_EQ(after.events, 3U);
    EXPECT_FALSE(occurs(after.image, "only"));
    const Anonymized kept = anonymized(*open(with_unknown_event()), kernel_store());
    EXPECT_EQ(after.image.size(), kept.image.size());
    EXPECT_EQ(kept.report.cleared, 0U);
}

TEST(Anonymizer, RedactsFieldsByPatternAndNothingElse) {
    const auto reader = open(story());
    const Anonymized after = anonymized(*reader, kernel_store(),
                                        {.key = key_of_text("tests"),
                                         .redact = {{"coffee.*", "Order", "Cups"},
                                                    {"*", "Order", "UserName"},
                                                    {"*", "Link", "Who"},
                                                    {"*", "Link", "Blob"}},
                                         .scope = Scope::redactions_only});
    const auto before = values_of(story(), false);
    const auto now = values_of(after.image, false);
    ASSERT_EQ(before.size(), now.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        different += before[i] != now[i] ? 1U : 0U;
    }
    EXPECT_EQ(different, 4U);
    EXPECT_EQ(after.report.values[static_cast<std::size_t>(Kind::redacted)], 4U);
    EXPECT_TRUE(occurs(after.image, "xxxxxxxxxxxxx"));
    EXPECT_TRUE(occurs(after.image, "ALICE-PC"));
}

TEST(Anonymizer, KeepsFieldsThatOthersTakeTheirSizeFrom) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = shop;
    names->name = "Shop";
    auto event = std::make_shared<schema::EventSchema>();
    event->provider = names;
    event->id = 5;
    event->event_name = "Sized";
    event->fields.resize(2);
    event->fields[0].name = "Size";
    event->fields[0].in_type = schema::InType::uint16;
    event->fields[0].referenced = true;
    event->fields[1].name = "Text";
    event->fields[1].in_type = schema::InType::unicode_string;
    event->fields[1].length = {schema::Extent::Kind::field, 0};
    auto store = std::make_shared<schema::SchemaStore>();
    store->add(event);
    store->freeze();
    ByteWriter payload;
    payload.u16(5).text16(u"alice");
    TraceBuilder trace;
    trace.buffer().add(format::EventRecord{
        .time = 1'000'100, .provider = shop, .descriptor = {.id = 5}, .payload = payload.view()});
    const auto reader = open(trace.build());
    const Anonymized after =
        anonymized(*reader, store, {.key = key_of_text("tests"), .redact = {{"*", "*", "*"}}});
    EXPECT_EQ(after.report.unredacted.at("Shop/Sized/Size"), 1U);
    EXPECT_TRUE(occurs(after.image, "xxxxx"));
}

} // namespace
} // namespace etl::anonymize::redaction_test
