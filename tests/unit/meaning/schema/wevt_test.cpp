// Schemas of compiled manifests.
#include "base/text.hpp"
#include "fuzz/schema_rules.hpp"
#include "schema/limits.hpp"
#include "schema/wevt.hpp"
#include "tests/support/damage.hpp"
#include "tests/support/images/image_builder.hpp"
#include "tests/unit/meaning/schema/manifest_in.hpp"
#include "tests/unit/meaning/schema/wevt_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::wevt_test {

namespace {

using test::CrimVersion;
using test::ImageProvider;
using test::MapHead;
using test::sample_provider;
using test::Wevt;
using test::WevtStyle;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

/// The same provider as a manifest.
constexpr std::string_view sample_manifest = R"xml(<instrumentationManifest
 xmlns="http://schemas.microsoft.com/win/2004/08/events">
<instrumentation><events>
<provider name="Example-SignalBox-Compiled" guid="{b1c0de00-5a1b-4d0e-8f10-0a0b0c0d0e0f}">
 <channels>
  <importChannel chid="S" name="System"/>
  <channel chid="O" name="Example-SignalBox/Operational" type="Operational" value="16"/>
 </channels>
 <levels><level name="Chatter" value="17"/></levels>
 <tasks>
  <task name="Arrival" value="1"/>
  <task name="Maintenance" value="2"><opcodes><opcode name="Oil" value="11"/></opcodes></task>
 </tasks>
 <opcodes><opcode name="Inspect" value="11"/></opcodes>
 <keywords><keyword name="Passengers" mask="0x1"/><keyword name="Freight" mask="0x20"/></keywords>
 <maps>
  <valueMap name="Platform"><map value="1" message="North"/><map value="2" message="South"/></valueMap>
  <bitMap name="Signals"><map value="1" message="Red"/><map value="2" message="Yellow"/>
   <map value="4" message="Green"/></bitMap>
 </maps>
 <templates>
  <template tid="Arrival">
   <data name="Train" inType="win:UnicodeString" outType="xs:string"/>
   <data name="Platform" inType="win:UInt8" outType="xs:unsignedByte" map="Platform"/>
   <data name="Signals" inType="win:UInt32" outType="xs:unsignedInt" map="Signals"/>
   <data name="Handle" inType="win:Pointer" outType="win:HexInt64"/>
  </template>
  <template tid="Load">
   <data name="Count" inType="win:UInt16" outType="xs:unsignedShort"/>
   <data name="Weights" inType="win:UInt32" outType="xs:unsignedInt" count="Count"/>
   <data name="Axles" inType="win:UInt8" outType="xs:unsignedByte" count="3"/>
   <data name="Size" inType="win:UInt32" outType="xs:unsignedInt"/>
   <data name="Blob" inType="win:Binary" length="Size"/>
   <data name="Code" inType="win:AnsiString" outType="xs:string" length="4"/>
   <data name="Address" inType="win:Binary" outType="win:IPv6"/>
  </template>
  <template tid="Consist">
   <data name="Cars" inType="win:UInt8" outType="xs:unsignedByte"/>
   <struct name="Car" count="Cars">
    <data name="Number" inType="win:UInt16" outType="xs:unsignedShort"/>
    <data name="Seats" inType="win:UInt8" outType="xs:unsignedByte"/>
    <data name="Taken" inType="win:UInt16" outType="xs:unsignedShort" count="Seats"/>
   </struct>
   <data name="Driver" inType="win:UnicodeString" outType="xs:string"/>
   <struct name="Brakes" count="2">
    <data name="Pressure" inType="win:UInt32" outType="xs:unsignedInt"/>
   </struct>
  </template>
  <template tid="Notice">
   <data name="Text" inType="win:UnicodeString" outType="xs:string"/>
   <data name="Line" inType="win:UInt32" outType="xs:unsignedInt"/>
   <UserData><Notice xmlns="urn:example:signal-box" line="L%2"><Text>%1</Text><Source
    >box &lt; &amp; tower</Source><Empty/></Notice></UserData>
  </template>
  <template tid="Nothing"/>
 </templates>
 <events>
  <event value="1" channel="O" level="win:Informational" opcode="win:Start" task="Arrival"
   keywords="Passengers" template="Arrival" message="%1 comes in on %2"/>
  <event value="2" version="1" channel="S" level="win:Error" opcode="Inspect" template="Load"/>
  <event value="3" level="Chatter" opcode="Oil" task="Maintenance" keywords="Passengers Freight"
   template="Consist" message="%2 of %1 cars"/>
  <event value="4" level="win:Informational" template="Notice" message="Notice: %1"/>
  <event value="5" level="win:Informational" opcode="win:Stop" template="Nothing"/>
  <event value="6" level="win:Critical"/>
 </events>
</provider>
</events></instrumentation></instrumentationManifest>)xml";

