#include "verbs/generate/captured/conversations.hpp"

#include <fmt/format.h>

#include <utility>

namespace cli::generate {

namespace {

/// Numbers in network order.
class NetworkBytes {
public:
    NetworkBytes& u8(std::uint32_t value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }

    NetworkBytes& u16(std::uint32_t value) { return u8(value >> 8U & 0xFFU).u8(value & 0xFFU); }

    NetworkBytes& u32(std::uint32_t value) { return u16(value >> 16U).u16(value & 0xFFFFU); }

    NetworkBytes& bytes(etl::Bytes more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
        return *this;
    }

    NetworkBytes& fill(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            u8(static_cast<std::uint32_t>('a' + i % 26));
        }
        return *this;
    }

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

// Addresses for documentation: RFC 5737, RFC 3849.
constexpr std::uint32_t client_ipv4 = 0xC0000200; // 192.0.2.0, plus a number
constexpr std::uint32_t server_ipv4 = 0xC6336407; // 198.51.100.7
constexpr std::uint32_t ipv6_prefix = 0x20010DB8;
constexpr std::uint16_t server_port = 443;

/// The sum of 16-bit numbers, for a checksum.
std::uint32_t sum_of(etl::Bytes bytes) {
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
void complete(std::vector<std::byte>& packet, bool is_ipv6, std::uint8_t protocol) {
    constexpr std::uint8_t icmp = 1, tcp = 6, udp = 17;
    constexpr std::byte zero{0};
    const std::size_t header = is_ipv6 ? 40 : 20;
    const etl::Bytes all(packet);
    if (!is_ipv6) {
        set_checksum(packet, 10, sum_of(all.first(header)));
    }
    const etl::Bytes addresses = is_ipv6 ? all.subspan(8, 32) : all.subspan(12, 8);
    const auto size = static_cast<std::uint32_t>(packet.size() - header);
    const std::uint32_t ends = protocol == icmp ? 0 : sum_of(addresses) + size + protocol;
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

Conversations::Conversations(Random random) : random_(random), all_(count) {
    constexpr std::uint16_t first_port = 50'000;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        all_[i].protocol = i % 4 == 2 ? Protocol::udp : i % 8 == 3 ? Protocol::icmp : Protocol::tcp;
        all_[i].is_ipv6 = i % 3 == 1 && all_[i].protocol != Protocol::icmp;
        all_[i].port = static_cast<std::uint16_t>(first_port + i);
    }
}

std::vector<std::byte> Conversations::transport(Conversation& talk, bool is_forward) {
    constexpr std::uint8_t syn = 2, rst = 4, push = 8, ack = 16, data_offset = 0x50;
    const auto size = static_cast<std::uint32_t>(random_.below(40) == 0 ? random_.below(4000)
                                                                        : random_.below(1200));
    const std::uint32_t source = is_forward ? talk.port : server_port;
    const std::uint32_t destination = is_forward ? server_port : talk.port;
    talk.is_retransmission = talk.is_reset = false;
    NetworkBytes to;
    if (talk.protocol == Protocol::icmp) {
        to.u8(is_forward ? 8 : 0).u8(0).u16(0).u32(1).fill(size);
        return to.take();
    }
    if (talk.protocol == Protocol::udp) {
        to.u16(source).u16(destination).u16(8 + size).u16(0).fill(size);
        return to.take();
    }
    std::uint32_t& sequence = talk.sequence[is_forward ? 0 : 1];
    std::uint32_t& last = talk.last_size[is_forward ? 0 : 1];
    const bool is_first = sequence == 1 && last == 0;
    std::uint32_t length = size;
    std::uint32_t at = sequence;
    std::uint8_t flags = ack;
    if (is_first) {
        length = 0;
        flags = is_forward ? syn : syn | ack;
        last = 1;
        ++sequence;
    } else if (last > 1 && random_.chance(0.05)) {
        length = last; // the last segment again
        at = sequence - last;
        flags |= push;
        talk.is_retransmission = true;
    } else if (random_.chance(0.01)) {
        length = 0;
        flags = rst;
        talk.is_reset = true;
    } else if (length != 1) { // talk byte alone could be a probe
        flags |= length > 0 ? push : 0;
        sequence += length;
        last = length > 0 ? length : last;
    } else {
        length = 0;
    }
    to.u16(source).u16(destination).u32(at).u32(talk.sequence[is_forward ? 1 : 0]);
    to.u8(data_offset).u8(flags).u16(1024).u32(0).fill(length);
    return to.take();
}

std::vector<std::byte> Conversations::network(std::size_t number, bool is_forward,
                                              const std::vector<std::byte>& transport) const {
    const Conversation& talk = all_[number];
    const auto size = static_cast<std::uint32_t>(transport.size());
    const auto protocol = static_cast<std::uint8_t>(talk.protocol);
    const auto client = static_cast<std::uint32_t>(number);
    NetworkBytes to;
    if (talk.is_ipv6) {
        const std::uint32_t ends[] = {client + 0x10, 7};
        to.u32(0x60000000).u16(size).u8(protocol).u8(64);
        for (const bool is_source : {true, false}) {
            to.u32(ipv6_prefix).u32(0).u32(0).u32(ends[is_source == is_forward ? 0 : 1]);
        }
    } else {
        const std::uint32_t ends[] = {client_ipv4 + client + 1, server_ipv4};
        to.u8(0x45).u8(0).u16(20 + size).u32(0).u8(64).u8(protocol).u16(0);
        to.u32(ends[is_forward ? 0 : 1]).u32(ends[is_forward ? 1 : 0]);
    }
    auto packet = to.bytes(transport).take();
    complete(packet, talk.is_ipv6, protocol);
    return packet;
}

Segment Conversations::next(std::size_t conversation) {
    Conversation& talk = all_[conversation];
    // A TCP server answers.
    const bool is_new = talk.protocol == Protocol::tcp && talk.last_size[0] == 0;
    const bool is_forward = is_new || random_.chance(0.6);
    return {.conversation = conversation,
            .is_forward = is_forward,
            .is_ipv6 = talk.is_ipv6,
            .packet = network(conversation, is_forward, transport(talk, is_forward))};
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
}

void Conversations::add_drop(const Segment& segment) {
    Conversation& talk = all_[segment.conversation];
    if (!std::exchange(talk.has_packets, true)) {
        talk.client_is_first = segment.is_forward;
    }
    ++talk.drops;
}

std::string Conversations::truth() const {
    std::string text;
    for (std::size_t i = 0; i < all_.size(); ++i) {
        const Conversation& talk = all_[i];
        if (!talk.has_packets) {
            continue;
        }
        const bool has_ports = talk.protocol != Protocol::icmp;
        const std::string client = has_ports ? std::to_string(talk.port) : "";
        const std::string server = has_ports ? std::to_string(server_port) : "";
        const bool first = talk.client_is_first;
        const Sums& forward = talk.sums[first ? 0 : 1];
        const Sums& backward = talk.sums[first ? 1 : 0];
        text += fmt::format("flow,{},{},{},{},{},{},{},{},{},{},{},{}\n",
                            talk.protocol == Protocol::tcp   ? "TCP"
                            : talk.protocol == Protocol::udp ? "UDP"
                                                             : "ICMP",
                            address_text(i, first, talk.is_ipv6), first ? client : server,
                            address_text(i, !first, talk.is_ipv6), first ? server : client,
                            forward.packets, forward.bytes, backward.packets, backward.bytes,
                            forward.retransmissions + backward.retransmissions,
                            forward.resets + backward.resets, talk.drops);
    }
    return text;
}

} // namespace cli::generate
