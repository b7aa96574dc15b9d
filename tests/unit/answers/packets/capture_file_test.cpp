// From packets to a capture file.
#include "flow/context.hpp"
#include "format/records.hpp"
#include "packets/dissect.hpp"
#include "tests/support/traces/kernel_store.hpp"
#include "tests/unit/answers/packets/extracted.hpp"

namespace etl::packets::capture_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> names_of(const Extraction& all) {
    std::vector<std::string> names;
    for (const PcapngInterface& one : all.file.interfaces) {
        names.push_back(one.name);
    }
    return names;
}

std::vector<CaptureEvent> with_adapter(std::vector<CaptureEvent> events) {
    events.push_back(component_event(13, 2, u"nic.sys", u"Kettle adapter"));
    events.push_back(component_number(13, 1, 21));
    events.push_back(component_bytes(70, 13, 6, bytes_of_text("\x02mac12")));
    events.push_back(component_bytes(65, 13, 13, bytes_of_text("\x0A\x01\x02\x03")));
    events.push_back(component_bytes(66, 13, 13, bytes_of_text("0123456789abcdef")));
    events.push_back(flow_counters(13, 1, u"Upper", 41));
    return events;
}

TEST(CaptureFile, InterfacesAreDescribedByTheRundownAtTheEnd) {
    const Extraction all = extract(with_adapter({pktmon_packet(tcp_frame())}));
    ASSERT_THAT(all.file.interfaces, SizeIs(1));
    const PcapngInterface& one = all.file.interfaces[0];
    EXPECT_EQ(one.name, "pktmon:13 nic.sys edge 1");
    EXPECT_EQ(one.description, "Kettle adapter; miniport; edge Upper; interface index 21");
    EXPECT_EQ(one.block.one(6), "\x02mac12");
    EXPECT_EQ(one.block.one(4), "\x0A\x01\x02\x03\xFF\xFF\xFF\xFF");
    EXPECT_EQ(one.block.one(5), "0123456789abcdef\x80");
    EXPECT_EQ(one.block.one(12), "Windows build 19045");
    ASSERT_THAT(all.file.statistics, SizeIs(1));
    EXPECT_EQ(number_at<std::uint64_t>(all.file.statistics[0].one(4), 0), 42U); // both directions
}

TEST(CaptureFile, LossesAreCommentsAndMayBeUnknown) {
    Image image = capture_trace({pktmon_packet(tcp_frame())});
    EXPECT_EQ(extract(image).file.statistics.at(0).all(1).size(), 0U);
    constexpr std::size_t header = format::buffer_header::size + format::system_record::size;
    store_le(image.data() + header + 0x10, std::int64_t{0});  // EndTime
    store_le(image.data() + header + 0x24, std::uint32_t{0}); // BuffersWritten
    EXPECT_EQ(extract(image).file.statistics.at(0).one(1),
              "what the session lost is unknown; packets may be missing");
    store_le(image.data() + header + 0x30, std::uint32_t{3}); // EventsLost
    EXPECT_EQ(extract(image).file.statistics.at(0).one(1),
              "the session lost at least 3 events and 0 buffers; packets may be missing");
}

TEST(CaptureFile, WithoutARundownInterfacesHaveNumbers) {
    const Extraction all =
        extract({pktmon_packet(tcp_frame()), pktmon_packet(tcp_frame(), {.edge = 2}),
                 ndis_packet(tcp_frame())});
    EXPECT_THAT(names_of(all), ElementsAre("pktmon:13 edge 1", "pktmon:13 edge 2", "ndis:7"));
}

TEST(CaptureFile, ComponentsWithoutANameAreCalledByTheirDescription) {
    const Extraction all = extract({pktmon_packet(tcp_frame(), {.component = 50}),
                                    component_event(50, 4, u"NULL", u"NETSCHEMA")});
    EXPECT_EQ(all.file.interfaces.at(0).name, "pktmon:50 NETSCHEMA edge 1");
    EXPECT_EQ(all.file.interfaces.at(0).description, "protocol");
}

