// What the options of rendering do in each of the sinks.
#include "sink/csv.hpp"
#include "sink/json.hpp"
#include "sink/text.hpp"
#include "tests/unit/outputs/sink/sink_events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::rendering_test {
namespace {

using namespace test;
using schema::InType;
using testing::EndsWith;
using testing::HasSubstr;

struct Rendered {
    std::string json, text, table, cells;
};

Rendered rendered(const OneEvent& one, sink::Options options) {
    options.message = true;
    sink::JsonLines json(options);
    sink::Text text(options, {});
    sink::Csv table(options, {.style = sink::CsvOptions::Style::tsv});
    options.fields = {"Kind", "Leaf", "Milk"};
    sink::Csv cells(options, {.style = sink::CsvOptions::Style::tsv});
    return {encode(json, one), encode(text, one), encode(table, one), encode(cells, one)};
}

schema::EventSchema with_fields(std::vector<schema::Field> fields) {
    schema::EventSchema schema = brewing();
    schema.fields = std::move(fields);
    schema.message = "is %1";
    return schema;
}

std::shared_ptr<const schema::ValueMap> leaves() {
    return std::make_shared<schema::ValueMap>(schema::ValueMap{
        .name = "", .kind = schema::ValueMap::Kind::value, .entries = {{1, "green\x1b[2J\ntea"}}});
}

TEST(Rendering, ReadsNarrowTextInTheCodePageThatIsAskedFor) {
    const auto one = event_of(brewing_record(ByteWriter().zero_terminated8("\xF7\xE0\xE9").view()));
    const auto store = store_with({with_fields({tea_field("Kind", InType::ansi_string)})});
    const auto page = *CodePage::open(1251U);
    const Rendered shown = rendered(*one, {.schemas = store, .code_page = page});
    EXPECT_THAT(shown.json, HasSubstr(R"("data":{"Kind":"чай"},"message":"is чай")"));
    EXPECT_THAT(shown.text, EndsWith(" Kind=чай : \"is чай\"\n"));
    EXPECT_THAT(shown.table, HasSubstr("{\"Kind\":\"чай\"}"));
    EXPECT_EQ(shown.cells, "чай\t\t\n");
    EXPECT_THAT(rendered(*one, {.schemas = store}).json, HasSubstr(R"("Kind":"÷àé")"));
}

TEST(Rendering, ShowsEnumerationsAsNumbersWhenAsked) {
    auto schema = with_fields({tea_field("Leaf", InType::uint32)});
    schema.fields[0].map = 0;
    schema.maps = {leaves()};
    const auto store = store_with({schema});
    const auto one = event_of(brewing_record(ByteWriter().u32(1).view()));
    const Rendered shown = rendered(*one, {.schemas = store, .enumerations = false});
    EXPECT_THAT(shown.json, HasSubstr(R"("data":{"Leaf":1},"message":"is 1")"));
    EXPECT_THAT(shown.text, EndsWith(" Leaf=1 : \"is 1\"\n"));
    EXPECT_THAT(shown.table, HasSubstr("{\"Leaf\":1}"));
    EXPECT_EQ(shown.cells, "\t1\t\n");
}

TEST(Rendering, LetsNoControlCharacterOfAMapThroughToTheTerminal) {
    auto schema = with_fields({tea_field("Leaf", InType::uint32)});
    schema.fields[0].map = 0;
    schema.maps = {leaves()};
    const auto one = event_of(brewing_record(ByteWriter().u32(1).view()));
    const Rendered shown = rendered(*one, {.schemas = store_with({schema})});
    EXPECT_THAT(shown.text, HasSubstr("Leaf=\"green\\x1b[2J\\ntea\" : "));
    EXPECT_EQ(shown.text.find('\n'), shown.text.size() - 1);
    EXPECT_THAT(shown.json, HasSubstr(R"("Leaf":"green\u001b[2J\ntea")"));
}

TEST(Rendering, ShowsParameterTextsEverywhereButInTheData) {
    ByteWriter resource;
    resource.u32(1).u32(7).u32(7).u32(16).u16(8).u16(2).text8("Oat");
    resource.u8(0);
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = tea_house;
    names->name = "Tea-House";
    names->parameters =
        std::make_shared<schema::MessageTable>(*schema::MessageTable::parse(resource.view()));
    auto schema = with_fields({tea_field("Milk", InType::unicode_string)});
    schema.provider = names;
    auto store = std::make_shared<schema::SchemaStore>();
    store->add(std::make_shared<schema::EventSchema>(std::move(schema)));
    store->freeze();
    const auto one = event_of(brewing_record(ByteWriter().zero_terminated16(u"%%7").view()));
    const Rendered shown = rendered(*one, {.schemas = store});
    EXPECT_THAT(shown.json, HasSubstr(R"("data":{"Milk":"%%7"},"message":"is Oat")"));
    EXPECT_THAT(shown.text, EndsWith(" Milk=Oat : \"is Oat\"\n"));
    EXPECT_THAT(shown.table, HasSubstr("{\"Milk\":\"%%7\"}"));
    EXPECT_EQ(shown.cells, "\t\t%%7\n");
}

} // namespace
} // namespace etl::rendering_test
