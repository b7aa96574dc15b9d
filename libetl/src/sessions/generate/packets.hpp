// The bytes of packets: messages of applications (HTTP: RFC 9110, RFC 9112; DNS: RFC 1035), and
// link layers. Pure; thread-safe.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::generate {

/// Numbers in network order.
class NetworkBytes {
public:
    NetworkBytes& u8(std::uint32_t value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }

    NetworkBytes& u16(std::uint32_t value) { return u8(value >> 8U & 0xFFU).u8(value & 0xFFU); }

    NetworkBytes& u32(std::uint32_t value) { return u16(value >> 16U).u16(value & 0xFFFFU); }

    NetworkBytes& bytes(Bytes more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
        return *this;
    }

    NetworkBytes& text(std::string_view more) { return bytes(std::as_bytes(std::span(more))); }

    std::size_t size() const noexcept { return bytes_.size(); }

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

/// What the resolver of a machine learned from a DNS response.
struct DnsResult {
    std::string name;
    std::uint32_t type = 0;   // of the query: 1 or 28
    std::uint32_t status = 0; // of Windows: 0, or 9003 (DNS_ERROR_RCODE_NAME_ERROR)
    std::string address;      // empty: none
    std::string alias;        // of which `address` is; empty: none
};

struct Message {
    std::vector<std::byte> bytes;
    std::string text; // what the message says; empty: nothing
    std::optional<DnsResult> result;
};

/// `size` letters.
std::vector<std::byte> filler(std::size_t size);

/// The messages of a conversation by `turn`: requests are even, and their responses follow them.
Message http_message(std::uint64_t turn);
Message dns_message(std::uint64_t turn, bool is_ipv6);

/// A packet of a conversation.
struct Segment {
    std::size_t conversation = 0;
    bool is_forward = true;
    bool is_ipv6 = false;
    bool is_large = false;         // to be segmented by the adapter
    std::vector<std::byte> packet; // from the IP header on
    Message message;               // that the packet contains, without its bytes
};

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values);

/// A tag of IEEE 802.1Q or 802.1ad.
struct Tag {
    std::uint16_t type = 0x8100;
    std::uint16_t control = 0; // priority, drop eligibility, and VLAN
};

std::vector<std::byte> ethernet_frame(const Segment& segment, std::span<const Tag> tags = {});

/// A data frame of 802.11, to the access point.
std::vector<std::byte> wifi_frame(const Segment& segment);

/// The same with QoS; received frames come from the access point. `is_protected`: the bit of
/// encrypted frames is set.
std::vector<std::byte> wifi_qos_frame(const Segment& segment, bool is_protected);

} // namespace etl::generate