TEST(InterfaceNames, PlacesAreCalledByAllThatTheCaptureRecorded) {
    const Extraction all =
        extract({component_event(13, 2, u"nic.sys", u"Kettle adapter"),
                 CaptureEvent{ndis_provider, 5101, 0,
                              ByteWriter().u8(1).zero_terminated16(u"Tea NIC").u32(7).take()}});
    const Extractor extractor({std::make_shared<const Rundown>(all.survey.rundown)});
    EXPECT_THAT(names_of(Place{.id = 13, .port = 1}, extractor, {"monday"}),
                ElementsAre("pktmon:13 nic.sys edge 1", "pktmon:13 nic.sys edge 1 [monday]",
                            "nic.sys", "Kettle adapter"));
    EXPECT_THAT(names_of(Place{.kind = Place::Kind::ndis, .id = 7}, extractor),
                ElementsAre("ndis:7", "Tea NIC"));
}

TEST(Rundown, FindsTheAdapterOfAVirtualFunction) {
    const auto rundown_of = [](std::u16string_view name) {
        return extract({component_event(59, 2, name, u"Hyper-V"), component_number(59, 1, 9),
                        component_event(48, 2, u"mlx5.sys", u"Function"),
                        component_number(48, 1, 24), component_event(50, 4, u"NULL", u"NETVSCVFPP"),
                        component_number(50, 2, 24)})
            .survey.rundown;
    };
    const Rundown with = rundown_of(u"netvsc.sys");
    EXPECT_TRUE(with.is_virtual_function(*with.component(48)));
    EXPECT_FALSE(with.is_virtual_function(*with.component(59)));
    EXPECT_FALSE(with.is_virtual_function(*with.component(50)));
    const Rundown without = rundown_of(u"other.sys"); // the only adapter that is captured
    EXPECT_FALSE(without.is_virtual_function(*without.component(48)));
}

TEST(Rundown, KnowsWhichInterfaceIsTheAdapter) {
    const auto layer = [](std::uint32_t adapter, std::uint32_t index) {
        return CaptureEvent{ndis_provider, 1014, 0,
                            ByteWriter().u32(adapter).u32(index).u32(0).take()};
    };
    const Rundown rundown = extract({layer(7, 7), layer(7, 19), layer(8, 20)}).survey.rundown;
    EXPECT_TRUE(rundown.is_above_adapter(19, 7));
    EXPECT_FALSE(rundown.is_above_adapter(7, 7));
    EXPECT_FALSE(rundown.is_above_adapter(20, 8)); // the adapter itself is not captured
}

TEST(InterfaceNames, LabelsTellTracesApart) {
    const std::vector<std::string> traces{
        "kettle/PktMon.etl", "x/teapot/PktMon.etl", "C:\\x\\cup.etl.zst", "y/teapot/PktMon.etl",
        "cup.etl",           "z/a.b/d.etl"};
    EXPECT_THAT(labels_of(traces), ElementsAre("kettle/PktMon", "x/teapot/PktMon", "x\\cup",
                                               "y/teapot/PktMon", "cup", "d"));
    EXPECT_THAT(labels_of(std::vector<std::string>{"a/b.etl", "a/b.etl", ""}),
                ElementsAre("a/b", "a/b 2", ""));
}

