#include "generate/conversations.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace etl::generate {

std::span<const ConversationKind> conversation_kinds() noexcept {
    using What = CaptureKind;
    using enum Protocol;
    constexpr bool ipv4 = false, ipv6 = true;
    static constexpr std::array<ConversationKind, 34> all{{
        {What::ndis, Way::ndis, tcp, ipv4},
        {What::pktmon, Way::stack, tcp, ipv6},
        {What::wifi, Way::wifi, udp, ipv4},
        {What::mobile, Way::mobile, icmp, ipv4},
        {What::vm_switch, Way::vm_switch, tcp, ipv6},
        {What::ras, Way::remote, tcp, ipv4},
        {What::fragments, Way::fragments, udp, ipv4},
        {What::ndis, Way::ndis, tcp, ipv6},
        {What::pktmon, Way::stack, tcp, ipv4},
        {What::wifi, Way::wifi, tcp, ipv4},
        {What::mobile, Way::mobile, udp, ipv6},
        {What::vm_switch, Way::vm_switch, icmp, ipv4},
        {What::ras, Way::remote, tcp, ipv4},
        {What::fragments, Way::fragments, tcp, ipv6},
        {What::pktmon_wifi, Way::wifi_stack, tcp, ipv4},
        {What::pktmon_wifi, Way::wifi_stack, udp, ipv6},
        {What::pktmon_24h2, Way::newer_stack, tcp, ipv4},
        {What::pktmon_24h2, Way::newer_stack, icmp, ipv4},
        {What::vlan, Way::tagged, tcp, ipv4},
        {What::vlan, Way::twice_tagged, udp, ipv6},
        {What::vlan, Way::tagged_switch, tcp, ipv6},
        {What::segmentation, Way::segmented, tcp, ipv4, Content::large_without_length},
        {What::segmentation, Way::segmented_switch, tcp, ipv6, Content::large},
        {What::segmentation, Way::newer_stack, tcp, ipv6, Content::large_without_length},
        {What::segmentation, Way::fragments, tcp, ipv4, Content::large_without_length},
        {What::ras_users, Way::remote, tcp, ipv4},
        {What::ras_users, Way::other_user, tcp, ipv4},
        {What::ras_users, Way::other_domain, udp, ipv6},
        {What::layers, Way::layers, tcp, ipv4},
        {What::layers, Way::layers, icmp, ipv4},
        {What::dns, Way::ndis, udp, ipv4, Content::dns},
        {What::dns, Way::wifi_stack, udp, ipv6, Content::dns},
        {What::http, Way::ndis, tcp, ipv4, Content::http},
        {What::http, Way::newer_stack, tcp, ipv6, Content::http},
    }};
    return all;
}

namespace {

// Addresses for documentation: RFC 5737, RFC 3849.
constexpr std::uint32_t client_ipv4 = 0xC0000200; // 192.0.2.0, plus a number
constexpr std::uint32_t server_ipv4 = 0xC6336407; // 198.51.100.7
constexpr std::uint32_t ipv6_prefix = 0x20010DB8;

/// A segment of more is handed to an adapter that segments it.
constexpr std::size_t min_large = 536;

std::uint16_t server_port(Content content) noexcept {
    constexpr std::uint16_t dns = 53, http = 80, https = 443;
    return content == Content::dns ? dns : content == Content::http ? http : https;
}

/// The sum of 16-bit numbers, for a checksum.
std::uint32_t sum_of(Bytes bytes) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        sum += std::to_integer<std::uint32_t>(bytes[i]) << (i % 2 == 0 ? 8U : 0U);
    }
    return sum;
}

void set_checksum(std::vector<std::byte>& packet, std::size_t at, std::uint32_t sum) {
    sum = (sum & 0xFFFFU) + (sum >> 16U);
    sum = ~((sum & 0xFFFFU) + (sum >> 16U)) & 0xFFFFU;
    packet[at] = static_cast<std::byte>(sum >> 8U);
    packet[at + 1] = static_cast<std::byte>(sum & 0xFFU);
}

/// Sets the checksums of an IP packet, which are zeros.
void complete(std::vector<std::byte>& packet, bool is_ipv6, Protocol protocol) {
    using enum Protocol;
    constexpr std::byte zero{0};
    const std::size_t header = is_ipv6 ? 40 : 20;
    const Bytes all(packet);
    if (!is_ipv6) {
        set_checksum(packet, 10, sum_of(all.first(header)));
    }
    const Bytes addresses = is_ipv6 ? all.subspan(8, 32) : all.subspan(12, 8);
    const auto size = static_cast<std::uint32_t>(packet.size() - header);
    const std::uint32_t ends =
        protocol == icmp ? 0 : sum_of(addresses) + size + static_cast<std::uint32_t>(protocol);
    const std::size_t at = protocol == icmp ? 2 : protocol == tcp ? 16 : 6;
    set_checksum(packet, header + at, ends + sum_of(all.subspan(header)));
    if (protocol == udp && packet[header + at] == zero && packet[header + at + 1] == zero) {
        packet[header + at] = packet[header + at + 1] = std::byte{0xFF}; // 0 means none
    }
}

