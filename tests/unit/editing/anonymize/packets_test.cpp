// Captured packets: addresses become pseudonyms, payload becomes zeros, headers stay valid.
#include "anonymize/packets/frame.hpp"
#include "tests/unit/editing/anonymize/packets.hpp"

#include <gmock/gmock.h>

namespace etl::anonymize::packets_test {
namespace {

using namespace etl::test;

std::vector<std::byte> scrubbed(std::vector<std::byte> frame, Link link) {
    scrub_frame(frame, link, pseudonyms());
    return frame;
}

bool is_zero(Bytes bytes) {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

std::uint32_t address_at(Bytes bytes, std::size_t at) {
    return std::uint32_t{load_be16(bytes, at)} << 16U | load_be16(bytes, at + 2);
}

/// As a receiver checks it: 0 is right.
std::uint16_t transport_check(Bytes packet, std::size_t header, std::size_t addresses,
                              std::size_t size, unsigned protocol) {
    const Bytes payload = packet.subspan(header);
    return checksum_of(std::uint64_t{sum16(packet.subspan(addresses, size))} + protocol +
                       payload.size() + sum16(payload));
}

TEST(Packets, KeepsHeadersAndWipesWhatTcpCarries) {
    const auto before = ethernet(0x0800, ipv4(6, tcp("GET /alice HTTP/1.1")));
    const auto after = scrubbed(before, Link::ethernet);
    ASSERT_EQ(after.size(), before.size());
    const Bytes packet = Bytes(after).subspan(14);
    EXPECT_NE(Bytes(after)[5], Bytes(before)[5]) << "MAC address";
    EXPECT_EQ(address_at(packet, 12), pseudonym_of(alice)) << "as in every other field";
    EXPECT_EQ(address_at(packet, 16), pseudonym_of(bob));
    EXPECT_TRUE(std::ranges::equal(packet.first(10), Bytes(before).subspan(14, 10)));
    EXPECT_TRUE(std::ranges::equal(packet.subspan(20, 16), Bytes(before).subspan(34, 16)));
    EXPECT_TRUE(is_zero(packet.subspan(40)));
    EXPECT_EQ(checksum_of(sum16(packet.first(20))), 0);
    EXPECT_EQ(transport_check(packet, 20, 12, 8, 6), 0);
}

TEST(Packets, SetsTheChecksumOfUdpUnlessThereIsNone) {
    const auto after = scrubbed(ipv4(17, udp("who is alice")), Link::ip);
    EXPECT_TRUE(is_zero(Bytes(after).subspan(28)));
    EXPECT_EQ(transport_check(after, 20, 12, 8, 17), 0);
    const auto without = scrubbed(ipv4(17, udp("who is alice", 0)), Link::ip);
    EXPECT_EQ(load_be16(without, 26), 0);
    const auto over_ipv6 = scrubbed(ipv6(17, udp("who is alice")), Link::ip);
    EXPECT_EQ(transport_check(over_ipv6, 40, 8, 32, 17), 0);
    EXPECT_TRUE(is_zero(Bytes(over_ipv6).subspan(48)));
}

TEST(Packets, TakesNothingOfALaterFragmentForAHeader) {
    const auto secret = tcp("alice alice alice");
    const auto later = scrubbed(ipv4(6, secret, 0x2002), Link::ip);
    EXPECT_TRUE(is_zero(Bytes(later).subspan(20)));
    const auto first = scrubbed(ipv4(6, secret, 0x2000), Link::ip);
    EXPECT_EQ(load_be16(first, 20), 443U);
    EXPECT_EQ(load_be16(first, 36), 0U) << "no checksum can be right";
    EXPECT_TRUE(is_zero(Bytes(first).subspan(40)));
    // IPv6: header 44.
    Wire piece;
    piece.u8(17).u8(0).u16(8).u32(99).bytes(udp("alice"));
    const auto ipv6_piece = scrubbed(ipv6(44, piece.take()), Link::ip);
    EXPECT_TRUE(is_zero(Bytes(ipv6_piece).subspan(48)));
}

TEST(Packets, WipesOptionsThatHoldAddressesOrCookies) {
    const auto route = Wire().u8(7).u8(7).u8(8).u32(alice).u8(0).take();
    const auto cookie = Wire().u8(2).u8(4).u16(1460).u8(34).u8(6).text("alic").u16(0x0101).take();
    const auto after = scrubbed(ipv4(6, tcp("x", cookie), 0, route), Link::ip);
    EXPECT_TRUE(is_zero(Bytes(after).subspan(20, 8)));
    EXPECT_EQ(load_be16(after, 28 + 22), 1460U) << "the segment size stays";
    EXPECT_TRUE(is_zero(Bytes(after).subspan(28 + 24)));
    EXPECT_EQ(checksum_of(sum16(Bytes(after).first(28))), 0);
}

TEST(Packets, LooksIntoWhatAnErrorMessageQuotes) {
    Wire message;
    message.u8(3).u8(1).u16(0xBEEF).u32(0).bytes(ipv4(17, udp("alice was here")));
    const auto after = scrubbed(ipv4(1, message.take()), Link::ip);
    EXPECT_EQ(address_at(after, 28 + 12), pseudonym_of(alice));
    EXPECT_TRUE(is_zero(Bytes(after).subspan(28 + 28)));
    EXPECT_EQ(checksum_of(sum16(Bytes(after).subspan(20))), 0);
}

TEST(Packets, RenamesTheAddressesOfArpAndOfNeighbours) {
    Wire arp;
    arp.u16(1).u16(0x0800).u16(0x0604).u16(1).u16(0x0015).u32(0x5D0A0B0C).u32(alice);
    arp.u16(0).u32(0).u32(bob).text("trailer");
    const auto after = scrubbed(ethernet(0x0806, arp.take()), Link::ethernet);
    EXPECT_EQ(address_at(after, 14 + 14), pseudonym_of(alice));
    EXPECT_EQ(address_at(after, 14 + 24), pseudonym_of(bob));
    EXPECT_TRUE(std::ranges::equal(Bytes(after).subspan(14 + 8, 6), Bytes(after).subspan(6, 6)))
        << "the sender is the one of the frame";
    EXPECT_TRUE(is_zero(Bytes(after).subspan(42)));
    Wire solicitation;
    solicitation.u8(135).u8(0).u16(0xBEEF).u32(0).u32(0x20010DB8).u32(0xABCD0001).u32(0x0215);
    solicitation.u32(0x5D002222).u8(1).u8(1).u16(0x0015).u32(0x5D0A0B0C);
    const auto neighbour =
        scrubbed(ethernet(0x86DD, ipv6(58, solicitation.take())), Link::ethernet);
    const Bytes packet = Bytes(neighbour).subspan(14);
    EXPECT_TRUE(std::ranges::equal(packet.subspan(48, 16), packet.subspan(24, 16)));
    EXPECT_TRUE(std::ranges::equal(packet.subspan(66, 6), Bytes(neighbour).subspan(6, 6)));
    EXPECT_EQ(transport_check(packet, 40, 8, 32, 58), 0);
}

TEST(Packets, WipesTheEndOfAnAddressInAGroupAddress) {
    auto frame = ethernet(0x86DD, ipv6(59, {}));
    const auto group = Wire().u16(0x3333).u32(0xFF002222).take();
    std::ranges::copy(group, frame.begin());
    const auto node = Wire().u32(0xFF020000).u32(0).u32(1).u32(0xFF002222).take();
    std::ranges::copy(node, frame.begin() + 14 + 24);
    const auto after = scrubbed(frame, Link::ethernet);
    EXPECT_EQ(address_at(after, 0), 0x3333FF00U);
    EXPECT_EQ(address_at(after, 14 + 36), 0xFF000000U);
}

TEST(Packets, ReadsWifiFramesAndEthernetThatIsCalledSo) {
    Wire wifi;
    wifi.u16(0x8842).u16(0).fill(18, 0x22).u16(0).u16(0).u32(0xAAAA0300).u16(0).u16(0x0800);
    const auto head = wifi.take();
    auto frame = head;
    const auto packet = ipv4(6, tcp("alice"));
    frame.insert(frame.end(), packet.begin(), packet.end());
    const auto after = scrubbed(frame, Link::wifi);
    EXPECT_EQ(address_at(after, head.size() + 12), pseudonym_of(alice));
    EXPECT_TRUE(is_zero(Bytes(after).subspan(head.size() + 40)));
    const auto called_so = scrubbed(ethernet(0x0800, packet), Link::wifi);
    EXPECT_EQ(address_at(called_so, 14 + 12), pseudonym_of(alice));
    auto beacon = Wire().u16(0x8000).u16(0).fill(18, 0x22).u16(0).text("home of alice").take();
    EXPECT_TRUE(is_zero(Bytes(scrubbed(beacon, Link::wifi)).subspan(24)));
}

TEST(Packets, WipesWhatItDoesNotKnow) {
    for (const Link link : {Link::unknown, Link::ip}) {
        EXPECT_TRUE(is_zero(scrubbed(Wire().text("\x01lice in any form").take(), link)));
    }
    const auto other =
        scrubbed(ethernet(0x88CC, Wire().text("switch of alice").take()), Link::ethernet);
    EXPECT_TRUE(is_zero(Bytes(other).subspan(14)));
    const auto sctp = scrubbed(ipv4(132, Wire().text("alice").take()), Link::ip);
    EXPECT_TRUE(is_zero(Bytes(sctp).subspan(20)));
}

/// Payload and addresses of a text that occurs nowhere else.
TEST(Packets, LeaveNoSecretHoweverTheyAreCut) {
    const auto cookie = Wire().u8(34).u8(6).text("SECR").u16(0x0101).take();
    const std::vector<std::vector<std::byte>> frames = {
        ethernet(0x0800, ipv4(6, tcp("SECRETSECRET", cookie))),
        ethernet(0x86DD, ipv6(17, udp("SECRETSECRET"))),
        ethernet(0x8100, Wire().u16(7).u16(0x0800).bytes(ipv4(17, udp("SECRETSECRET"))).take()),
        ethernet(0x0800, ipv4(41, ipv6(6, tcp("SECRETSECRET")))),
    };
    for (const auto& frame : frames) {
        for (std::size_t size = 0; size <= frame.size(); ++size) {
            for (std::size_t lie = 0; lie < std::min<std::size_t>(size, 60); ++lie) {
                std::vector<std::byte> cut(frame.begin(),
                                           frame.begin() + static_cast<std::ptrdiff_t>(size));
                cut[lie] ^= std::byte{0xFF};
                const auto after = scrubbed(cut, Link::ethernet);
                ASSERT_EQ(after.size(), size);
                ASSERT_FALSE(occurs(after, "SECR")) << size << " " << lie;
            }
        }
    }
}

} // namespace
} // namespace etl::anonymize::packets_test