void expect_same(const Extent& got, const Extent& expected, const std::string& name) {
    EXPECT_EQ(got.kind, expected.kind) << name;
    EXPECT_EQ(got.value, expected.value) << name;
}

void expect_same_fields(const EventSchema& got, const EventSchema& expected) {
    ASSERT_EQ(got.fields.size(), expected.fields.size());
    for (std::size_t i = 0; i < got.fields.size(); ++i) {
        const Field& a = got.fields[i];
        const Field& b = expected.fields[i];
        EXPECT_EQ(a.name, b.name);
        EXPECT_EQ(a.in_type, b.in_type) << a.name;
        EXPECT_EQ(a.out_type, b.out_type) << a.name;
        expect_same(a.count, b.count, a.name);
        expect_same(a.length, b.length, a.name);
        EXPECT_EQ(a.members, b.members) << a.name;
        EXPECT_EQ(a.referenced, b.referenced) << a.name;
        ASSERT_EQ(a.map, b.map) << a.name;
        if (a.map != Field::no_map) {
            EXPECT_EQ(got.maps.at(a.map)->name, expected.maps.at(b.map)->name);
            EXPECT_EQ(got.maps.at(a.map)->kind, expected.maps.at(b.map)->kind);
            EXPECT_EQ(got.maps.at(a.map)->entries, expected.maps.at(b.map)->entries);
        }
    }
}

TEST(Wevt, SaysTheSameAsTheManifestThatItWasMadeFrom) {
    const SchemaSet expected = parse_text(sample_manifest);
    for (const CrimVersion version : {CrimVersion::three, CrimVersion::five}) {
        for (const MapHead head : {MapHead::with_flags, MapHead::without_flags}) {
            const auto root =
                head == MapHead::with_flags ? test::UserDataRoot::inner : test::UserDataRoot::outer;
            const SchemaSet got = schemas_of(sample_provider(), {version, head, root});
            ASSERT_EQ(got.events.size(), expected.events.size());
            for (std::size_t i = 0; i < got.events.size(); ++i) {
                const EventSchema& a = *got.events[i];
                const EventSchema& b = *expected.events[i];
                EXPECT_EQ(a.origin, Origin::wevt);
                EXPECT_EQ(a.id, b.id);
                EXPECT_EQ(a.version, b.version);
                EXPECT_EQ(a.channel, b.channel);
                EXPECT_EQ(a.level, b.level);
                EXPECT_EQ(a.opcode, b.opcode);
                EXPECT_EQ(a.task, b.task);
                // The message compiler adds the bit of the channel.
                EXPECT_EQ(a.keyword & 0x0000FFFFFFFFFFFF, b.keyword);
                EXPECT_EQ(a.event_name, b.event_name);
                EXPECT_EQ(a.task_name, b.task_name);
                EXPECT_EQ(a.opcode_name, b.opcode_name);
                EXPECT_EQ(a.message, b.message);
                EXPECT_EQ(a.user_data, b.user_data);
                expect_same_fields(a, b);
            }
        }
    }
}

