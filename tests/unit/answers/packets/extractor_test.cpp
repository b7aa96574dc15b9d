// From events to packets.
#include "tests/unit/answers/packets/extracted.hpp"

namespace etl::packets::extractor_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<std::string> data_of(const Extraction& all) {
    std::vector<std::string> data;
    for (const Extracted& packet : all.packets) {
        data.push_back(packet.data);
    }
    return data;
}

CaptureEvent part(std::string_view data, std::uint64_t keyword, std::uint16_t processor = 0,
                  std::uint32_t thread = 100) {
    CaptureEvent event = ndis_packet(bytes_of_text(data), keyword);
    event.processor = processor;
    event.thread = thread;
    return event;
}

TEST(Extractor, NdisPacketIsWhole) {
    const Payload frame = tcp_frame();
    const Extraction all = extract({ndis_packet(frame), ndis_packet(frame, whole | receiving, 9)});
    ASSERT_THAT(all.packets, SizeIs(2));
    EXPECT_EQ(all.packets[0].data, text(frame));
    EXPECT_EQ(all.packets[0].original, frame.size());
    EXPECT_EQ(all.packets[0].link, LinkType::ethernet);
    EXPECT_EQ(all.packets[0].direction, Direction::sent);
    EXPECT_EQ(all.packets[0].place.id, 7U);
    EXPECT_EQ(all.packets[0].time, 1);
    EXPECT_EQ(all.packets[1].direction, Direction::received);
    EXPECT_EQ(all.packets[1].place.id, 9U);
}

TEST(Extractor, FragmentsOfSeveralPacketsInterleave) {
    const Extraction all =
        extract({part("aa", first_part, 0), part("11", first_part, 1), part("bb", 0, 0),
                 part("xx", first_part, 0, 200), part("22", last_part, 1), part("cc", last_part, 0),
                 part("yy", last_part, 0, 200)});
    EXPECT_THAT(data_of(all), ElementsAre("1122", "aabbcc", "xxyy"));
    EXPECT_EQ(all.packets[1].time, 6); // of the last part
    EXPECT_EQ(all.counts.incomplete, 0U);
}

TEST(Extractor, DirectionsAndInterfacesAreSeparate) {
    const Extraction all =
        extract({part("aa", first_part | sending), part("11", first_part | receiving),
                 part("bb", last_part | sending), part("22", last_part | receiving)});
    EXPECT_THAT(data_of(all), ElementsAre("aabb", "1122"));
}

TEST(Extractor, MissingFragmentsAreMarked) {
    const Extraction all =
        extract({part("aa", first_part), part("bb", first_part), part("cc", last_part),
                 part("dd", last_part), part("ee", first_part)});
    EXPECT_THAT(data_of(all), ElementsAre("aa", "bbcc", "dd", "ee"));
    EXPECT_TRUE(all.packets[0].is_incomplete);
    EXPECT_FALSE(all.packets[1].is_incomplete);
    EXPECT_TRUE(all.packets[2].is_incomplete);
    EXPECT_TRUE(all.packets[3].is_incomplete);
    EXPECT_FALSE(all.packets[2].has_beginning);
    EXPECT_TRUE(all.packets[3].has_beginning && all.packets[3].is_joined);
    EXPECT_EQ(all.counts.incomplete, 3U);
    EXPECT_THAT(all.file.packets[0].comments(), ElementsAre(testing::HasSubstr("incomplete")));
}

