// Payloads of the events of packet captures, said in words, and packets. For tests of packets.
#pragma once

#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "format/encode.hpp"
#include "tests/support/traces/trace_builder.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::test {

using Payload = std::vector<std::byte>;

inline constexpr Guid ndis_provider = *parse_guid("2ed6006e-4729-4609-b423-3ee7bcd678ef");
inline constexpr Guid ras_provider = *parse_guid("d84521f7-2235-4237-a7c0-14e3a9676286");
inline constexpr Guid pktmon_provider = *parse_guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
inline constexpr Guid dns_provider = *parse_guid("1c95126e-7eea-49a9-a3fe-a378b03ddb4d");

inline constexpr std::uint64_t first_part = 0x40000000, last_part = 0x80000000, whole = 0xC0000000,
                               sending = 0x100000000, receiving = 0x200000000, wwan = 0x200,
                               native_wifi = 0x10000;

inline Payload bytes_of_text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

// ------------------------------------------------------------------------------------ packets

/// Numbers in network order.
class Packed {
public:
    Packed& u8(unsigned value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }

    Packed& u16(unsigned value) { return u8(value >> 8U & 0xFFU).u8(value & 0xFFU); }

    Packed& u32(std::uint32_t value) { return u16(value >> 16U).u16(value & 0xFFFFU); }

    Packed& bytes(Bytes more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
        return *this;
    }

    Payload take() { return std::move(bytes_); }

private:
    Payload bytes_;
};

inline constexpr std::uint32_t kettle_ip = 0xC0000201,
                               teapot_ip = 0xC6336407; // 192.0.2.1, 198.51.100.7

struct TcpSegment {
    std::uint32_t from = kettle_ip, to = teapot_ip;
    unsigned source = 51000, destination = 443;
    std::uint32_t sequence = 1, acknowledgment = 2;
    unsigned flags = 0x18;
    std::size_t size = 12; // of the payload
};

inline Payload ipv4_packet(std::uint32_t from, std::uint32_t to, unsigned protocol, Bytes payload,
                           unsigned fragment = 0, int total = -1) {
    const auto size = static_cast<unsigned>(20 + payload.size());
    return Packed()
        .u8(0x45)
        .u8(0)
        .u16(total >= 0 ? static_cast<unsigned>(total) : size)
        .u16(0x1234)
        .u16(fragment)
        .u8(64)
        .u8(protocol)
        .u16(0)
        .u32(from)
        .u32(to)
        .bytes(payload)
        .take();
}

inline Payload ipv6_packet(unsigned next, Bytes payload) {
    Packed packet;
    packet.u32(0x60000000).u16(static_cast<unsigned>(payload.size())).u8(next).u8(64);
    for (const unsigned end : {1U, 2U}) {
        packet.u32(0x20010DB8).u32(0).u32(0).u32(end);
    }
    return packet.bytes(payload).take();
}

inline Payload tcp_segment(const TcpSegment& segment) {
    return Packed()
        .u16(segment.source)
        .u16(segment.destination)
        .u32(segment.sequence)
        .u32(segment.acknowledgment)
        .u8(0x50)
        .u8(segment.flags)
        .u16(1000)
        .u32(0)
        .bytes(Payload(segment.size, std::byte{'x'}))
        .take();
}

inline Payload udp_datagram(unsigned source, unsigned destination, std::size_t size) {
    return Packed()
        .u16(source)
        .u16(destination)
        .u16(8 + static_cast<unsigned>(size))
        .u16(0)
        .bytes(Payload(size, std::byte{'u'}))
        .take();
}

inline Payload ethernet_frame(Bytes payload, unsigned type = 0x0800) {
    return Packed()
        .u16(0x0200)
        .u32(0x5E100001)
        .u16(0x0200)
        .u32(0x5E100002)
        .u16(type)
        .bytes(payload)
        .take();
}

inline Payload tcp_frame(const TcpSegment& segment = {}) {
    return ethernet_frame(ipv4_packet(segment.from, segment.to, 6, tcp_segment(segment)));
}

/// A data frame of 802.11 with QoS, to the access point.
inline Payload wifi_frame(Bytes payload, bool is_protected = false) {
    Packed frame;
    frame.u8(0x88).u8(is_protected ? 0x41U : 0x01U).u16(0);
    for (const unsigned end : {1U, 2U, 3U}) {
        frame.u16(0x0200).u32(0x5E100000 + end);
    }
    return frame.u16(0).u16(0).u32(0xAAAA0300).u16(0).u16(0x0800).bytes(payload).take();
}

// ------------------------------------------------------------------------------------- events

struct CaptureEvent {
    Guid provider = pktmon_provider;
    std::uint16_t id = 0;
    std::uint64_t keyword = 0;
    Payload payload;
    std::uint16_t processor = 0;
    std::uint32_t thread = 100;
    std::uint8_t version = 0;
};

inline CaptureEvent ndis_packet(Bytes fragment, std::uint64_t keyword = whole | sending,
                                std::uint32_t index = 7) {
    return {ndis_provider, 1001, keyword,
            ByteWriter()
                .u32(index)
                .u32(index)
                .u32(static_cast<std::uint32_t>(fragment.size()))
                .bytes(fragment)
                .take()};
}