std::string address_text(std::size_t number, bool is_client, bool is_ipv6) {
    return is_ipv6     ? fmt::format("2001:db8::{:x}", is_client ? number + 0x10 : 7)
           : is_client ? fmt::format("192.0.2.{}", number + 1)
                       : "198.51.100.7";
}

} // namespace

Conversations::Conversations(Random random) : random_(random) {
    constexpr std::uint16_t first_port = 50'000;
    for (const ConversationKind& kind : conversation_kinds()) {
        Conversation& talk = all_.emplace_back();
        talk.kind = kind;
        talk.port = static_cast<std::uint16_t>(first_port + all_.size() - 1);
    }
}

/// A TCP server answers, and so does a server of an application.
bool Conversations::picks_forward(const Conversation& talk) {
    const bool is_tcp = talk.kind.protocol == Protocol::tcp;
    if (is_tcp && talk.last_size[0] == 0) {
        return true;
    }
    if (!is_dialog(talk.kind.content)) {
        return random_.chance(0.6);
    }
    const bool is_accepted = !is_tcp || talk.last_size[1] != 0;
    return is_accepted && talk.turn % 2 == 0;
}

Message Conversations::next_message(const Conversation& talk, bool is_forward) {
    constexpr std::size_t min = 600, max = 12'000;
    switch (talk.kind.content) {
    case Content::http:
        return http_message(talk.turn);
    case Content::dns:
        return dns_message(talk.turn, talk.kind.is_ipv6);
    case Content::large:
    case Content::large_without_length:
        if (is_forward) {
            return {.bytes = filler(random_.between(min, max)), .text = {}, .result = {}};
        }
        break;
    case Content::filler:
        break;
    }
    const auto size = random_.below(40) == 0 ? random_.below(4000) : random_.below(1200);
    return {.bytes = filler(size), .text = {}, .result = {}};
}

std::vector<std::byte> Conversations::transport(Conversation& talk, bool is_forward,
                                                Message& message) {
    talk.is_retransmission = talk.is_reset = false;
    const std::uint32_t server = server_port(talk.kind.content);
    const auto size = static_cast<std::uint32_t>(message.bytes.size());
    NetworkBytes to;
    switch (talk.kind.protocol) {
    case Protocol::icmp:
        return to.u8(is_forward ? 8 : 0).u8(0).u16(0).u32(1).bytes(message.bytes).take();
    case Protocol::udp:
        ++talk.turn;
        to.u16(is_forward ? talk.port : server).u16(is_forward ? server : talk.port);
        return to.u16(8 + size).u16(0).bytes(message.bytes).take();
    case Protocol::tcp:
        break;
    }
    return tcp_segment(talk, is_forward, message);
}

/// A segment without the message, which then becomes empty, begins the connection, ends it, or
/// repeats the one before.
std::vector<std::byte> Conversations::tcp_segment(Conversation& talk, bool is_forward,
                                                  Message& message) {
    constexpr std::uint8_t syn = 2, rst = 4, push = 8, ack = 16, data_offset = 0x50;
    const std::size_t side = is_forward ? 0 : 1;
    const std::uint32_t server = server_port(talk.kind.content);
    std::uint32_t& sequence = talk.sequence[side];
    std::uint32_t& last = talk.last_size[side];
    std::vector<std::byte> payload;
    std::uint32_t at = sequence;
    std::uint8_t flags = ack;
    bool has_message = false;
    if (sequence == 1 && last == 0) {
        flags = is_forward ? syn : syn | ack;
        last = 1;
        ++sequence;
    } else if (last > 1 && random_.chance(0.05)) {
        payload = talk.last_payload[side];
        at = sequence - last;
        flags |= push;
        talk.is_retransmission = true;
    } else if (!is_dialog(talk.kind.content) && random_.chance(0.01)) {
        flags = rst;
        talk.is_reset = true;
    } else if (message.bytes.size() != 1) { // a byte alone could be a probe
        has_message = true;
        ++talk.turn;
        payload = message.bytes;
        const auto length = static_cast<std::uint32_t>(payload.size());
        flags |= length > 0 ? push : 0;
        sequence += length;
        if (length > 0) {
            last = length;
            talk.last_payload[side] = payload;
        }
    }
    message = has_message ? std::move(message) : Message{};
    NetworkBytes to;
    to.u16(is_forward ? talk.port : server).u16(is_forward ? server : talk.port);
    to.u32(at).u32(talk.sequence[1 - side]);
    return to.u8(data_offset).u8(flags).u16(1024).u32(0).bytes(payload).take();
}

