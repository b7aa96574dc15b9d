// Encoding asks for no memory once it has seen a schema.
#include "tests/support/counting_new.hpp"
#include "tests/unit/meaning/encode/encoding.hpp"

#include <gtest/gtest.h>

namespace etl::allocation_test {

namespace {

using namespace test;

TEST(PayloadEncoder, AllocatesNothingForSchemasSeenBefore) {
    EventSchema schema = schema_of(
        {field("n", InType::uint8), field("t", InType::unicode_string),
         field("u", InType::ansi_string, OutType::none, {}, told_by(0)), field("g", InType::guid),
         field("when", InType::filetime), field("sid", InType::sid), structure("rows", 2, prefixed),
         field("k", InType::int32), field("k", InType::float64), field("m", InType::uint32),
         field("ip", InType::binary, OutType::ipv6)});
    auto map = std::make_shared<schema::ValueMap>();
    map->kind = schema::ValueMap::Kind::bits;
    map->entries = {{1, "Hot"}, {2, "Sweet"}};
    schema.maps = {map};
    schema.fields[9].map = 0;
    constexpr std::string_view values[] = {
        R"({"n":3,"t":"a text too long for a small string, ö","u":"né€",
            "g":"00010203-0405-0607-0809-0a0b0c0d0e0f","when":"2024-05-17T06:07:08Z","sid":"S-1-5-18",
            "rows":[{"k":1,"k#2":2.5},{"k#2":1,"k":"0x5"}],"m":"Hot | Sweet","ip":"fe80::1"})",
        R"({"t":"","when":1,"g":"00010203-0405-0607-0809-0a0b0c0d0e0f","u":"ab","sid":"S-1-5-18",
            "rows":[],"ip":"::","m":3})"};
    const Json given[] = {Json(values[0]), Json(values[1])};
    encode::PayloadEncoder encoder;
    ByteWriter payload;
    const auto encode_all = [&] {
        payload.clear();
        for (const Json& one : given) {
            const auto done = encoder.encode(schema, one.given(), {}, payload);
            EXPECT_TRUE(done) << done.error().field << ' ' << done.error().what;
        }
    };
    encode_all();
    const std::size_t before = allocations().count;
    encode_all();
    EXPECT_EQ(allocations().count, before);
    EXPECT_GT(payload.size(), 150U);
}

} // namespace
} // namespace etl::allocation_test
