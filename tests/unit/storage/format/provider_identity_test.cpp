#include "base/text.hpp"
#include "format/provider_identity.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

#include <gtest/gtest.h>

namespace etl::format::provider_identity_test {

namespace {

using namespace etl::literals;

std::string digest_of(std::string_view text) {
    std::string hex;
    append_hex_bytes(hex, sha1(std::as_bytes(std::span(text))));
    return hex;
}

// FIPS 180-4 examples, and lengths around the block size.
TEST(Sha1, MatchesPublishedDigests) {
    EXPECT_EQ(digest_of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    EXPECT_EQ(digest_of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
    EXPECT_EQ(digest_of(std::string(64, 'a')), "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    EXPECT_EQ(digest_of(std::string(1000000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

// The GUID that Microsoft's documentation of TraceLogging gives for this name.
TEST(ProviderName, GivesTheGuidThatTraceLoggingDerives) {
    EXPECT_EQ(guid_of_provider_name("SimpleTraceLoggingProvider"),
              "0205c616-cf97-5c11-9756-56a2cee02ca7"_guid);
    EXPECT_EQ(guid_of_provider_name("simpletraceloggingprovider"),
              guid_of_provider_name("SIMPLETRACELOGGINGPROVIDER"));
}

TEST(ProviderName, FoldsTheCaseOfLatinLetters) {
    EXPECT_EQ(guid_of_provider_name("Größe"), guid_of_provider_name("GRÖßE"));
    EXPECT_NE(guid_of_provider_name("÷"), guid_of_provider_name("×")) << "signs are no letters";
}

TEST(ProviderTraits, ReadsNameGroupAndDecodeGuid) {
    const Guid group = "4f50731a-89cf-4782-b3e0-dce8c90476ba"_guid;
    const Guid decode = "c4f50731-89cf-4782-b3e0-dce8c90476ba"_guid;
    auto data = test::provider_traits("Demo", {.group = group, .decode = decode});
    data.resize(data.size() + 5); // the item is padded behind the size
    const auto traits = parse_provider_traits(data);
    ASSERT_TRUE(traits);
    EXPECT_EQ(as_text(traits->name), "Demo");
    EXPECT_EQ(traits->group, group);
    EXPECT_EQ(traits->decode, decode);
}

TEST(ProviderTraits, SkipsTraitsItDoesNotKnow) {
    ByteWriter data;
    data.u16(0).zero_terminated8("P").u16(4).u8(77).u8(0xAA).u16(3).u8(1);
    data.patch(0, static_cast<std::uint16_t>(data.size()));
    const auto traits = parse_provider_traits(data.view());
    ASSERT_TRUE(traits);
    EXPECT_EQ(as_text(traits->name), "P");
    EXPECT_FALSE(traits->group) << "a group without a GUID";
}

TEST(ProviderTraits, RefusesWhatDoesNotHold) {
    const auto code_of = [](const ByteWriter& data) {
        const auto traits = parse_provider_traits(data.view());
        return traits ? ErrorCode::none : traits.error().code;
    };
    EXPECT_EQ(code_of(ByteWriter().u8(9)), ErrorCode::truncated);
    EXPECT_EQ(code_of(ByteWriter().u16(1)), ErrorCode::malformed);
    EXPECT_EQ(code_of(ByteWriter().u16(100).zero_terminated8("P")), ErrorCode::truncated);
    EXPECT_EQ(code_of(ByteWriter().u16(4).text8("PP")), ErrorCode::truncated)
        << "no end of the name";
    EXPECT_EQ(code_of(ByteWriter().u16(7).zero_terminated8("P").u16(2).u8(1)),
              ErrorCode::malformed);
    EXPECT_EQ(code_of(ByteWriter().u16(7).zero_terminated8("P").u16(19).u8(1)),
              ErrorCode::truncated);
}

using namespace std::string_view_literals;

Bytes bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

std::vector<std::byte> traits_with(const LogOrigin& origin) {
    ByteWriter traits;
    traits.u16(0).zero_terminated8("Tea");
    append_log_origin(traits, origin);
    traits.patch(0, static_cast<std::uint16_t>(traits.size()));
    return traits.take();
}

TEST(LogOrigin, IsATraitThatOthersSkip) {
    const auto traits = traits_with({.payload = LogPayload::user_data,
                                     .qualifiers = 0x4000,
                                     .channel = bytes_of("Tea/Operational"),
                                     .computer = bytes_of("kitchen\0x"sv),
                                     .event_source = {},
                                     .xml_namespace = bytes_of("urn:tea")});
    const auto parsed = parse_provider_traits(traits);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(as_text(parsed->name), "Tea");
    const auto origin = parse_log_origin(traits);
    ASSERT_TRUE(origin);
    EXPECT_EQ(origin->payload, LogPayload::user_data);
    EXPECT_EQ(origin->qualifiers, 0x4000);
    EXPECT_EQ(as_text(origin->channel), "Tea/Operational");
    EXPECT_EQ(as_text(origin->computer), "kitchen") << "up to the NUL";
    EXPECT_EQ(as_text(origin->event_source), "");
    EXPECT_EQ(as_text(origin->xml_namespace), "urn:tea");
}

TEST(LogOrigin, IsAbsentWithoutTheTrait) {
    EXPECT_FALSE(parse_log_origin({}));
    EXPECT_FALSE(parse_log_origin(ByteWriter().u16(6).zero_terminated8("Tea").view()));
}

// At each length that the trait could have been cut to.
TEST(LogOrigin, IsAbsentIfTheTraitIsMalformed) {
    const auto whole = traits_with({.payload = LogPayload::event_data,
                                    .qualifiers = {},
                                    .channel = bytes_of("c"),
                                    .computer = bytes_of("k"),
                                    .event_source = bytes_of("s"),
                                    .xml_namespace = bytes_of("n")});
    ASSERT_TRUE(parse_log_origin(whole));
    EXPECT_FALSE(parse_log_origin(whole)->qualifiers);
    constexpr std::size_t trait = 6; // after the size and the name
    for (std::size_t size = trait + 3; size < whole.size(); ++size) {
        std::vector<std::byte> cut(whole.begin(),
                                   whole.begin() + static_cast<std::ptrdiff_t>(size));
        store_le(cut.data(), static_cast<std::uint16_t>(size));
        store_le(cut.data() + trait, static_cast<std::uint16_t>(size - trait));
        EXPECT_FALSE(parse_log_origin(cut)) << size;
    }
    std::vector<std::byte> unknown = whole;
    unknown[trait + 3] = std::byte{7}; // a payload that does not exist
    EXPECT_FALSE(parse_log_origin(unknown));
}

} // namespace

} // namespace etl::format::provider_identity_test
