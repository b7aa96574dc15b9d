// Headers, their text, and sums over packets.
#include "packets/dissect.hpp"
#include "packets/flows.hpp"
#include "tests/unit/answers/packets/extracted.hpp"

namespace etl::packets::dissect_test {
namespace {

using testing::SizeIs;

std::string text_of(const Payload& data, LinkType link = LinkType::ethernet) {
    Packet packet;
    packet.data = data;
    packet.link = link;
    packet.original_size = static_cast<std::uint32_t>(data.size());
    std::string text;
    append_packet_text(text, packet, dissect(data, link));
    return text;
}

TEST(Dissect, Tcp) {
    const Payload frame = tcp_frame();
    const Dissection headers = dissect(frame, LinkType::ethernet);
    EXPECT_EQ(headers.source_port, 51000);
    EXPECT_EQ(headers.destination_port, 443);
    EXPECT_EQ(headers.payload_size, 12U);
    EXPECT_EQ(headers.header_size, 54U);
    EXPECT_EQ(text_of(frame),
              "192.0.2.1.51000 > 198.51.100.7.443: TCP P., seq 1, ack 2, win 1000, length 12");
    EXPECT_EQ(text_of(tcp_frame({.flags = 2, .size = 0})),
              "192.0.2.1.51000 > 198.51.100.7.443: TCP S, seq 1, win 1000, length 0");
}

TEST(Dissect, Ipv6UdpAndTags) {
    const Payload ip = ipv6_packet(17, udp_datagram(53, 1234, 7));
    EXPECT_EQ(text_of(ethernet_frame(ip, 0x86DD)),
              "2001:db8::1.53 > 2001:db8::2.1234: UDP, length 7");
    const Payload tagged =
        ethernet_frame(Packed().u16(0x2014).u16(0x86DD).bytes(ip).take(), 0x8100);
    EXPECT_EQ(dissect(tagged, LinkType::ethernet).vlan, 20);
    EXPECT_EQ(text_of(tagged), text_of(ip, LinkType::ip));
}

TEST(Dissect, ExtensionHeadersAndFragments) {
    const Payload udp = udp_datagram(53, 1234, 7);
    const auto fragment = [&](unsigned place) {
        return ipv6_packet(44, Packed().u8(17).u8(0).u16(place).u32(1).bytes(udp).take());
    };
    EXPECT_EQ(text_of(fragment(1), LinkType::ip),
              "2001:db8::1.53 > 2001:db8::2.1234: UDP first fragment, length 7");
    EXPECT_EQ(text_of(fragment(8), LinkType::ip), "2001:db8::1 > 2001:db8::2: UDP later fragment");
    const Payload options = ipv6_packet(0, Packed().u8(17).u8(0).u16(0).u32(0).bytes(udp).take());
    EXPECT_EQ(dissect(options, LinkType::ip).source_port, 53);
    EXPECT_EQ(text_of(ipv4_packet(kettle_ip, teapot_ip, 17, udp, 0x0010), LinkType::ip),
              "192.0.2.1 > 198.51.100.7: UDP later fragment");
}

TEST(Dissect, AllExtensionHeadersAreSkipped) {
    const Payload udp = udp_datagram(53, 1234, 7);
    const auto eight = [](unsigned next) { return Packed().u8(next).u8(0).u16(0).u32(0).take(); };
    for (const unsigned header : {0U, 43U, 60U, 135U, 139U, 140U}) {
        const Payload packet = ipv6_packet(header, Packed().bytes(eight(17)).bytes(udp).take());
        EXPECT_EQ(dissect(packet, LinkType::ip).source_port, 53) << header;
        EXPECT_EQ(dissect(packet, LinkType::ip).payload_size, 7U) << header;
    }
    // The authentication header counts in units of four bytes.
    const Payload authentication =
        Packed().u8(17).u8(4).u16(0).bytes(Payload(20)).bytes(udp).take();
    EXPECT_EQ(dissect(ipv6_packet(51, authentication), LinkType::ip).source_port, 53);
    EXPECT_EQ(
        dissect(ipv4_packet(kettle_ip, teapot_ip, 51, authentication), LinkType::ip).source_port,
        53);
    // What follows ESP is encrypted, and a number of IPv6 is none of IPv4.
    EXPECT_FALSE(dissect(ipv6_packet(50, udp), LinkType::ip).source_port);
    EXPECT_FALSE(dissect(ipv4_packet(kettle_ip, teapot_ip, 60, udp), LinkType::ip).source_port);
    Payload truncated = ipv6_packet(0, Packed().bytes(eight(17)).take());
    truncated.resize(44);
    EXPECT_FALSE(dissect(truncated, LinkType::ip).source_port);
}

TEST(Dissect, Ipv6PacketsToBeSegmentedHaveTheSizeOfTheCapture) {
    Payload packet = ipv6_packet(6, Packed().bytes(tcp_segment({})).take());
    packet[4] = packet[5] = std::byte{0};
    EXPECT_EQ(dissect(packet, LinkType::ip, 40 + 20 + 100'000).payload_size, 100'000U);
    EXPECT_TRUE(lacks_ip_length(packet, LinkType::ip));
    EXPECT_EQ(original_size_of(packet, LinkType::ip), packet.size());
    packet[5] = std::byte{99}; // what is left of a size of 100,000
    EXPECT_EQ(dissect(packet, LinkType::ip, 40 + 20 + 100'000).payload_size, 100'000U);
    // With extension headers.
    Payload options =
        ipv6_packet(60, Packed().u8(6).u8(0).u16(0).u32(0).bytes(tcp_segment({})).take());
    options[4] = options[5] = std::byte{0};
    EXPECT_TRUE(lacks_ip_length(options, LinkType::ip));
    EXPECT_EQ(dissect(options, LinkType::ip, 40 + 8 + 20 + 70'000).payload_size, 70'000U);
}

TEST(Dissect, JumbogramsStateTheirLength) {
    const auto jumbo = [](std::uint32_t length) {
        Payload packet = ipv6_packet(
            0, Packed().u8(6).u8(0).u8(0xC2).u8(4).u32(length).bytes(tcp_segment({})).take());
        packet[4] = packet[5] = std::byte{0};
        return packet;
    };
    const Payload packet = jumbo(90'000);
    EXPECT_EQ(original_size_of(packet, LinkType::ip), 90'040U);
    EXPECT_FALSE(lacks_ip_length(packet, LinkType::ip));
    EXPECT_EQ(dissect(packet, LinkType::ip, 90'040).payload_size, 90'000U - 8 - 20);
    // Not above 65,535: not a jumbogram.
    const Payload wrong = jumbo(60);
    EXPECT_EQ(original_size_of(wrong, LinkType::ip), wrong.size());
}

TEST(Dissect, APacketWithoutItsBeginningHasNoHeaders) {
    const Payload frame = tcp_frame();
    Packet packet;
    packet.data = frame;
    packet.has_beginning = false;
    EXPECT_FALSE(dissect(packet).is_ip());
}

TEST(Dissect, IcmpArpAndOthers) {
    const Payload echo = Packed().u8(8).u8(0).u16(0).u16(7).u16(9).u32(0).take();
    EXPECT_EQ(text_of(ethernet_frame(ipv4_packet(kettle_ip, teapot_ip, 1, echo))),
              "192.0.2.1 > 198.51.100.7: ICMP echo request, id 7, seq 9, length 12");
    const Payload reply = Packed().u8(129).u8(0).u16(0).u16(7).u16(9).take();
    EXPECT_EQ(text_of(ipv6_packet(58, reply), LinkType::ip),
              "2001:db8::1 > 2001:db8::2: ICMPv6 echo reply, id 7, seq 9, length 8");
    const Payload refused = Packed().u8(3).u8(3).u16(0).u32(0).take();
    EXPECT_EQ(text_of(ethernet_frame(ipv4_packet(kettle_ip, teapot_ip, 1, refused))),
              "192.0.2.1 > 198.51.100.7: ICMP unreachable code 3, length 8");
    const auto arp = [](unsigned operation) {
        return ethernet_frame(Packed()
                                  .u16(1)
                                  .u16(0x0800)
                                  .u16(0x0604)
                                  .u16(operation)
                                  .u32(0)
                                  .u16(0)
                                  .u32(kettle_ip)
                                  .u32(0)
                                  .u16(0)
                                  .u32(teapot_ip)
                                  .take(),
                              0x0806);
    };
    EXPECT_EQ(text_of(arp(1)), "ARP who-has 198.51.100.7 tell 192.0.2.1");
    EXPECT_EQ(text_of(arp(2)), "ARP 192.0.2.1 is-at 02:00:5e:10:00:02");
    EXPECT_EQ(text_of(ethernet_frame(Payload(4), 0x88CC)),
              "02:00:5e:10:00:02 > 02:00:5e:10:00:01: ethertype 0x88cc, length 18");
    EXPECT_EQ(text_of(ethernet_frame(Payload(38), 38)), // spanning tree
              "02:00:5e:10:00:02 > 02:00:5e:10:00:01: 802.3, length 52");
    EXPECT_EQ(text_of({}), "no data, length 0");
    EXPECT_EQ(text_of(wifi_frame(ipv4_packet(kettle_ip, teapot_ip, 17, udp_datagram(1, 2, 3))),
                      LinkType::wifi),
              "192.0.2.1.1 > 198.51.100.7.2: UDP, length 3");
}

TEST(Dissect, PacketsToBeSegmentedHaveTheSizeOnTheWire) {
    const auto with_no_length = [](Payload ip) {
        ip[2] = ip[3] = std::byte{0};
        return ip;
    };
    const Payload ip = with_no_length(ipv4_packet(kettle_ip, teapot_ip, 6, tcp_segment({})));
    EXPECT_EQ(dissect(ip, LinkType::ip, 4040).payload_size, 4000U);
    EXPECT_EQ(dissect(ip, LinkType::ip).payload_size, 12U);
    Payload ipv6 = ipv6_packet(6, tcp_segment({}));
    ipv6[4] = ipv6[5] = std::byte{0};
    EXPECT_EQ(dissect(ipv6, LinkType::ip, 4060).payload_size, 4000U);
}

TEST(Dissect, EveryTruncationIsRead) {
    for (const Payload& whole_packet :
         {tcp_frame(), ethernet_frame(ipv6_packet(58, Payload(30)), 0x86DD),
          wifi_frame(ipv4_packet(1, 2, 6, tcp_segment({})))}) {
        for (const LinkType link :
             {LinkType::ethernet, LinkType::ip, LinkType::wifi, LinkType::none}) {
            for (std::size_t size = 0; size <= whole_packet.size(); ++size) {
                const Payload cut(whole_packet.begin(),
                                  whole_packet.begin() + static_cast<std::ptrdiff_t>(size));
                EXPECT_LE(dissect(cut, link).header_size, size);
                text_of(cut, link);
            }
        }
    }
}

TEST(Dissect, AddressesAreCanonical) {
    const auto text = [](const std::vector<unsigned>& groups) {
        Packed packed;
        for (const unsigned group : groups) {
            packed.u16(group);
        }
        std::string shown;
        append_address(shown, packed.take());
        return shown;
    };
    EXPECT_EQ(text({0, 0, 0, 0, 0, 0, 0, 0}), "::");
    EXPECT_EQ(text({0, 0, 0, 0, 0, 0, 0, 1}), "::1");
    EXPECT_EQ(text({0x2001, 0xDB8, 0, 0, 1, 0, 0, 1}), "2001:db8::1:0:0:1");    // the first of two
    EXPECT_EQ(text({0x2001, 0xDB8, 0, 1, 1, 1, 1, 1}), "2001:db8:0:1:1:1:1:1"); // one group stays
    EXPECT_EQ(text({0xFE80, 0, 0, 0, 0, 0, 0, 0}), "fe80::");
}

struct At {
    std::uint32_t component = 1;
    std::int64_t time = 0;
    bool is_dropped = false;
    std::uint32_t original = 0; // 0: that of the frame
    std::uint32_t routing_domain = 0;
};

void add(FlowTable& table, const Payload& frame, const At& at = {}) {
    Packet packet;
    packet.data = frame;
    packet.original_size =
        at.original != 0 ? at.original : static_cast<std::uint32_t>(frame.size());
    packet.place.id = at.component;
    packet.time = {at.time};
    packet.routing_domain = at.routing_domain;
    packet.drop = at.is_dropped ? std::optional(Drop{}) : std::nullopt;
    table.add(packet);
}

const TcpSegment reply{.from = teapot_ip,
                       .to = kettle_ip,
                       .source = 443,
                       .destination = 51000,
                       .sequence = 100,
                       .acknowledgment = 0,
                       .flags = 0x10,
                       .size = 5};

TEST(Flows, BothDirectionsAreOneFlow) {
    FlowTable table;
    add(table, tcp_frame(), {.time = 5});
    add(table, tcp_frame(reply), {.time = 7});
    add(table, tcp_frame({.source = 1}), {.time = 8});
    const std::vector<Flow> flows = table.take();
    ASSERT_THAT(flows, SizeIs(2));
    EXPECT_EQ(flows[0].source_text(), "192.0.2.1");
    EXPECT_EQ(flows[0].source.port, 51000);
    EXPECT_EQ(flows[0].destination_text(), "198.51.100.7");
    EXPECT_EQ(flows[0].forward.packets, 1U);
    EXPECT_EQ(flows[0].forward.bytes, 66U);
    EXPECT_EQ(flows[0].backward.bytes, 59U);
    EXPECT_EQ(flows[0].first.ticks, 5);
    EXPECT_EQ(flows[0].last.ticks, 7);
}

TEST(Flows, PacketsAtSeveralPlacesCountOnce) {
    FlowTable table;
    for (const std::uint32_t component : {1U, 2U, 3U}) {
        add(table, tcp_frame(), {.component = component});
    }
    add(table, tcp_frame({.sequence = 13}), {.component = 2});
    add(table, tcp_frame(), {.component = 9, .is_dropped = true});
    const std::vector<Flow> flows = table.take();
    EXPECT_EQ(flows.at(0).forward.packets, 2U);
    EXPECT_EQ(flows.at(0).forward.retransmissions, 0U);
    EXPECT_EQ(flows.at(0).drops, 1U);
}

TEST(Flows, RetransmissionsAndResets) {
    FlowTable table;
    add(table, tcp_frame({.sequence = 1}));
    add(table, tcp_frame({.sequence = 13}));
    add(table, tcp_frame({.sequence = 1}));             // again
    add(table, tcp_frame({.sequence = 24, .size = 1})); // a probe
    add(table, tcp_frame({.sequence = 25, .size = 0})); // an acknowledgment
    add(table, tcp_frame({.sequence = 25, .flags = 4, .size = 0}));
    const std::vector<Flow> flows = table.take();
    EXPECT_EQ(flows.at(0).forward.packets, 6U);
    EXPECT_EQ(flows.at(0).forward.retransmissions, 1U);
    EXPECT_EQ(flows.at(0).forward.resets, 1U);
}

TEST(Flows, TruncatedPacketsToBeSegmentedHaveTheirSize) {
    FlowTable table;
    Payload frame = tcp_frame({.sequence = 1});
    frame[16] = frame[17] = std::byte{0}; // total length
    add(table, frame, {.original = 4054});
    add(table, tcp_frame({.sequence = 3001})); // within those 4000 bytes
    EXPECT_EQ(table.take().at(0).forward.retransmissions, 1U);
}

TEST(Flows, SequenceNumbersWrap) {
    FlowTable table;
    add(table, tcp_frame({.sequence = 0xFFFFFFFA}));
    add(table, tcp_frame({.sequence = 6}));
    EXPECT_EQ(table.take().at(0).forward.retransmissions, 0U);
}

TEST(Flows, RoutingDomainsAreSeparate) {
    FlowTable table;
    add(table, tcp_frame(), {.routing_domain = 1});
    add(table, tcp_frame(reply), {.routing_domain = 1});
    add(table, tcp_frame(), {.routing_domain = 2});
    const std::vector<Flow> flows = table.take();
    ASSERT_THAT(flows, SizeIs(2));
    EXPECT_EQ(flows[0].routing_domain, 1U);
    EXPECT_EQ(flows[0].backward.packets, 1U);
    EXPECT_EQ(flows[1].routing_domain, 2U);
    EXPECT_EQ(flows[1].backward.packets, 0U);
}

TEST(Flows, WhatIsNotCountedIsKnown) {
    FlowTable table;
    add(table, tcp_frame(), {.component = 1, .time = 5});
    add(table, tcp_frame(), {.component = 2, .time = 6});
    add(table, ethernet_frame({}, 0x88CC), {.time = 9});
    add(table, ethernet_frame(ipv4_packet(kettle_ip, teapot_ip, 17, Payload(8), 0x0010), 0x0800));
    Payload truncated = tcp_frame();
    truncated.resize(36);
    add(table, truncated, {.time = 3});
    static_cast<void>(table.take());
    const FlowTable::Counts& counts = table.counts();
    EXPECT_EQ(counts.packets, 5U);
    EXPECT_EQ(counts.without_ip, 1U);
    EXPECT_EQ(counts.at_other_places, 1U);
    EXPECT_EQ(counts.later_fragments, 1U);
    EXPECT_EQ(counts.truncated, 1U);
    EXPECT_EQ(counts.first->ticks, 0);
    EXPECT_EQ(counts.last->ticks, 9);
}

TEST(Flows, OtherPacketsAreCounted) {
    FlowTable table;
    add(table, ethernet_frame({}, 0x88CC));
    EXPECT_EQ(table.other(), 1U);
    EXPECT_THAT(table.take(), SizeIs(0));
}

} // namespace
} // namespace etl::packets::dissect_test
