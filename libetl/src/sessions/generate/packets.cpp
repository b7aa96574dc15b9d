#include "generate/packets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::generate {

namespace {

constexpr std::uint32_t dns_a = 1, dns_cname = 5, dns_aaaa = 28;

void put_name(NetworkBytes& to, std::string_view name) {
    while (!name.empty()) {
        const std::string_view label = name.substr(0, name.find('.'));
        to.u8(static_cast<std::uint32_t>(label.size())).text(label);
        name.remove_prefix(std::min(label.size() + 1, name.size()));
    }
    to.u8(0);
}

/// Up to the data of a resource record. `name`: offset of a name in the message.
void put_record(NetworkBytes& to, std::uint32_t name, std::uint32_t type, std::size_t size) {
    constexpr std::uint32_t pointer = 0xC000, internet = 1, seconds = 60;
    to.u16(pointer | name).u16(type).u16(internet).u32(seconds);
    to.u16(static_cast<std::uint32_t>(size));
}

/// The query with this number, and its result.
struct Lookup {
    std::uint32_t host = 0;
    DnsResult result;

    Lookup(std::uint64_t number, bool is_ipv6) {
        constexpr std::uint32_t hosts = 8, name_error = 9003;
        host = static_cast<std::uint32_t>(number % hosts) + 1;
        result.type = is_ipv6 ? dns_aaaa : dns_a;
        if (number % 5 == 4) {
            result.name = fmt::format("missing{}.example", host);
            result.status = name_error;
            return;
        }
        result.name = fmt::format("kettle{}.example", host);
        result.address =
            is_ipv6 ? fmt::format("2001:db8::{:x}", host + 0xF) : fmt::format("192.0.2.{}", host);
        if (number % 3 == 1) {
            result.alias = fmt::format("cup{}.example", host);
        }
    }
};

void put_answers(NetworkBytes& to, const Lookup& lookup) {
    constexpr std::uint32_t header = 12;
    std::uint32_t owner = header; // of the record: the name in the question
    const std::string& alias = lookup.result.alias;
    if (!alias.empty()) {
        put_record(to, owner, dns_cname, alias.size() + 2);
        owner = static_cast<std::uint32_t>(to.size());
        put_name(to, alias);
    }
    if (lookup.result.type == dns_a) {
        put_record(to, owner, dns_a, 4);
        to.u32(0xC0000200 + lookup.host);
    } else {
        put_record(to, owner, dns_aaaa, 16);
        to.u32(0x20010DB8).u32(0).u32(0).u32(lookup.host + 0xF);
    }
}

} // namespace

std::vector<std::byte> filler(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<std::byte>('a' + i % 26);
    }
    return bytes;
}

Message http_message(std::uint64_t turn) {
    const std::uint64_t number = turn / 2;
    NetworkBytes to;
    if (turn % 2 == 0) {
        to.text(fmt::format("GET /leaf/{} HTTP/1.1\r\nHost: teapot.example\r\n"
                            "Accept: text/plain\r\n\r\n",
                            number));
        return {to.take(), fmt::format("http,GET http://teapot.example/leaf/{}", number), {}};
    }
    const bool is_found = number % 4 != 3;
    const std::vector<std::byte> body = filler(is_found ? number * 37 % 900 + 1 : 0);
    to.text(fmt::format("HTTP/1.1 {}\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
                        is_found ? "200 OK" : "404 Not Found", body.size()));
    to.bytes(body);
    return {to.take(), is_found ? "http,200" : "http,404", {}};
}

Message dns_message(std::uint64_t turn, bool is_ipv6) {
    constexpr std::uint32_t query = 0x0100, response = 0x8180, name_error = 3;
    const Lookup lookup(turn / 2, is_ipv6);
    const DnsResult& result = lookup.result;
    const bool is_response = turn % 2 != 0;
    const bool is_found = !result.address.empty();
    const std::uint32_t answers = !is_response || !is_found ? 0 : result.alias.empty() ? 1 : 2;
    const std::uint32_t flags = !is_response ? query : response | (is_found ? 0 : name_error);
    NetworkBytes to;
    to.u16(static_cast<std::uint32_t>(turn / 2 & 0xFFFFU)).u16(flags);
    to.u16(1).u16(answers).u16(0).u16(0);
    put_name(to, result.name);
    to.u16(result.type).u16(1);
    if (answers > 0) {
        put_answers(to, lookup);
    }
    std::string text = fmt::format("dns,{} {} {}", is_response ? "response" : "query",
                                   is_ipv6 ? "AAAA" : "A", result.name);
    text += answers > 0 ? " " + result.address : "";
    return {to.take(), std::move(text), is_response ? std::optional(result) : std::nullopt};
}

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

} // namespace etl::generate
