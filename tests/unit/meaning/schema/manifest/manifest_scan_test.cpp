#include "base/byte_writer.hpp"
#include "base/text.hpp"
#include "tests/unit/meaning/schema/manifest/manifest_in.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace etl::schema::manifest_scan_test {
namespace {

using namespace etl::literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Guid one = "11111111-2222-3333-4444-555555555555"_guid;
constexpr Guid two = "99999999-8888-7777-6666-555555555555"_guid;

std::vector<Guid> scan(std::string_view text) {
    return scan_manifest_providers(as_bytes_of(text));
}

TEST(ScanProviders, FindsGuidsInEverySpelling) {
    EXPECT_THAT(scan(R"(<provider name="x" guid="{11111111-2222-3333-4444-555555555555}">)"),
                ElementsAre(one));
    EXPECT_THAT(scan("<provider\n\tguid = '11111111-2222-3333-4444-555555555555'/>"),
                ElementsAre(one));
    EXPECT_THAT(scan(R"(  <e:provider guid=" {99999999-8888-7777-6666-555555555555} ">)"),
                ElementsAre(two));
}

TEST(ScanProviders, FindsSeveralProvidersOnce) {
    EXPECT_THAT(scan(R"(<a><provider guid="{11111111-2222-3333-4444-555555555555}"/>
        <provider controlguid="{x}" guid="{99999999-8888-7777-6666-555555555555}"/>
        <provider guid="{11111111-2222-3333-4444-555555555555}"/></a>)"),
                ElementsAre(one, two));
}

TEST(ScanProviders, IsNotFooledByOtherWords) {
    EXPECT_THAT(scan(R"(<a provider guid="{11111111-2222-3333-4444-555555555555}"/>)"), IsEmpty());
    EXPECT_THAT(scan(R"(<providers guid="{11111111-2222-3333-4444-555555555555}"/>)"), IsEmpty());
    EXPECT_THAT(scan(R"(<x:myprovider guid="{11111111-2222-3333-4444-555555555555}"/>)"),
                IsEmpty());
    EXPECT_THAT(scan(R"(<provider><event guid="{11111111-2222-3333-4444-555555555555}"/>)"),
                IsEmpty());
    EXPECT_THAT(scan("<provider guid=\"{11111111"), IsEmpty());
    EXPECT_THAT(scan("<provider guid="), IsEmpty());
    EXPECT_THAT(scan("<provider"), IsEmpty());
    EXPECT_THAT(scan(""), IsEmpty());
}

TEST(ScanProviders, PassesOverFilesThatAreNoXml) {
    EXPECT_THAT(scan("MZ <provider guid=\"{11111111-2222-3333-4444-555555555555}\">"), IsEmpty());
}

TEST(ScanProviders, ReadsUtf16) {
    ByteWriter file;
    file.u16(0xFEFF).text16(
        to_utf16(R"(<provider guid="{11111111-2222-3333-4444-555555555555}"/>)"));
    EXPECT_THAT(scan_manifest_providers(file.view()), ElementsAre(one));
}

TEST(ScanProviders, AgreesWithTheParser) {
    const std::string text = manifest_with("<events/>");
    const SchemaSet manifest = parse_text(text);
    ASSERT_EQ(manifest.providers.size(), 1U);
    EXPECT_THAT(scan(text), ElementsAre(manifest.providers.front()->guid));
}

} // namespace
} // namespace etl::schema::manifest_scan_test
