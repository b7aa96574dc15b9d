#include "base/text.hpp"
#include "format/log_origin.hpp"
#include "format/provider_identity.hpp"

#include <gtest/gtest.h>

namespace etl::format::log_origin_test {
namespace {

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
} // namespace etl::format::log_origin_test
