// Packets as they are on the wire. For the tests of this room.
#pragma once

#include "anonymize/packets/frame.hpp"
#include "base/text.hpp"
#include "tests/unit/editing/anonymize/anonymized.hpp"

namespace etl::anonymize {

inline const Pseudonyms& pseudonyms() {
    static const Pseudonyms made(key_of_text("tests"));
    return made;
}

/// Numbers in network order.
class Wire {
public:
    Wire& u8(unsigned value) {
        bytes_.push_back(static_cast<std::byte>(value));
        return *this;
    }

    Wire& u16(unsigned value) { return u8(value >> 8U & 0xFFU).u8(value & 0xFFU); }

    Wire& u32(std::uint32_t value) { return u16(value >> 16U).u16(value & 0xFFFFU); }

    Wire& text(std::string_view text) {
        for (const char c : text) {
            u8(static_cast<unsigned char>(c));
        }
        return *this;
    }

    Wire& bytes(Bytes more) {
        bytes_.insert(bytes_.end(), more.begin(), more.end());
        return *this;
    }

    Wire& fill(std::size_t count, unsigned value) {
        bytes_.insert(bytes_.end(), count, static_cast<std::byte>(value));
        return *this;
    }

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

inline constexpr std::uint32_t alice = 0xC0A80A17, bob = 0x5DB8D822; // 192.168.10.23, 93.184.216.34

inline std::vector<std::byte> ipv4(unsigned protocol, const std::vector<std::byte>& payload,
                                   unsigned fragment = 0, Bytes options = {}) {
    const auto header = static_cast<unsigned>(20 + options.size());
    Wire wire;
    wire.u8(0x40U | header / 4).u8(0).u16(header + static_cast<unsigned>(payload.size()));
    wire.u16(0x1234).u16(fragment).u8(64).u8(protocol).u16(0xBEEF).u32(alice).u32(bob);
    return wire.bytes(options).bytes(payload).take();
}

inline std::vector<std::byte> ipv6(unsigned next, const std::vector<std::byte>& payload) {
    Wire wire;
    wire.u32(0x60000000).u16(static_cast<unsigned>(payload.size())).u8(next).u8(64);
    for (const unsigned end : {0x1111U, 0x2222U}) {
        wire.u32(0x20010DB8).u32(0xABCD0001).u32(0x0215).u32(0x5D000000U | end);
    }
    return wire.bytes(payload).take();
}

inline std::vector<std::byte> ethernet(unsigned type, const std::vector<std::byte>& payload) {
    Wire wire;
    wire.u16(0x0015).u32(0x5D010203).u16(0x0015).u32(0x5D0A0B0C).u16(type);
    return wire.bytes(payload).take();
}

inline std::vector<std::byte> tcp(std::string_view payload, Bytes options = {}) {
    Wire wire;
    wire.u16(443).u16(51000).u32(7).u32(8).u8((20 + static_cast<unsigned>(options.size())) * 4);
    wire.u8(0x18).u16(1000).u16(0xBEEF).u16(0).bytes(options).text(payload);
    return wire.take();
}

inline std::vector<std::byte> udp(std::string_view payload, unsigned checksum = 0xBEEF) {
    Wire wire;
    wire.u16(53).u16(51000).u16(8 + static_cast<unsigned>(payload.size())).u16(checksum);
    return wire.text(payload).take();
}

inline std::uint32_t pseudonym_of(std::uint32_t address) {
    const auto octets = pseudonyms().ipv4(
        {static_cast<std::uint8_t>(address >> 24U), static_cast<std::uint8_t>(address >> 16U),
         static_cast<std::uint8_t>(address >> 8U), static_cast<std::uint8_t>(address)});
    std::uint32_t result = 0;
    for (const std::uint8_t octet : octets) {
        result = result << 8U | octet;
    }
    return result;
}

} // namespace etl::anonymize
