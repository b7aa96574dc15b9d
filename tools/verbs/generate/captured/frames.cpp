#include "verbs/generate/captured/frames.hpp"

#include "verbs/generate/captured/network_bytes.hpp"

namespace cli::generate {

namespace {

constexpr std::uint32_t ipv4_type = 0x0800, ipv6_type = 0x86DD;

std::uint32_t type_of(const Segment& segment) noexcept {
    return segment.is_ipv6 ? ipv6_type : ipv4_type;
}

void put_mac(NetworkBytes& to, std::uint32_t number) {
    to.u16(0x0200).u32(0x5E100000 + number);
}

void put_body(NetworkBytes& to, const Segment& segment) {
    to.u32(0xAAAA0300).u16(0).u16(type_of(segment)).bytes(segment.packet);
}

} // namespace

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
    NetworkBytes bytes;
    for (const unsigned value : values) {
        bytes.u8(value);
    }
    return bytes.take();
}

std::vector<std::byte> ethernet_frame(const Segment& segment, std::span<const Tag> tags) {
    NetworkBytes frame;
    put_mac(frame, 1);
    put_mac(frame, 2);
    for (const Tag& tag : tags) {
        frame.u16(tag.type).u16(tag.control);
    }
    return frame.u16(type_of(segment)).bytes(segment.packet).take();
}

std::vector<std::byte> wifi_frame(const Segment& segment) {
    NetworkBytes frame;
    frame.u32(0x08010000);
    for (const std::uint32_t number : {1U, 2U, 3U}) {
        put_mac(frame, number);
    }
    frame.u16(0);
    put_body(frame, segment);
    return frame.take();
}

std::vector<std::byte> wifi_qos_frame(const Segment& segment, bool is_protected) {
    constexpr std::uint32_t to_system = 1, from_system = 2, protection = 0x40;
    NetworkBytes frame;
    frame.u8(0x88);
    frame.u8((segment.is_forward ? to_system : from_system) | (is_protected ? protection : 0));
    frame.u16(0);
    for (const std::uint32_t number : {1U, 2U, 3U}) {
        put_mac(frame, number);
    }
    frame.u16(0).u16(0); // sequence, QoS
    put_body(frame, segment);
    return frame.take();
}

} // namespace cli::generate