TEST(Wevt, NamesProvidersLevelsKeywordsAndChannels) {
    const SchemaSet set = schemas_of(sample_provider());
    ASSERT_THAT(set.providers, SizeIs(1));
    const ProviderNames& names = *set.providers.front();
    EXPECT_EQ(names.guid, sample_provider().guid);
    EXPECT_EQ(names.name, "Example-SignalBox-Compiled");
    EXPECT_THAT(names.levels, ElementsAre(Pair(2, "Failure"), Pair(17, "Chatter")));
    EXPECT_EQ(names.level_name(4), "Information"); // has no text here, but Windows has
    EXPECT_THAT(names.keywords, ElementsAre(Pair(1, "Passengers"), Pair(0x20, "Freight"),
                                            Pair(0x0001000000000000, "ResponseTime")));
    EXPECT_THAT(names.channels,
                ElementsAre(Pair(8, "System"), Pair(16, "Example-SignalBox/Operational")));
    EXPECT_EQ(set.events.front()->provider, set.providers.front());
}

TEST(Wevt, NamesAProviderOfVersionThreeByItsChannelOrItsDisplayName) {
    ImageProvider provider = sample_provider();
    const WevtStyle three{.version = CrimVersion::three};
    EXPECT_EQ(schemas_of(provider, three).providers.front()->name, "Example-SignalBox");
    provider.channels.clear();
    EXPECT_EQ(schemas_of(provider, three).providers.front()->name, "Signal box (compiled)");
    provider.display_name.clear();
    EXPECT_EQ(schemas_of(provider, three).providers.front()->name, "");
}

TEST(Wevt, LearnsTheNumbersOfChannelsFromEvents) {
    ImageProvider provider = sample_provider();
    provider.channels = {{.number = 0, .name = u"Example/Debug"}};
    provider.events = {{.id = 1}};
    Wevt built = test::wevt({provider});
    // The entry of the channel does not say its number; the event points at it and has one.
    const std::size_t events = built.crim.size() - 2 - 48;
    const std::string_view chan = "CHAN";
    const std::size_t channel = as_text(built.crim).find(chan) + 12;
    built.crim = test::overwrite(std::move(built.crim), events + 3, Content{std::byte{17}});
    built.crim = test::overwrite(std::move(built.crim), events + 44,
                                 Content{std::byte(channel & 0xFFU), std::byte(channel >> 8U)});
    const auto set = parse(built.crim, {});
    ASSERT_TRUE(set);
    EXPECT_THAT(set->providers.front()->channels, ElementsAre(Pair(17, "Example/Debug")));
}

TEST(Wevt, HoldsSeveralProviders) {
    ImageProvider other = sample_provider();
    other.guid = *parse_guid("00000000-0000-0000-0000-000000000002");
    other.name = u"Other";
    const Wevt built = test::wevt({sample_provider(), other});
    const auto set = parse(built.crim, table_of(built.messages));
    ASSERT_TRUE(set);
    ASSERT_THAT(set->providers, SizeIs(2));
    EXPECT_EQ(set->providers[1]->name, "Other");
    EXPECT_EQ(set->events.size(), 2 * sample_provider().events.size());
    EXPECT_THAT(list_wevt_providers(built.crim), ElementsAre(sample_provider().guid, other.guid));
}

TEST(Wevt, DoesWithoutMessages) {
    const Wevt built = test::wevt({sample_provider()});
    const auto set = parse(built.crim, {});
    ASSERT_TRUE(set);
    EXPECT_THAT(set->notes, IsEmpty());
    EXPECT_EQ(event(*set, 1).message, "");
    EXPECT_EQ(event(*set, 1).event_name, "Arrival/Start");
    EXPECT_THAT(event(*set, 1).maps.at(0)->entries, IsEmpty());
    EXPECT_EQ(set->providers.front()->level_name(2), "Error");
}

