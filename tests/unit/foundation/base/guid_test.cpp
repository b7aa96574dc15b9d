#include <etl/guid.hpp>

#include "base/text.hpp"

#include <gtest/gtest.h>

#include <random>
#include <unordered_set>

namespace etl::guid_test {
namespace {

using namespace literals;

constexpr std::string_view event_trace = "68fdd900-4a3e-11d1-84f4-0000f80464e3";

TEST(Guid, LiesOnDiskAsWindowsStoresIt) {
    const Guid guid = *parse_guid("00112233-4455-6677-8899-aabbccddeeff");
    std::string hex;
    append_hex_bytes(hex, guid.bytes);
    EXPECT_EQ(hex, "33221100554477668899aabbccddeeff");
}

TEST(Guid, ReadsBackWhatItWrites) {
    std::mt19937 random(2);
    for (int i = 0; i < 1'000; ++i) {
        Guid guid;
        for (std::byte& byte : guid.bytes) {
            byte = static_cast<std::byte>(random());
        }
        const std::string text = to_string(guid);
        ASSERT_EQ(text.size(), 36U);
        ASSERT_EQ(parse_guid(text), guid) << text;
    }
}

TEST(Guid, DiffersInEachByte) {
    const Guid guid = *parse_guid(event_trace);
    for (std::size_t i = 0; i < guid.bytes.size(); ++i) {
        Guid other = guid;
        EXPECT_EQ(other, guid);
        other.bytes[i] ^= std::byte{0x10};
        EXPECT_NE(other, guid) << i;
    }
}

TEST(Guid, IsComparedByTheCompiler) {
    static_assert("68fdd900-4a3e-11d1-84f4-0000f80464e3"_guid == *parse_guid(event_trace));
    static_assert("68fdd900-4a3e-11d1-84f4-0000f80464e2"_guid != *parse_guid(event_trace));
}

TEST(Guid, IsAppendedInLowerCase) {
    std::string text = "x=";
    append_guid(text, "68FDD900-4A3E-11D1-84F4-0000F80464E3"_guid);
    EXPECT_EQ(text, "x=68fdd900-4a3e-11d1-84f4-0000f80464e3");
}

TEST(Guid, IsReadWithBracesBlanksAndInAnyCase) {
    const Guid guid = *parse_guid(event_trace);
    EXPECT_EQ(parse_guid("{68FDD900-4A3E-11D1-84F4-0000F80464E3}"), guid);
    EXPECT_EQ(parse_guid("  {68fdd900-4a3e-11d1-84f4-0000f80464e3} "), guid);
}

TEST(Guid, RejectsEverythingElse) {
    EXPECT_FALSE(parse_guid(""));
    EXPECT_FALSE(parse_guid("{}"));
    EXPECT_FALSE(parse_guid(event_trace.substr(1)));
    EXPECT_FALSE(parse_guid(std::string(event_trace) + "0"));
    EXPECT_FALSE(parse_guid("68fdd900+4a3e-11d1-84f4-0000f80464e3"));
    EXPECT_FALSE(parse_guid("68fdd90-04a3e-11d1-84f4-0000f80464e3"));
    EXPECT_FALSE(parse_guid("68fdd900-4a3e-11d1-84f4-0000f80464g3"));
    EXPECT_FALSE(parse_guid("68fdd9004a3e11d184f40000f80464e3"));
    EXPECT_FALSE(parse_guid("68fdd900-4a3e-11d1-84f4-0000f8046-e3"));
    const std::string with_nul = std::string(35, '0') + '\0';
    EXPECT_FALSE(parse_guid(with_nul));
}

TEST(Guid, KnowsZero) {
    EXPECT_TRUE(Guid{}.is_zero());
    EXPECT_FALSE("00000000-0000-0000-0000-000000000001"_guid.is_zero());
    EXPECT_EQ(to_string(Guid{}), "00000000-0000-0000-0000-000000000000");
}

TEST(Guid, HashesSpread) {
    std::unordered_set<std::size_t> low_bits;
    Guid guid;
    for (unsigned i = 0; i < 256; ++i) {
        guid.bytes[0] = static_cast<std::byte>(i);
        low_bits.insert(std::hash<Guid>{}(guid));
    }
    EXPECT_EQ(low_bits.size(), 256U);
}

} // namespace
} // namespace etl::guid_test