inline CaptureEvent wifi_metadata(std::int32_t rssi, std::uint32_t index = 7) {
    ByteWriter context;
    context.u32(0)
        .u32(0)
        .u32(7)
        .u32(2412)
        .u16(1)
        .u16(0)
        .u32(static_cast<std::uint32_t>(rssi))
        .u8(13);
    context.fill(48 - context.size());
    return {ndis_provider, 1002, 0,
            ByteWriter().u32(index).u32(index).u32(48).bytes(context.view()).take()};
}

inline CaptureEvent switch_packet(Bytes frame, std::uint32_t port, std::uint32_t vlan,
                                  std::uint32_t hash = 0, std::uint32_t large_send = 0) {
    ByteWriter payload;
    payload.u32(1).u32(15).u32(port);
    payload.zero_terminated16(u"Port")
        .zero_terminated16(u"Kettle NIC")
        .zero_terminated16(u"Synthetic");
    payload.u32(1).u64(0).u32(static_cast<std::uint32_t>(frame.size())).bytes(frame);
    ByteWriter out_of_band;
    out_of_band.fill(16).u64(large_send).fill(8).u64(vlan << 4U).fill(24).u64(hash);
    payload.u32(static_cast<std::uint32_t>(out_of_band.size())).bytes(out_of_band.view());
    return {ndis_provider, 1003, whole | sending, payload.take()};
}

inline CaptureEvent ras_packet(Bytes frame, std::u16string_view user, bool is_sent) {
    return {ras_provider, static_cast<std::uint16_t>(is_sent ? 5001 : 5002), whole,
            ByteWriter()
                .zero_terminated16(u"{0}")
                .zero_terminated16(user)
                .u32(static_cast<std::uint32_t>(frame.size()))
                .bytes(frame)
                .take()};
}

struct PktmonFacts {
    std::uint64_t group = 1;
    std::uint16_t appearance = 1, direction = 4, type = 1, component = 13, edge = 1;
    std::uint16_t original = 0; // 0: that of the data
    std::uint32_t reason = 0, location = 0;
};

inline CaptureEvent pktmon_packet(Bytes data, const PktmonFacts& facts = {}) {
    ByteWriter payload;
    payload.u64(facts.group).u16(1).u16(facts.appearance).u16(facts.direction).u16(facts.type);
    payload.u16(facts.component).u16(facts.edge).u16(0).u32(facts.reason).u32(facts.location);
    const auto size = static_cast<std::uint16_t>(data.size());
    payload.u16(facts.original != 0 ? facts.original : size).u16(size).bytes(data);
    return {pktmon_provider, static_cast<std::uint16_t>(facts.reason != 0 ? 170 : 160), 0x10,
            payload.take()};
}

inline CaptureEvent component_event(std::uint16_t id, std::uint16_t type, std::u16string_view name,
                                    std::u16string_view description) {
    return {pktmon_provider, 20, 2,
            ByteWriter()
                .u16(id)
                .u16(type)
                .zero_terminated16(name)
                .zero_terminated16(description)
                .take()};
}

inline CaptureEvent component_number(std::uint16_t component, std::uint16_t property,
                                     std::uint32_t value) {
    return {pktmon_provider, 30, 2, ByteWriter().u16(component).u16(property).u32(value).take()};
}

inline CaptureEvent component_bytes(std::uint16_t id, std::uint16_t component,
                                    std::uint16_t property, Bytes value) {
    ByteWriter payload;
    payload.u16(component).u16(property);
    if (id == 70) {
        payload.u32(static_cast<std::uint32_t>(value.size()));
    }
    return {pktmon_provider, id, 2, payload.bytes(value).take()};
}

inline CaptureEvent flow_counters(std::uint16_t component, std::uint16_t edge,
                                  std::u16string_view name, std::uint64_t packets) {
    return {pktmon_provider, 90, 2,
            ByteWriter()
                .u16(component)
                .zero_terminated16(name)
                .u16(edge)
                .u16(1)
                .u64(packets)
                .u64(0)
                .u16(2)
                .u64(1)
                .u64(0)
                .take()};
}

/// The events in this order, one time unit apart, a buffer for each processor.
inline Image capture_trace(const std::vector<CaptureEvent>& events, const TraceFacts& given = {}) {
    TraceFacts facts = given;
    facts.buffer_size = 0x100000;
    std::uint16_t last = 0;
    for (const CaptureEvent& event : events) {
        last = std::max(last, event.processor);
    }
    facts.processors = last + 1U;
    TraceBuilder trace(facts);
    for (std::uint16_t processor = 0; processor <= last; ++processor) {
        auto& buffer = trace.buffer({.processor = processor});
        std::int64_t time = 1'000'100;
        for (const CaptureEvent& event : events) {
            ++time;
            if (event.processor == processor) {
                buffer.add(format::EventRecord{.process_id = 4,
                                               .thread_id = event.thread,
                                               .time = time,
                                               .provider = event.provider,
                                               .descriptor = {.id = event.id,
                                                              .version = event.version,
                                                              .keyword = event.keyword},
                                               .payload = event.payload});
            }
        }
    }
    return trace.build();
}

} // namespace etl::test
