// Captured packets: addresses become pseudonyms, payload becomes zeros, headers stay valid.
#include <etl/base/text.hpp>

#include "anonymize/packets/network.hpp"
#include "anonymize/packets/packet_events.hpp"
#include "anonymize/packets/transport.hpp"
#include "tests/unit/anonymize/anonymized.hpp"

#include <gmock/gmock.h>

namespace etl::anonymize {
namespace {

using namespace etl::test;

const Pseudonyms& pseudonyms() {
    static const Pseudonyms made(key_of_text("tests"));
    return made;
}

/// Numbers in network order.
class Wire {
public:
    Wire& u8(unsigned value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }

    Wire& u16(unsigned value) { return u8(value >> 8U & 0xFFU).u8(value & 0xFFU); }

    Wire& u32(std::uint32_t value) { return u16(value >> 16U).u16(value & 0xFFFFU); }

    Wire& text(std::string_view text) {
        for (const char c : text) {
            u8(static_cast<unsigned char>(c));
        }
        return *this;
    }

    Wire& bytes(Bytes more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
        return *this;
    }

    Wire& fill(std::size_t count, unsigned value) {
        bytes_.insert(bytes_.end(), count, static_cast<std::byte>(value));
        return *this;
    }

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

constexpr std::uint32_t alice = 0xC0A80A17, bob = 0x5DB8D822; // 192.168.10.23, 93.184.216.34

std::vector<std::byte> ipv4(unsigned protocol, const std::vector<std::byte>& payload,
                            unsigned fragment = 0, Bytes options = {}) {
    const auto header = static_cast<unsigned>(20 + options.size());
    Wire wire;
    wire.u8(0x40U | header / 4).u8(0).u16(header + static_cast<unsigned>(payload.size()));
    wire.u16(0x1234).u16(fragment).u8(64).u8(protocol).u16(0xBEEF).u32(alice).u32(bob);
    return wire.bytes(options).bytes(payload).take();
}

std::vector<std::byte> ipv6(unsigned next, const std::vector<std::byte>& payload) {
    Wire wire;
    wire.u32(0x60000000).u16(static_cast<unsigned>(payload.size())).u8(next).u8(64);
    for (const unsigned end : {0x1111U, 0x2222U}) {
        wire.u32(0x20010DB8).u32(0xABCD0001).u32(0x0215).u32(0x5D000000U | end);
    }
    return wire.bytes(payload).take();
}

std::vector<std::byte> ethernet(unsigned type, const std::vector<std::byte>& payload) {
    Wire wire;
    wire.u16(0x0015).u32(0x5D010203).u16(0x0015).u32(0x5D0A0B0C).u16(type);
    return wire.bytes(payload).take();
}

std::vector<std::byte> tcp(std::string_view payload, Bytes options = {}) {
    Wire wire;
    wire.u16(443).u16(51000).u32(7).u32(8).u8((20 + static_cast<unsigned>(options.size())) * 4);
    wire.u8(0x18).u16(1000).u16(0xBEEF).u16(0).bytes(options).text(payload);
    return wire.take();
}

std::vector<std::byte> udp(std::string_view payload, unsigned checksum = 0xBEEF) {
    Wire wire;
    wire.u16(53).u16(51000).u16(8 + static_cast<unsigned>(payload.size())).u16(checksum);
    return wire.text(payload).take();
}

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

std::uint32_t pseudonym_of(std::uint32_t address) {
    const auto octets = pseudonyms().ipv4(
        {static_cast<std::uint8_t>(address >> 24U), static_cast<std::uint8_t>(address >> 16U),
         static_cast<std::uint8_t>(address >> 8U), static_cast<std::uint8_t>(address)});
    std::uint32_t result = 0;
    for (const std::uint8_t octet : octets) {
        result = result << 8U | octet;
    }
    return result;
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

constexpr Guid ndis = *parse_guid("2ed6006e-4729-4609-b423-3ee7bcd678ef");
constexpr Guid ras = *parse_guid("d84521f7-2235-4237-a7c0-14e3a9676286");
constexpr Guid pktmon = *parse_guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
constexpr std::uint64_t start = 0x40000000, end = 0x80000000;

struct Captured {
    Guid provider;
    std::uint16_t id = 0;
    std::uint64_t keyword = 0;
    std::vector<std::byte> payload;
};

Anonymized anonymized_events(const std::vector<Captured>& events) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    std::int64_t time = 1'000'100;
    for (const Captured& event : events) {
        buffer.add(format::EventRecord{.time = ++time,
                                       .provider = event.provider,
                                       .id = event.id,
                                       .keyword = event.keyword,
                                       .payload = event.payload});
    }
    const auto reader = open(trace.build());
    return anonymized(*reader, kernel_store());
}

std::vector<std::byte> secret_frame() {
    return ethernet(0x0800, ipv4(6, tcp("SECRET")));
}

std::vector<std::byte> ndis_fragment(const std::vector<std::byte>& frame) {
    return ByteWriter()
        .u32(7)
        .u32(7)
        .u32(static_cast<std::uint32_t>(frame.size()))
        .bytes(frame)
        .u64(0x1122334455667788)
        .take();
}

TEST(PacketEvents, AreScrubbedWithoutAnySchema) {
    const auto frame = secret_frame();
    ByteWriter switched;
    switched.u32(7).u32(7).u32(3).zero_terminated16(u"port").zero_terminated16(u"vm of alice");
    switched.zero_terminated16(u"Internal").u32(1).u64(5);
    switched.u32(static_cast<std::uint32_t>(frame.size())).bytes(frame).u32(16).fill(16);
    ByteWriter remote;
    remote.zero_terminated16(u"{11111111-2222-3333-4444-555555555555}");
    remote.zero_terminated16(u"CONTOSO\\alice").u32(static_cast<std::uint32_t>(frame.size()));
    remote.bytes(frame);
    ByteWriter monitored;
    monitored.fill(14).u16(1).fill(16).u16(static_cast<std::uint16_t>(frame.size())).bytes(frame);
    const Anonymized after =
        anonymized_events({{ndis, 1001, start | end, ndis_fragment(frame)},
                           {ndis, 1001, end, ndis_fragment(Wire().text("SECRET piece").take())},
                           {ndis, 1003, start | end, switched.take()},
                           {ras, 5001, 0, remote.take()},
                           {pktmon, 160, 0x10, monitored.take()}});
    EXPECT_EQ(after.report.undecodable, 0U);
    EXPECT_EQ(after.report.changed, 6U) << "and the log file header";
    EXPECT_FALSE(occurs(after.image, "SECRET"));
    EXPECT_FALSE(occurs(after.image, "alice"));
    EXPECT_FALSE(occurs(after.image, "contoso"));
    const auto address = Wire().u32(alice).take();
    EXPECT_FALSE(as_text(after.image).contains(as_text(address)));
    const auto renamed = Wire().u32(pseudonym_of(alice)).take();
    EXPECT_TRUE(as_text(after.image).contains(as_text(renamed)));
    EXPECT_GT(after.report.values[static_cast<std::size_t>(Kind::redacted)], 0U);
}

TEST(PacketEvents, LeaveNothingOfPayloadsThatLie) {
    const auto frame = secret_frame();
    for (const std::uint32_t size : {0U, 1U, 20U, 0xFFFFU, 0xFFFFFFFFU}) {
        ByteWriter fragment;
        fragment.u32(7).u32(7).u32(size).bytes(frame);
        ByteWriter switched;
        switched.u32(7).u32(7).u32(3).u16(0).u16(0).u16(0).u32(size).bytes(frame);
        ByteWriter open_name;
        open_name.u32(7).u32(7).u32(3).text16(u"SECRET");
        ByteWriter monitored;
        monitored.fill(14).u16(1).fill(16).u16(static_cast<std::uint16_t>(size)).bytes(frame);
        ByteWriter component;
        component.u16(1).u16(6).u32(size).bytes(frame);
        const Anonymized after = anonymized_events({{ndis, 1001, start, fragment.take()},
                                                    {ndis, 1003, start, switched.take()},
                                                    {ndis, 1003, start, open_name.take()},
                                                    {ndis, 1002, 0, fragment.take()},
                                                    {pktmon, 170, 0x10, monitored.take()},
                                                    {pktmon, 70, 2, component.take()}});
        EXPECT_FALSE(occurs(after.image, "SECRET")) << size;
        const auto address = Wire().u32(alice).take();
        EXPECT_FALSE(as_text(after.image).contains(as_text(address))) << size;
    }
}

TEST(PacketEvents, RenameTheAddressesOfAdaptersAndFilters) {
    ByteWriter filter;
    filter.u16(1).zero_terminated16(u"for \\\\alicepc\\x");
    filter.bytes(Wire().u16(0x0015).u32(0x5D010203).take()).fill(6).u16(0).u16(0);
    filter.bytes(Wire().u32(alice).u32(0).take()).fill(6);
    const Anonymized after = anonymized_events(
        {{pktmon, 100, 2, filter.take()},
         {pktmon, 65, 2, ByteWriter().u16(1).u16(13).bytes(Wire().u32(bob).take()).take()}});
    for (const auto& gone : {Wire().u32(alice).take(), Wire().u32(bob).take(),
                             Wire().u16(0x0015).u32(0x5D010203).take()}) {
        EXPECT_FALSE(as_text(after.image).contains(as_text(gone)));
    }
    EXPECT_FALSE(occurs(after.image, "alicepc"));
    EXPECT_EQ(after.report.undecodable, 0U);
}

} // namespace
} // namespace etl::anonymize