TEST(CaptureFile, CaptureRulesAreTheFilterOfNdisInterfaces) {
    const auto rule = [](std::uint8_t id, std::uint8_t directive, const Payload& value) {
        return CaptureEvent{ndis_provider, 1016, 0xC000000000,
                            ByteWriter()
                                .u8(id)
                                .u8(directive)
                                .u16(static_cast<std::uint16_t>(value.size()))
                                .bytes(value)
                                .take()};
    };
    const CaptureEvent layer{ndis_provider, 1014, 0x8000000000,
                             ByteWriter().u32(12).u32(7).u32(16).u32(0).take()};
    const Extraction all =
        extract({{ndis_provider, 1011, 0xC000000000, ByteWriter().u32(4).take()},
                 rule(10, 3, bytes_of_text("\xC6\x33\x64\x07")),
                 rule(7, 131, bytes_of_text("\x02mac12")),
                 rule(6, 3, bytes_of_text("ab")),
                 rule(17, 3, ByteWriter().u16(128).take()),
                 rule(10, 3, bytes_of_text("\xC6\x33\x64\x07")),
                 {ndis_provider, 1016, 0xC000000000, bytes_of_text("\x0A\x03\xFF\xFF too long")},
                 layer,
                 ndis_packet(tcp_frame()),
                 ras_packet(tcp_frame(), u"user", true)});
    ASSERT_THAT(all.file.interfaces, SizeIs(2));
    const std::string filter = all.file.interfaces[0].block.one(11);
    EXPECT_EQ(filter.substr(1), "rule source IPv4 address = 198.51.100.7; rule source MAC address "
                                "!= 02:6d:61:63:31:32; rule EtherType = bytes 6162; rule truncate "
                                "to 128 bytes");
    EXPECT_EQ(all.file.interfaces[0].description, "802.11; adapter interface index 12");
    EXPECT_EQ(all.file.interfaces[1].block.one(11), "");
    EXPECT_EQ(all.survey.ndis_capture, 8U);
}

TEST(CaptureFile, EachLinkTypeOfAPlaceIsAnInterface) {
    const Payload ip = ipv4_packet(kettle_ip, teapot_ip, 17, udp_datagram(53, 53, 4));
    const Extraction all = extract(
        {pktmon_packet(tcp_frame()), pktmon_packet(ip, {.type = 3}), pktmon_packet(tcp_frame())});
    EXPECT_THAT(names_of(all), ElementsAre("pktmon:13 edge 1", "pktmon:13 edge 1 IP"));
    EXPECT_EQ(all.file.interfaces[1].link, 101);
    EXPECT_EQ(all.file.packets[2].interface, 0U);
}

TEST(CaptureFile, FlagsHaveDirectionAndReception) {
    Payload broadcast = tcp_frame();
    std::fill_n(broadcast.begin(), 6, std::byte{0xFF});
    Payload multicast = tcp_frame();
    multicast[0] = std::byte{1};
    const Extraction all = extract(
        {ndis_packet(tcp_frame()), ndis_packet(tcp_frame(), whole | receiving),
         ndis_packet(broadcast, whole | receiving), ndis_packet(multicast, whole | receiving),
         ndis_packet(tcp_frame(), whole), ndis_packet(tcp_frame({.size = 9000}))});
    std::vector<std::uint32_t> flags;
    for (const PcapngPacket& packet : all.file.packets) {
        flags.push_back(packet.flags());
    }
    EXPECT_THAT(flags,
                ElementsAre(2U, 1U | 1U << 2U, 1U | 3U << 2U, 1U | 2U << 2U, 0U, 2U | 1U << 11U));
}

TEST(CaptureFile, SentPacketsWithoutALengthAreSegmentedByTheAdapter) {
    const auto flags_of = [](const Payload& ip, unsigned type, std::uint64_t direction) {
        return extract({ndis_packet(ethernet_frame(ip, type), whole | direction)})
            .file.packets.at(0)
            .flags();
    };
    constexpr std::uint32_t segmented = 1U << 11U;
    Payload ipv6 = ipv6_packet(6, tcp_segment({}));
    ipv6[4] = ipv6[5] = std::byte{0};
    const Payload ipv4 = ipv4_packet(kettle_ip, teapot_ip, 6, tcp_segment({}), 0, 0);
    EXPECT_EQ(flags_of(ipv4, 0x0800, sending), 2U | segmented);
    EXPECT_EQ(flags_of(ipv6, 0x86DD, sending), 2U | segmented);
    EXPECT_EQ(flags_of(ipv4, 0x0800, receiving) & segmented, 0U);
    ipv6[6] = std::byte{59}; // no next header: the rest is padding
    EXPECT_EQ(flags_of(ipv6, 0x86DD, sending), 2U);
    EXPECT_EQ(flags_of(ipv4, 0x0806, sending), 2U); // not IP
}

