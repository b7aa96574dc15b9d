// Addresses as JSON and as Windows displays them.
#include <etl/byte_writer.hpp>

#include "tests/unit/meaning/decode/fields/shown_values.hpp"

#include <gtest/gtest.h>

namespace etl::address_values_test {
namespace {

using namespace test;

struct Address {
    std::vector<std::uint16_t> groups;
    const char* text;
};

TEST(ValueRendering, ShowsIpv6AsRfc5952Says) {
    const Address cases[] = {
        {{0, 0, 0, 0, 0, 0, 0, 0}, "::"},
        {{0, 0, 0, 0, 0, 0, 0, 1}, "::1"},
        {{1, 0, 0, 0, 0, 0, 0, 0}, "1::"},
        {{0x2001, 0xDB8, 0, 0, 1, 0, 0, 1}, "2001:db8::1:0:0:1"},
        {{0x2001, 0xDB8, 0, 1, 1, 1, 1, 1}, "2001:db8:0:1:1:1:1:1"},
        {{0x2001, 0, 0, 1, 0, 0, 0, 1}, "2001:0:0:1::1"},
        {{0xFE80, 0, 0, 0, 0xABCD, 0, 0x12, 0xF}, "fe80::abcd:0:12:f"},
        {{1, 2, 3, 4, 5, 6, 7, 8}, "1:2:3:4:5:6:7:8"},
        {{0, 0, 0, 0, 0, 0xFFFF, 0xC0A8, 0x0102}, "::ffff:192.168.1.2"},
        {{1, 2, 3, 4, 5, 6, 0, 0}, "1:2:3:4:5:6::"},
    };
    for (const Address& address : cases) {
        ByteWriter bytes;
        for (const std::uint16_t group : address.groups) {
            bytes.u8(static_cast<std::uint8_t>(group >> 8U)).u8(static_cast<std::uint8_t>(group));
        }
        expect(show(InType::binary, OutType::ipv6, bytes.view()),
               '"' + std::string(address.text) + '"', address.text);
    }
}

TEST(ValueRendering, ShowsIpv4AndPortsInHostOrder) {
    expect(show_number(InType::uint32, OutType::ipv4, 0x0100000AU), R"("10.0.0.1")", "10.0.0.1");
    expect(show_number(InType::uint16, OutType::port, std::uint16_t{0xBB01}), "443", "443");
}

ByteWriter ipv6_socket(std::uint16_t port, std::uint32_t scope) {
    ByteWriter bytes;
    bytes.u16(23)
        .u8(static_cast<std::uint8_t>(port >> 8U))
        .u8(static_cast<std::uint8_t>(port))
        .u32(0);
    bytes.u8(0xFE).u8(0x80).fill(13).u8(1).u32(scope);
    return bytes;
}

TEST(ValueRendering, ShowsSocketAddresses) {
    const auto socket = [](Bytes bytes) {
        return show(InType::binary, OutType::socket_address, bytes);
    };
    ByteWriter v4;
    v4.u16(2).u8(0x01).u8(0xBB).u8(10).u8(0).u8(0).u8(1).fill(8);
    expect(socket(v4.view()), R"("10.0.0.1:443")", "10.0.0.1:443");
    expect(socket(ipv6_socket(443, 0).view()), R"("[fe80::1]:443")", "[fe80::1]:443");
    expect(socket(ipv6_socket(443, 7).view()), R"("[fe80::1%7]:443")", "[fe80::1%7]:443");
    // JSON keeps one form; Windows leaves port 0 out.
    v4.patch<std::uint16_t>(2, 0);
    expect(socket(v4.view()), R"("10.0.0.1:0")", "10.0.0.1");
    expect(socket(ipv6_socket(0, 7).view()), R"("[fe80::1%7]:0")", "fe80::1%7");
    ByteWriter other;
    other.u16(1).u8(0xAB);
    expect(socket(other.view()), R"("0100ab")", "0100AB");
    expect(socket({}), R"("")", "");
}

TEST(ValueRendering, ShowsPhysicalAddressesInPairs) {
    const auto shown = [](std::initializer_list<int> octets, OutType out) {
        ByteWriter bytes;
        for (const int octet : octets) {
            bytes.u8(static_cast<std::uint8_t>(octet));
        }
        return show(InType::binary, out, bytes.view());
    };
    expect(shown({0, 0x15, 0x5D, 1, 2, 3}, OutType::mac_address), R"("00-15-5D-01-02-03")",
           "00-15-5D-01-02-03");
    EXPECT_EQ(shown({0, 0x15, 0x5D, 1, 0, 0, 0, 0}, OutType::mac_address).json,
              R"("00-15-5D-01-00-00-00-00")");
    EXPECT_EQ(shown({}, OutType::mac_address).json, R"("")");
    EXPECT_EQ(shown({0, 0x15, 0x5D, 1, 0, 0, 0, 0}, OutType::padded_mac_address).json,
              R"("00-15-5D-01-00-00")");
    EXPECT_EQ(shown({0, 0x15, 0x5D, 1, 2, 3, 4, 0, 0, 0}, OutType::padded_mac_address).json,
              R"("00-15-5D-01-02-03-04-00")");
    expect(show_number(InType::uint64, OutType::padded_mac_address, 0x28587C5D1500ULL),
           R"("00-15-5D-7C-58-28")", "00-15-5D-7C-58-28");
    ByteWriter long_one;
    for (int i = 0; i < 33; ++i) {
        long_one.u8(1);
    }
    EXPECT_EQ(show(InType::binary, OutType::mac_address, long_one.view()).json.substr(0, 5),
              R"("0101)")
        << "longer than a physical address can be";
}

} // namespace
} // namespace etl::address_values_test
