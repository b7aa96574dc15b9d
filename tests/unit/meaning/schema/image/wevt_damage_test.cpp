// Compiled manifests that are damaged, cut, or made to deceive.
#include "base/text.hpp"
#include "fuzz/schema_rules.hpp"
#include "schema/limits.hpp"
#include "schema/wevt.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/image_builder.hpp"
#include "tests/unit/meaning/schema/image/wevt_in.hpp"
#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::wevt_damage_test {
namespace {

using test::ImageProvider;
using test::sample_provider;
using test::Wevt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Wevt, KeepsTheRestWhenOneTemplateIsDamaged) {
    const Wevt built = test::wevt({sample_provider()});
    const std::size_t first = as_text(built.crim).find("TEMP");
    const Content damaged = test::flip(built.crim, first);
    const auto messages = table_of(built.messages);
    const auto set = parse_wevt(damaged, [&](std::uint32_t id) { return messages.find(id); },
                                {.where = FileOffset{0x1000}});
    ASSERT_TRUE(set);
    ASSERT_THAT(set->notes, SizeIs(1));
    EXPECT_THAT(set->notes[0].text, HasSubstr("signature of a template"));
    char offset[24];
    std::snprintf(offset, sizeof offset, "at 0x%zx", first + 0x1000);
    EXPECT_THAT(set->notes[0].text, HasSubstr(offset));
    ASSERT_THAT(event(*set, 1).fields, SizeIs(1));
    EXPECT_EQ(event(*set, 1).fields[0].count.kind, Extent::Kind::unknown);
    EXPECT_EQ(event(*set, 2).fields.size(), 7U);
}

TEST(Wevt, StopsAtReferencesThatLeadNowhere) {
    ImageProvider provider = sample_provider();
    provider.templates = {
        {.name = u"T",
         .fields = {{.name = u"A", .in = 8}, {.name = u"B", .in = 8, .count = {.field = u"A"}}}}};
    provider.events = {{.id = 1, .payload = u"T"}};
    Content crim = test::wevt({provider}).crim;
    // The count of B, the second field, is the value of field 0; now of field 9.
    const std::size_t items = as_text(crim).find("TEMP") + 16;
    const auto first = load_le<std::uint32_t>(crim.data() + items);
    crim = test::overwrite(std::move(crim), first + 20 + 12, Content{std::byte{9}});
    const auto set = parse(crim, {});
    ASSERT_TRUE(set);
    EXPECT_EQ(event(*set, 1).fields.at(1).count.kind, Extent::Kind::unknown);
}

TEST(Wevt, KeepsTheFieldsOfUserDataThatItCannotRead) {
    ImageProvider provider = sample_provider();
    provider.events = {{.id = 4, .payload = u"Notice"}};
    Content crim = test::wevt({provider}).crim;
    const std::string_view text = as_text(crim);
    // The last fragment but one is that of Notice.
    const std::size_t end = text.rfind("TEMP");
    const std::size_t head = text.rfind("TEMP", end - 1) + 40;
    crim = test::flip(std::move(crim), head + 4, 0x0F);
    const auto set = parse(crim, {});
    ASSERT_TRUE(set);
    EXPECT_THAT(set->notes, SizeIs(1));
    EXPECT_EQ(event(*set, 4).user_data, "");
    EXPECT_EQ(event(*set, 4).fields.size(), 2U);
}

TEST(Wevt, RejectsWhatItIsNot) {
    const auto empty = parse({}, {});
    ASSERT_FALSE(empty);
    EXPECT_THAT(empty.error().reason, HasSubstr("WEVT_TEMPLATE: malformed"));
    EXPECT_FALSE(parse(as_bytes_of("CRIM"), {}));
    EXPECT_THAT(list_wevt_providers(as_bytes_of("nothing that is known")), IsEmpty());
    const auto none = parse(test::wevt({}).crim, {});
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().reason, "WEVT_TEMPLATE: defines no provider");
}

TEST(Wevt, GivesSoundSchemasHoweverShortTheResource) {
    const Wevt built = test::wevt({sample_provider()});
    const MessageTable messages = table_of(built.messages);
    for (std::size_t size = 0; size < built.crim.size(); ++size) {
        const auto set = parse(test::truncate_at(built.crim, size), messages);
        if (!set) {
            EXPECT_FALSE(set.error().reason.empty());
            continue;
        }
        EXPECT_LE(set->events.size(), sample_provider().events.size());
        EXPECT_TRUE(size + 2 >= built.crim.size() || !set->notes.empty()) << size;
        for (const auto& schema : set->events) {
            fuzz::require_sound(*schema);
        }
    }
}

TEST(Wevt, GivesSoundSchemasWhicheverBitIsFlipped) {
    const Wevt built = test::wevt({sample_provider()});
    const MessageTable messages = table_of(built.messages);
    Content crim = built.crim;
    std::size_t clean = 0;
    std::size_t noted = 0;
    std::size_t rejected = 0;
    for (std::size_t bit = 0; bit < crim.size() * 8; ++bit) {
        const std::byte mask{static_cast<std::uint8_t>(1U << bit % 8)};
        crim[bit / 8] ^= mask;
        if (const auto set = parse(crim, messages)) {
            ++(set->notes.empty() ? clean : noted);
            for (const auto& schema : set->events) {
                fuzz::require_sound(*schema);
            }
        } else {
            ++rejected;
            EXPECT_FALSE(set.error().reason.empty()) << bit;
        }
        crim[bit / 8] ^= mask;
    }
    EXPECT_GT(clean, 0U); // a letter of a name
    EXPECT_GT(noted, 0U); // an offset
    EXPECT_GE(rejected, 64U) << "bits of the two signatures";
}

TEST(Wevt, ReadsAnElementOnceThatIsListedTwice) {
    Content crim = test::wevt({sample_provider()}).crim;
    const std::size_t head = as_text(crim).find("WEVT");
    const std::size_t last = head + 20 + (load_le<std::uint32_t>(crim.data() + head + 12) - 1) * 8;
    const Content events(crim.begin() + static_cast<std::ptrdiff_t>(last),
                         crim.begin() + static_cast<std::ptrdiff_t>(last + 8));
    crim = test::overwrite(std::move(crim), last - 8, events); // in place of the keywords
    const auto set = parse(crim, {});
    ASSERT_TRUE(set);
    EXPECT_THAT(set->providers.front()->keywords, IsEmpty());
    EXPECT_THAT(set->events, SizeIs(sample_provider().events.size()));
}

TEST(Wevt, StopsAtTemplatesThatShareTheirXml) {
    const std::size_t enough = limits::manifest_schema_bytes >> 20U;
    const auto few = parse(overlapping_templates(enough / 2), {});
    ASSERT_TRUE(few) << few.error().reason;
    EXPECT_EQ(few->events.at(0)->user_data, "<Notice/>");
    const auto many = parse(overlapping_templates(enough), {});
    ASSERT_FALSE(many);
    EXPECT_THAT(many.error().reason, HasSubstr("memory for its schemas"));
}

} // namespace
} // namespace etl::schema::wevt_damage_test