TEST(CaptureFile, DropsHaveAVerdictAndAComment) {
    const Extraction all =
        extract({pktmon_packet(tcp_frame(), {.edge = 0, .reason = 60000, .location = 0xE0FF0001}),
                 pktmon_packet(tcp_frame())});
    EXPECT_THAT(all.file.packets[0].comments(), ElementsAre("drop: 60000 at 0xe0ff0001"));
    EXPECT_THAT(all.file.packets[0].block.one(7), SizeIs(9));
    EXPECT_THAT(all.file.packets[1].comments(), IsEmpty());
    EXPECT_THAT(all.file.packets[1].block.one(7), IsEmpty());
    EXPECT_EQ(all.interfaces[0].drops, 1U);
}

TEST(DropNames, AreThoseOfTheSchema) {
    DropNames names(kernel_store());
    std::string text;
    names.append(text, {1204, 0xE0004602}, 0);
    EXPECT_THAT(text,
                testing::MatchesRegex("INET_EndpointNotFound \\(1204\\) at .+ \\(0xe0004602\\)"));
    EXPECT_EQ(names.reason({1204, 0}, 0), "INET_EndpointNotFound");
    EXPECT_EQ(names.reason({60000, 0}, 0), "60000");
}

TEST(DropNames, LayoutsOfSchemasAreCompared) {
    const auto match = kernel_store()->find({pktmon_provider, 160, 0});
    ASSERT_FALSE(match.candidates.empty());
    schema::EventSchema schema = *match.candidates.front();
    EXPECT_TRUE(has_known_layout(schema));
    std::swap(schema.fields[7], schema.fields[8]);
    EXPECT_FALSE(has_known_layout(schema));
    schema.fields.resize(5);
    EXPECT_FALSE(has_known_layout(schema));
}

TEST(CaptureFile, ProcessesAreCommentsOnRequest) {
    const Extraction all =
        extract({ndis_packet(tcp_frame())}, ExtractionOptions{.with_processes = true});
    EXPECT_THAT(all.file.packets[0].comments(), ElementsAre(HasSubstr("process 4, thread 100")));
}

TEST(CaptureFile, PayloadsCanBeCut) {
    const Payload frame = tcp_frame();
    const Extraction all = extract({ndis_packet(frame)}, ExtractionOptions{.headers_only = true});
    EXPECT_EQ(all.file.packets[0].data, text(frame).substr(0, 14 + 20 + 20));
    EXPECT_EQ(all.file.packets[0].original, frame.size());
}

TEST(CaptureFile, LossesAreComments) {
    TraceFacts facts;
    facts.events_lost = 12;
    const Extraction all = extract(capture_trace({ndis_packet(tcp_frame())}, facts));
    EXPECT_THAT(all.file.section.all(1), ElementsAre(HasSubstr("lost 12 events")));
    EXPECT_THAT(all.file.statistics[0].all(1), ElementsAre(HasSubstr("lost 12 events")));
}

CaptureEvent dns_answer(std::u16string_view query, std::u16string_view results) {
    return {dns_provider, 3008, 0,
            ByteWriter()
                .zero_terminated16(query)
                .u32(1)
                .u64(0)
                .u32(0)
                .zero_terminated16(results)
                .take()};
}