TEST(Extractor, JoinedPacketIsLargerThanARecord) {
    const std::string half(40'000, 'x');
    const Extraction all = extract({part(half, first_part), part(half, last_part)});
    ASSERT_THAT(all.packets, SizeIs(1));
    EXPECT_EQ(all.packets[0].data.size(), 80'000U);
}

TEST(Extractor, JoinedPacketsAreBounded) {
    const std::string piece(60'000, 'x');
    std::vector<CaptureEvent> events{part(piece, first_part)};
    for (int i = 0; i < 6; ++i) {
        events.push_back(part(piece, i == 5 ? last_part : 0));
    }
    const Extraction all = extract(events);
    ASSERT_THAT(all.packets, SizeIs(1));
    EXPECT_EQ(all.packets[0].data.size(), packets::limits::packet_bytes);
    EXPECT_EQ(all.packets[0].original, 7U * 60'000);
    EXPECT_TRUE(all.packets[0].is_incomplete);
    EXPECT_GT(all.counts.dropped, 0U);
}

TEST(Extractor, LinkTypeFollowsKeywords) {
    const Payload ip = ipv4_packet(kettle_ip, teapot_ip, 17, udp_datagram(53, 53, 4));
    const Extraction all =
        extract({ndis_packet(ip, whole | wwan), ndis_packet(wifi_frame(ip), whole | native_wifi)});
    EXPECT_EQ(all.packets[0].link, LinkType::ip);
    EXPECT_EQ(all.packets[1].link, LinkType::wifi);
}

TEST(Extractor, ClearFramesDoNotClaimEncryption) {
    const Payload ip = ipv4_packet(kettle_ip, teapot_ip, 17, udp_datagram(53, 53, 4));
    Payload encrypted = wifi_frame(ip, true);
    encrypted[26] = std::byte{0x55}; // no SNAP header
    const Extraction all = extract({ndis_packet(wifi_frame(ip, true), whole | native_wifi),
                                    ndis_packet(encrypted, whole | native_wifi)});
    EXPECT_EQ(all.packets[0].data, text(wifi_frame(ip, false)));
    EXPECT_EQ(all.packets[1].data, text(encrypted));
}

TEST(Extractor, MetadataDescribesTheNextWifiPacket) {
    const Payload frame = wifi_frame({});
    const Extraction all =
        extract({wifi_metadata(-60), wifi_metadata(-70, 8), ndis_packet(tcp_frame()),
                 ndis_packet(frame, whole | native_wifi), ndis_packet(frame, whole | native_wifi)});
    EXPECT_FALSE(all.packets[0].wifi);
    ASSERT_TRUE(all.packets[1].wifi);
    EXPECT_EQ(all.packets[1].wifi->rssi, -60);
    EXPECT_EQ(all.packets[1].wifi->frequency, 2412U);
    EXPECT_FALSE(all.packets[2].wifi);
    EXPECT_THAT(all.file.packets[1].comments(),
                ElementsAre("received by 802.11n at 2412 MHz, -60 dBm, 6.5 Mb/s"));
}

TEST(Extractor, MetadataDescribesReceivedFramesOfSeveralFragments) {
    const Payload frame = wifi_frame({});
    const Bytes half = Bytes(frame).first(10);
    const Extraction all =
        extract({wifi_metadata(-60), ndis_packet(frame, whole | sending | native_wifi),
                 ndis_packet(half, first_part | receiving | native_wifi),
                 ndis_packet(Bytes(frame).subspan(10), last_part | receiving | native_wifi)});
    ASSERT_THAT(all.packets, SizeIs(2));
    EXPECT_FALSE(all.packets[0].wifi);
    ASSERT_TRUE(all.packets[1].wifi);
    EXPECT_EQ(all.packets[1].wifi->rssi, -60);
    EXPECT_EQ(all.packets[1].data, text(frame));
}

TEST(Extractor, MetadataAreThoseOfTheNextPacketThatBegins) {
    const Payload frame = wifi_frame({});
    const auto half = [&](bool is_first, std::uint32_t thread) {
        CaptureEvent event =
            is_first ? ndis_packet(Bytes(frame).first(10), first_part | receiving | native_wifi)
                     : ndis_packet(Bytes(frame).subspan(10), last_part | receiving | native_wifi);
        event.thread = thread;
        return event;
    };
    const Extraction all = extract({wifi_metadata(-60), half(true, 100), wifi_metadata(-70),
                                    half(false, 100), half(true, 200), half(false, 200)});
    ASSERT_THAT(all.packets, SizeIs(2));
    EXPECT_EQ(all.packets[0].wifi.value().rssi, -60);
    EXPECT_EQ(all.packets[1].wifi.value().rssi, -70);
}

TEST(Extractor, EmptyMetadataDescribeNothing) {
    CaptureEvent wiped = wifi_metadata(-60);
    std::ranges::fill(std::span(wiped.payload).subspan(12), std::byte{0});
    const Extraction all = extract(
        {wifi_metadata(-50), wiped, ndis_packet(wifi_frame({}), whole | receiving | native_wifi)});
    EXPECT_FALSE(all.packets.at(0).wifi);
}

TEST(Extractor, TunnelsAreIpIfTheirBytesAre) {
    constexpr std::uint64_t tunnel = 0x8000;
    const Payload udp = udp_datagram(53, 53, 4);
    const Extraction all =
        extract({ndis_packet(ipv4_packet(kettle_ip, teapot_ip, 17, udp), whole | tunnel),
                 ndis_packet(ipv6_packet(17, udp), whole | tunnel),
                 ndis_packet(tcp_frame(), whole | tunnel)});
    EXPECT_EQ(all.packets[0].link, LinkType::ip);
    EXPECT_EQ(all.packets[1].link, LinkType::ip);
    EXPECT_EQ(all.packets[2].link, LinkType::ethernet);
}

TEST(Extractor, UnknownVersionsAreNotRead) {
    CaptureEvent newer = pktmon_packet(tcp_frame());
    newer.version = 1;
    const Extraction all = extract({newer, pktmon_packet(tcp_frame())});
    EXPECT_THAT(all.packets, SizeIs(1));
    EXPECT_EQ(all.survey.unknown_layouts, 1U);
    EXPECT_EQ(all.counts.unknown_layouts, 1U);
    EXPECT_EQ(all.survey.packets, 1U);
}

TEST(Extractor, OriginalSizeIsThatOfTheIpHeader) {
    const auto ip = [](int total) {
        return ipv4_packet(kettle_ip, teapot_ip, 17, udp_datagram(53, 53, 4), 0, total);
    };
    const Payload tagged =
        ethernet_frame(Packed().u16(20).u16(0x0800).bytes(ip(1500)).take(), 0x8100);
    const Extraction all =
        extract({ndis_packet(ethernet_frame(ip(1500))), ndis_packet(tagged),
                 ndis_packet(ip(1500), whole | wwan), ndis_packet(ethernet_frame(ip(0))),
                 ndis_packet(ethernet_frame(ip(1500), 0x0806))});
    EXPECT_EQ(all.packets[0].original, 1514U);
    EXPECT_EQ(all.packets[1].original, 1518U);
    EXPECT_EQ(all.packets[2].original, 1500U);
    EXPECT_EQ(all.packets[3].original, all.packets[3].data.size()); // to be segmented
    EXPECT_EQ(all.packets[4].original, all.packets[4].data.size()); // not IP
}

TEST(Extractor, SwitchPacketsHavePortVlanAndHash) {
    const Extraction all =
        extract({switch_packet(tcp_frame(), 3, 20, 0xABCD), switch_packet(tcp_frame(), 3, 0)});
    EXPECT_EQ(all.packets[0].place,
              (Place{.kind = Place::Kind::virtual_switch, .id = 15, .port = 3, .vlan = 20}));
    EXPECT_EQ(all.packets[0].rss_hash, 0xABCDU);
    EXPECT_EQ(all.packets[1].place.vlan, 0);
    EXPECT_FALSE(all.packets[1].rss_hash);
    EXPECT_EQ(all.file.interfaces[0].name, "switch:15 port 3 vlan 20");
    EXPECT_EQ(all.file.interfaces[0].description, "Kettle NIC; Synthetic; Port");
    EXPECT_EQ(all.file.interfaces[1].name, "switch:15 port 3");
    EXPECT_EQ(all.file.packets[0].block.one(3), std::string("\x05\x00\x00\xAB\xCD", 5));
}

/// A part of a packet at a virtual switch.
CaptureEvent switch_part(Bytes part, std::uint64_t marks, std::uint32_t vlan = 0) {
    CaptureEvent event = switch_packet(part, 3, vlan, vlan);
    event.keyword = marks | sending;
    return event;
}

TEST(Extractor, PartsAtASwitchAreOnePacket) {
    constexpr std::uint64_t start = 0x40000000, end = 0x80000000;
    const Payload frame = tcp_frame();
    const Bytes all_bytes(frame);
    // Only the first part has the tag and the hash; the second has no mark.
    const Extraction all = extract(
        {switch_part(all_bytes.first(20), start, 20), switch_part(all_bytes.subspan(20, 20), 0),
         switch_part(all_bytes.subspan(40), end), switch_part(all_bytes, 0)});
    ASSERT_THAT(all.packets, SizeIs(2));
    EXPECT_EQ(all.packets[0].data, text(frame));
    EXPECT_FALSE(all.packets[0].is_incomplete);
    EXPECT_TRUE(all.packets[0].is_joined);
    EXPECT_EQ(all.packets[0].place.vlan, 20);
    EXPECT_EQ(all.packets[0].rss_hash, 20U);
    EXPECT_EQ(all.packets[1].data, text(frame)) << "without marks it is complete";
    EXPECT_FALSE(all.packets[1].is_joined);
}

TEST(Extractor, SwitchPacketsWithLargeSendAreSegmentedByTheAdapter) {
    const Extraction all =
        extract({switch_packet(tcp_frame(), 3, 20, 0, 536), switch_packet(tcp_frame(), 3, 20)});
    EXPECT_EQ(all.file.packets[0].flags(), 2U | 1U << 11U);
    EXPECT_EQ(all.file.packets[1].flags(), 2U);
}

TEST(Extractor, UsersOfTheSameNameAreNumbered) {
    CaptureEvent other = ras_packet(tcp_frame(), u"alice", true);
    other.payload[2] = std::byte{'1'}; // of the routing domain
    const Extraction all = extract({ras_packet(tcp_frame(), u"alice", true), other});
    ASSERT_THAT(all.file.interfaces, SizeIs(2));
    EXPECT_EQ(all.file.interfaces[0].name, "ras:alice");
    EXPECT_EQ(all.file.interfaces[1].name, "ras:alice 2");
    EXPECT_EQ(all.file.interfaces[1].description, "routing domain {1}");
    EXPECT_THAT(all.domains, ElementsAre(1U, 2U));
}

TEST(Extractor, RemoteUsersAreInterfaces) {
    const Extraction all =
        extract({ras_packet(tcp_frame(), u"alice", true), ras_packet(tcp_frame(), u"bob", false),
                 ras_packet(tcp_frame(), u"alice", false)});
    EXPECT_THAT(all.users, ElementsAre(RemoteUser{"{0}", "alice"}, RemoteUser{"{0}", "bob"}));
    EXPECT_EQ(all.packets[2].place.id, 0U);
    EXPECT_THAT(all.domains, ElementsAre(1U, 1U, 1U));
    EXPECT_EQ(all.packets[0].direction, Direction::sent);
    EXPECT_EQ(all.packets[2].direction, Direction::received);
    EXPECT_EQ(all.file.interfaces[1].name, "ras:bob");
}

TEST(Extractor, PktmonPacketHasItsFields) {
    const Payload frame = tcp_frame();
    const Extraction all = extract(
        {pktmon_packet(Bytes(frame).first(40), {.group = 5, .direction = 1, .original = 66}),
         pktmon_packet(frame, {.group = 6, .appearance = 0}),
         pktmon_packet(
             frame,
             {.direction = 3, .component = 9, .edge = 0, .reason = 1204, .location = 0xE0004602})});
    EXPECT_EQ(all.packets[0].original, 66U);
    EXPECT_EQ(all.packets[0].data.size(), 40U);
    EXPECT_EQ(all.packets[0].direction, Direction::received);
    EXPECT_EQ(all.packets[0].id, 5U);
    EXPECT_EQ(all.packets[0].place, (Place{.id = 13, .port = 1}));
    EXPECT_FALSE(all.packets[1].id); // the group identifies nothing
    ASSERT_TRUE(all.packets[2].drop);
    EXPECT_EQ(all.packets[2].drop->reason, 1204U);
    EXPECT_EQ(all.packets[2].drop->location, 0xE0004602U);
}

TEST(Extractor, PacketsWithoutALinkLayerAreCounted) {
    const Extraction all = extract({pktmon_packet(bytes_of_text("GET /"), {.type = 4}),
                                    pktmon_packet(tcp_frame(), {.type = 0})});
    EXPECT_THAT(all.packets, SizeIs(0));
    EXPECT_EQ(all.counts.no_link, 2U);
}

TEST(Extractor, ShortPayloadsAreCounted) {
    std::vector<CaptureEvent> events{ndis_packet(tcp_frame()), switch_packet(tcp_frame(), 1, 2),
                                     ras_packet(tcp_frame(), u"a", true),
                                     pktmon_packet(tcp_frame())};
    for (CaptureEvent& event : events) {
        event.payload.resize(10);
    }
    EXPECT_EQ(extract(events).counts.malformed, 4U);
}

TEST(Extractor, LyingSizesEndWithThePayload) {
    CaptureEvent event = pktmon_packet(tcp_frame());
    event.payload[32] = std::byte{0xFF};
    event.payload[33] = std::byte{0xFF};
    const Extraction all = extract({event});
    EXPECT_EQ(all.packets.at(0).data, text(tcp_frame()));
}

/// An adapter for 802.11, the filter that converts, one above, and one below.
std::vector<CaptureEvent> wireless_stack() {
    std::vector<CaptureEvent> events{component_event(11, 2, u"wlan.sys", u"Wi-Fi"),
                                     component_number(11, 1, 16),
                                     component_number(11, 5, 16),
                                     component_event(38, 3, u"nwifi.sys", u"Native Wi-Fi"),
                                     component_number(38, 1, 34),
                                     component_number(38, 2, 16),
                                     component_number(38, 5, 0),
                                     component_event(36, 3, u"pacer.sys", u"QoS"),
                                     component_number(36, 1, 35),
                                     component_number(36, 2, 16),
                                     component_event(40, 3, u"wfplwfs.sys", u"WFP"),
                                     component_number(40, 1, 32),
                                     component_number(40, 2, 16)};
    return events;
}

TEST(Extractor, FramesAboveTheConverterAreEthernet) {
    const Payload ip = ipv4_packet(kettle_ip, teapot_ip, 17, udp_datagram(53, 53, 4));
    std::vector<CaptureEvent> events{
        pktmon_packet(ethernet_frame(ip), {.type = 2, .component = 36}),
        pktmon_packet(wifi_frame(ip), {.type = 2, .component = 40}),
        pktmon_packet(wifi_frame(ip), {.type = 2, .component = 11})};
    for (const CaptureEvent& event : wireless_stack()) {
        events.push_back(event);
    }
    const Extraction with = extract(events);
    EXPECT_EQ(with.packets[0].link, LinkType::ethernet);
    EXPECT_EQ(with.packets[1].link, LinkType::wifi);
    EXPECT_EQ(with.packets[2].link, LinkType::wifi);
    const Extraction without = extract(events, {.with_rundown = false}); // by what they look like
    EXPECT_EQ(without.packets[0].link, LinkType::ethernet);
    EXPECT_EQ(without.packets[1].link, LinkType::wifi);
}

} // namespace
} // namespace etl::packets::extractor_test