std::vector<std::byte> Conversations::network(const Conversation& talk, std::size_t number,
                                              const Segment& segment, Bytes transport) {
    const bool has_length = !segment.is_large || talk.kind.content != Content::large_without_length;
    const auto size = static_cast<std::uint32_t>(transport.size());
    const auto protocol = static_cast<std::uint8_t>(talk.kind.protocol);
    const auto client = static_cast<std::uint32_t>(number);
    NetworkBytes to;
    if (segment.is_ipv6) {
        const std::uint32_t ends[] = {client + 0x10, 7};
        to.u32(0x60000000).u16(has_length ? size : 0).u8(protocol).u8(64);
        for (const bool is_source : {true, false}) {
            to.u32(ipv6_prefix).u32(0).u32(0).u32(ends[is_source == segment.is_forward ? 0 : 1]);
        }
    } else {
        const std::uint32_t ends[] = {client_ipv4 + client + 1, server_ipv4};
        to.u8(0x45).u8(0).u16(has_length ? 20 + size : 0).u32(0).u8(64).u8(protocol).u16(0);
        to.u32(ends[segment.is_forward ? 0 : 1]).u32(ends[segment.is_forward ? 1 : 0]);
    }
    auto packet = to.bytes(transport).take();
    complete(packet, segment.is_ipv6, talk.kind.protocol);
    return packet;
}

Segment Conversations::next(std::size_t conversation) {
    constexpr std::size_t tcp_header = 20;
    Conversation& talk = all_[conversation];
    Segment segment{.conversation = conversation,
                    .is_forward = picks_forward(talk),
                    .is_ipv6 = talk.kind.is_ipv6,
                    .is_large = false,
                    .packet = {},
                    .message = {}};
    segment.message = next_message(talk, segment.is_forward);
    const auto payload = transport(talk, segment.is_forward, segment.message);
    segment.message.bytes.clear();
    segment.is_large = segment.is_forward && is_large(talk.kind.content) &&
                       payload.size() > tcp_header + min_large;
    segment.packet = network(talk, conversation, segment, payload);
    return segment;
}

void Conversations::add(const Segment& segment, std::size_t size) {
    Conversation& talk = all_[segment.conversation];
    if (!std::exchange(talk.has_packets, true)) {
        talk.client_is_first = segment.is_forward;
    }
    Sums& sums = talk.sums[segment.is_forward ? 0 : 1];
    ++sums.packets;
    sums.bytes += size;
    sums.retransmissions += talk.is_retransmission ? 1U : 0U;
    sums.resets += talk.is_reset ? 1U : 0U;
    const Message& message = segment.message;
    messages_ += message.text.empty() ? "" : "message," + message.text + "\n";
    if (message.result && !message.result->address.empty()) {
        names_.insert(fmt::format("name,{},{}\n", message.result->address, message.result->name));
    }
}

void Conversations::add_drop(const Segment& segment) {
    Conversation& talk = all_[segment.conversation];
    if (!std::exchange(talk.has_packets, true)) {
        talk.client_is_first = segment.is_forward;
    }
    ++talk.drops;
}

std::string Conversations::truth() const {
    std::string text = messages_;
    for (const std::string& name : names_) {
        text += name;
    }
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const Conversation& talk = all_[i];
        if (!talk.has_packets) {
            continue;
        }
        const Protocol protocol = talk.kind.protocol;
        const bool is_ipv6 = talk.kind.is_ipv6;
        const bool has_ports = protocol != Protocol::icmp;
        const std::string client = has_ports ? std::to_string(talk.port) : "";
        const std::string server = has_ports ? std::to_string(server_port(talk.kind.content)) : "";
        const bool first = talk.client_is_first;
        const Sums& forward = talk.sums[first ? 0 : 1];
        const Sums& backward = talk.sums[first ? 1 : 0];
        text += fmt::format("flow,{},{},{},{},{},{},{},{},{},{},{},{}\n",
                            protocol == Protocol::tcp   ? "TCP"
                            : protocol == Protocol::udp ? "UDP"
                                                        : "ICMP",
                            address_text(i, first, is_ipv6), first ? client : server,
                            address_text(i, !first, is_ipv6), first ? server : client,
                            forward.packets, forward.bytes, backward.packets, backward.bytes,
                            forward.retransmissions + backward.retransmissions,
                            forward.resets + backward.resets, talk.drops);
    }
    return text;
}

} // namespace etl::generate
