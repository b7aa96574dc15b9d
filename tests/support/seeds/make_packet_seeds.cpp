// make_packet_seeds FOLDER: writes the seeds of the doors packets and dissect, all invented, into
// FOLDER/DOOR/. Run by hand; what it wrote is committed.
#include "fuzz/answers/packets/capture_records.hpp"
#include "tests/support/captures/capture_events.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using namespace etl;
using namespace etl::test;
using namespace std::string_literals;

namespace {

void write(const std::filesystem::path& folder, const std::string& name, std::uint8_t options,
           Bytes bytes) {
    std::filesystem::create_directories(folder);
    std::ofstream out(folder / name, std::ios::binary);
    out.put(static_cast<char>(options));
    for (const std::byte byte : bytes) {
        out.put(static_cast<char>(byte));
    }
}

std::uint8_t keyword_bits(std::uint64_t keywords) {
    std::uint8_t bits = 0;
    for (unsigned i = 0; i < 8; ++i) {
        const std::uint64_t mask = fuzz::capture_keywords(static_cast<std::uint8_t>(1U << i));
        bits = static_cast<std::uint8_t>(bits | ((keywords & mask) != 0 ? 1U << i : 0U));
    }
    return bits;
}

Payload records_of(const std::vector<CaptureEvent>& events) {
    ByteWriter to;
    const auto& kinds = fuzz::capture_kinds();
    for (const CaptureEvent& event : events) {
        const auto kind = std::ranges::find(kinds, fuzz::CaptureKind(event.provider, event.id));
        fuzz::write_capture_record(to, {static_cast<std::uint8_t>(kind - kinds.begin()),
                                        keyword_bits(event.keyword), event.payload});
    }
    return to.take();
}

std::vector<CaptureEvent> stack() {
    const Payload ip = ipv4_packet(kettle_ip, teapot_ip, 17, udp_datagram(53, 53, 4));
    return {pktmon_packet(tcp_frame()),
            pktmon_packet(ethernet_frame(ip), {.type = 2, .component = 36}),
            pktmon_packet(wifi_frame(ip), {.type = 2, .component = 11}),
            pktmon_packet(ip, {.type = 3, .edge = 0, .reason = 1204, .location = 0xE0004602}),
            component_event(11, 2, u"wlan.sys", u"Wi-Fi"),
            component_number(11, 1, 16),
            component_number(11, 5, 16),
            component_event(38, 3, u"nwifi.sys", u"Native Wi-Fi"),
            component_number(38, 1, 34),
            component_number(38, 2, 16),
            component_number(38, 5, 0),
            component_bytes(70, 11, 6, bytes_of_text("\x02mac12")),
            component_bytes(65, 11, 13, bytes_of_text("1234")),
            component_bytes(66, 11, 13, bytes_of_text("0123456789abcdef")),
            flow_counters(11, 1, u"Upper", 5)};
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::puts("usage: make_packet_seeds FOLDER");
        return 64;
    }
    const std::filesystem::path events = std::filesystem::path(arguments[1]) / "packets";
    const Payload frame = tcp_frame();
    write(events, "pktmon", 1, records_of(stack()));
    write(events, "rules", 1,
          records_of({{ndis_provider, 1011, 0, ByteWriter().u32(2).take()},
                      {ndis_provider, 1016, 0, bytes_of_text("\x0A\x03\x04\x00\x01\x02\x03\x04"s)},
                      {ndis_provider, 1016, 0, bytes_of_text("\x11\x03\x02\x00\x80\x00"s)},
                      {ndis_provider, 1014, 0, ByteWriter().u32(12).u32(7).u32(16).u32(0).take()},
                      ndis_packet(frame)}));
    write(events, "fragments", 4,
          records_of({ndis_packet(Bytes(frame).first(20), first_part | sending),
                      ndis_packet(Bytes(frame).subspan(20, 20), sending),
                      ndis_packet(frame, first_part | receiving),
                      ndis_packet(Bytes(frame).subspan(40), last_part | sending)}));
    write(events, "wireless", 0,
          records_of({wifi_metadata(-60),
                      ndis_packet(wifi_frame(ipv4_packet(1, 2, 6, tcp_segment({})), true),
                                  whole | native_wifi)}));
    write(events, "switch_and_users", 10,
          records_of({switch_packet(frame, 3, 20, 7), ras_packet(frame, u"alice", true),
                      ras_packet(frame, u"bob", false)}));
    const std::filesystem::path packets = std::filesystem::path(arguments[1]) / "dissect";
    write(packets, "tcp", 0, frame);
    write(packets, "ipv6_options", 1,
          ipv6_packet(0, Packed()
                             .u8(44)
                             .u8(0)
                             .u16(0)
                             .u32(0)
                             .u8(17)
                             .u8(0)
                             .u16(1)
                             .u32(1)
                             .bytes(udp_datagram(1, 2, 3))
                             .take()));
    write(packets, "wifi", 2, wifi_frame(ipv6_packet(58, Payload(8))));
    write(packets, "tags", 0,
          ethernet_frame(Packed()
                             .u16(20)
                             .u16(0x88A8)
                             .u16(3)
                             .u16(0x0806)
                             .u16(1)
                             .u16(0x0800)
                             .u16(0x0604)
                             .u16(1)
                             .bytes(Payload(20))
                             .take(),
                         0x8100));
    return 0;
}