TEST(Wevt, ListsTheMessagesThatItRefersTo) {
    const Wevt built = test::wevt({sample_provider()});
    const auto ids = list_wevt_messages(built.crim);
    std::size_t known = 0;
    for (const std::uint32_t id : ids) {
        known += built.messages.contains(id) ? 1U : 0U;
    }
    EXPECT_EQ(known, ids.size());
    // Not those of tasks, opcodes, keywords and channels: their names are shown.
    EXPECT_EQ(ids.size(), 10U);
}

TEST(Wevt, KeepsTheFirstOfLevelsKeywordsAndChannelsWithTheSameValue) {
    ImageProvider provider = sample_provider();
    provider.levels = {{.number = 17, .name = u"Chatter"}, {.number = 17, .name = u"Again"}};
    provider.keywords = {{.number = 1, .name = u"Freight"}, {.number = 1, .name = u"Again"}};
    provider.channels = {{.number = 16, .name = u"Box/Debug"}, {.number = 16, .name = u"Again"}};
    const SchemaSet set = schemas_of(provider);
    const ProviderNames& names = *set.providers.front();
    EXPECT_THAT(names.levels, ElementsAre(Pair(17, "Chatter")));
    EXPECT_THAT(names.keywords, ElementsAre(Pair(1, "Freight")));
    EXPECT_THAT(names.channels, ElementsAre(Pair(16, "Box/Debug")));
}

} // namespace

// Compiled manifests in images.

namespace {

using test::ImageProvider;
using test::sample_provider;
using test::Wevt;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(WevtImage, HasOneBudgetForAllItsResources) {
    auto first = test::template_resource(
        overlapping_templates((limits::manifest_schema_bytes >> 20U) * 2 / 3));
    auto second = first;
    second.name = 2;
    const Content image = test::pe_image({first, second});
    const auto nothing = [](std::uint32_t) -> const std::string* { return nullptr; };
    const auto set = parse_wevt_image(image, nothing, CultureChain(""));
    ASSERT_TRUE(set) << set.error().reason;
    EXPECT_THAT(set->providers, SizeIs(1));
    ASSERT_FALSE(set->notes.empty());
    EXPECT_THAT(set->notes.back().text, HasSubstr("memory for its schemas"));
}

TEST(WevtImage, TakesTheBestLanguageOfTheTemplates) {
    ImageProvider german = sample_provider();
    german.name = u"Stellwerk";
    const Wevt built = test::wevt({sample_provider()});
    const Content image =
        test::pe_image({test::template_resource(built.crim),
                        test::template_resource(test::wevt({german}).crim, 0x0407)});
    const auto nothing = [](std::uint32_t) -> const std::string* { return nullptr; };
    const auto name = [&](const char* culture) {
        const auto set = parse_wevt_image(image, nothing, CultureChain(culture));
        return set ? set->providers.at(0)->name : set.error().reason;
    };
    EXPECT_EQ(name("de-DE"), "Stellwerk");
    EXPECT_EQ(name("en-US"), "Example-SignalBox-Compiled");
    EXPECT_THAT(scan_wevt_providers(image), ElementsAre(german.guid));
    EXPECT_THAT(scan_wevt_messages(image), SizeIs(10));
}

TEST(WevtImage, RejectsImagesWithoutProviders) {
    const auto nothing = [](std::uint32_t) -> const std::string* { return nullptr; };
    const auto set = parse_wevt_image(test::pe_image({}), nothing, CultureChain(""));
    ASSERT_FALSE(set);
    EXPECT_EQ(set.error().reason, "the image contains no WEVT_TEMPLATE resource");
    EXPECT_THAT(scan_wevt_providers(test::pe_image({})), IsEmpty());
    EXPECT_THAT(scan_wevt_providers(as_bytes_of("MZ")), IsEmpty());
}

} // namespace

// Compiled manifests that are damaged, cut, or made to deceive.

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

} // namespace etl::schema::wevt_test