TEST(NameTable, HasTheAddressesOfAnswers) {
    const Extraction all =
        extract({dns_answer(u"kettle.example", u"type:  5 pot.example;192.0.2.1;"),
                 dns_answer(u"pot.example", u"::ffff:192.0.2.9;2001:db8::1"),
                 dns_answer(u"kettle.example", u"192.0.2.1"), dns_answer(u"", u"192.0.2.5"),
                 dns_answer(u"none.example", u"")});
    std::vector<std::string> names;
    for (const pcapng::ResolvedName& one : all.survey.names.names()) {
        std::string address;
        append_address(address, one.address);
        names.push_back(address + " " + one.name);
    }
    EXPECT_THAT(names,
                testing::UnorderedElementsAre("192.0.2.1 kettle.example", "192.0.2.9 pot.example",
                                              "2001:db8::1 pot.example"));
}

TEST(CaptureFile, NamesPrecedeThePackets) {
    const Extraction all =
        extract({ndis_packet(tcp_frame()), dns_answer(u"kettle.example", u"192.0.2.1")});
    ASSERT_THAT(all.file.names, SizeIs(1));
    EXPECT_THAT(all.file.names[0].body, HasSubstr("kettle.example"));
}

TEST(CaptureFile, OtherEventsArePacketsOfTheirOwnLinkType) {
    const Image image = capture_trace({{dns_provider, 77, 0x10, bytes_of_text("12345")}});
    const auto reader = trace::Reader::open(in_memory(image), {});
    const Extractor extractor;
    CaptureFile file(extractor, {.application = "test"});
    std::string bytes;
    flow::EventCursor cursor(**reader);
    file.begin(bytes, (*reader)->info());
    while (const flow::Event* event = cursor.next()) {
        if (!flow::is_logfile_header(*event)) {
            file.add_event(*event, "hot", "DNS", bytes);
            CaptureFile::add_entry(*event, "two\nlines", "DNS", bytes);
        }
    }
    file.finish(bytes);
    const PcapngFile read = read_pcapng(bytes);
    ASSERT_THAT(read.packets, SizeIs(1));
    EXPECT_EQ(read.interfaces[0].link, 290);
    const std::string& data = read.packets[0].data;
    ASSERT_EQ(data.size(), 96U + 8 + 8 + 8);
    EXPECT_EQ(number_at<std::int64_t>(data, 16), story_start + 101);
    EXPECT_EQ(number_at<std::uint16_t>(data, 40), 77); // ID
    EXPECT_EQ(number_at<std::uint32_t>(data, 84), 5U); // of the payload
    EXPECT_EQ(number_at<std::uint32_t>(data, 88), 8U); // "hot" with its end
    EXPECT_EQ(number_at<std::uint32_t>(data, 92), 8U);
    EXPECT_EQ(data.substr(96, 8), std::string("12345\0\0\0", 8));
    ASSERT_THAT(read.journal, SizeIs(1));
    EXPECT_THAT(read.journal[0].body, HasSubstr("MESSAGE=two lines\n"));
}

TEST(Survey, SaysWhyThereAreNoPackets) {
    const auto why = [](const std::vector<CaptureEvent>& events) {
        const Extraction all = extract(events);
        EXPECT_EQ(all.survey.packets, 0U);
        return why_no_packets(all.survey);
    };
    const CaptureEvent tcpip{*parse_guid("2f07e2ee-15db-40f1-90ef-9d7ba282188a"), 1, 0, {}};
    const CaptureEvent started{ndis_provider, 5000, 0, {}};
    const CaptureEvent component = component_event(13, 2, u"nic.sys", u"Kettle adapter");
    CaptureEvent newer = pktmon_packet(tcp_frame());
    newer.version = 1;
    EXPECT_EQ(why({component, newer}), NoPackets::unknown_layout);
    EXPECT_EQ(why({component, flow_counters(13, 1, u"Upper", 5), tcpip}), NoPackets::counted_only);
    EXPECT_EQ(why({component, started}), NoPackets::nothing_seen);
    EXPECT_EQ(why({started, tcpip}), NoPackets::capture_idle);
    EXPECT_EQ(why({tcpip}), NoPackets::not_captured);
    EXPECT_EQ(why({}), NoPackets::not_a_network_trace);
}

} // namespace
} // namespace etl::packets::capture_file_test
