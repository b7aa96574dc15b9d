#include "anonymize/packets/packet_events.hpp"

#include "format/known_guids.hpp"

#include <utility>

namespace etl::anonymize {

namespace {

using Holds = PacketPart::Holds;

namespace keyword {
constexpr std::uint64_t wwan = 0x200, tunnel = 0x8000, wifi = 0x10000, start = 0x40000000,
                        end = 0x80000000;
}

/// Walks over a payload and notes its parts. What reaches beyond its end reaches to its end.
class PartFinder {
public:
    PartFinder(Bytes payload, std::vector<PacketPart>& to) : payload_(payload), to_(&to) {}

    void pass(std::size_t size) noexcept { at_ += std::min(size, left()); }

    std::uint32_t u16() noexcept { return number<std::uint16_t>(); }

    std::uint32_t u32() noexcept { return number<std::uint32_t>(); }

    void part(Holds holds, std::size_t size, Link link = Link::unknown) {
        const std::size_t taken = std::min(size, left());
        to_->push_back({holds, link, at_, taken});
        at_ += taken;
    }

    void rest() { part(Holds::unknown, left()); }

    /// UTF-16 up to its zero; without one nothing is known of what follows.
    void text(Holds holds) {
        std::size_t size = 0;
        while (size + 2 <= left() && load_le<std::uint16_t>(payload_.data() + at_ + size) != 0) {
            size += 2;
        }
        if (size + 2 > left()) {
            rest();
            return;
        }
        part(holds, size);
        pass(2);
    }

    std::size_t left() const noexcept { return payload_.size() - at_; }

private:
    template <typename T>
    T number() noexcept {
        const T value = left() < sizeof(T) ? T{0} : load_le<T>(payload_.data() + at_);
        pass(sizeof(T));
        return value;
    }

    Bytes payload_;
    std::vector<PacketPart>* to_;
    std::size_t at_ = 0;
};

/// A fragment that is not the first may be payload from its first byte on. A virtual switch does
/// not fragment: without keywords the packet is complete.
void find_ndis_frame(std::uint64_t keywords, bool at_switch, Fragments fragments,
                     PartFinder& payload) {
    const std::uint32_t size = payload.u32();
    const Link link = (keywords & keyword::wifi) != 0     ? Link::wifi
                      : (keywords & keyword::wwan) != 0   ? Link::ip
                      : (keywords & keyword::tunnel) != 0 ? Link::unknown
                                                          : Link::ethernet;
    const bool has_start = (keywords & keyword::start) != 0;
    const bool has_end = (keywords & keyword::end) != 0;
    const bool is_complete = has_start == has_end && (has_start || at_switch);
    if (!is_complete && fragments == Fragments::kept) {
        payload.pass(size);
    } else {
        payload.part(has_start || is_complete ? Holds::frame : Holds::unknown, size, link);
    }
}

/// Of out-of-band data only the VLAN stays: a hash of addresses is among them.
void find_out_of_band(unsigned pointer_size, PartFinder& payload) {
    constexpr std::size_t vlan = 4;
    payload.u32();
    payload.part(Holds::unknown, vlan * pointer_size);
    payload.pass(pointer_size);
}

/// What the value of a capture rule holds, and the size of one of several: 0: all of it.
std::pair<Holds, std::uint32_t> value_of_rule(std::uint32_t rule) noexcept {
    return rule >= 7 && rule <= 9     ? std::pair(Holds::mac, 6U)
           : rule >= 10 && rule <= 12 ? std::pair(Holds::ipv4, 4U)
           : rule >= 13 && rule <= 15 ? std::pair(Holds::ipv6, 16U)
                                      : std::pair(Holds::unknown, 0U);
}

/// Rules of a capture: which addresses it was about. The rules on EtherTypes, protocols, and
/// truncation stay.
void find_rules(PartFinder& payload) {
    constexpr std::uint32_t ether_type = 6, protocol = 16, truncate = 17;
    while (payload.left() >= 4) {
        const std::uint32_t rule = payload.u16() & 0xFFU; // and a directive
        const std::uint32_t size = payload.u16();
        const auto [holds, each] = value_of_rule(rule);
        if ((rule == ether_type || rule == protocol || rule == truncate) && size <= 4) {
            payload.pass(size);
        } else if (each != 0 && size % each == 0 && size <= payload.left()) {
            for (std::uint32_t at = 0; at < size; at += each) {
                payload.part(holds, each);
            }
        } else {
            payload.part(Holds::unknown, size);
        }
    }
}

void find_in_ndis(const flow::EventHeader& header, Fragments fragments, PartFinder& payload) {
    constexpr std::size_t of_wifi_context = 48;
    constexpr std::size_t interfaces = 8;
    switch (header.id) {
    case 1001:
        payload.pass(interfaces);
        find_ndis_frame(header.keyword, false, fragments, payload);
        break;
    case 1002:
        payload.pass(interfaces);
        payload.pass(payload.u32() == of_wifi_context ? of_wifi_context : 0);
        break;
    case 1003: {
        payload.pass(interfaces + 4);
        payload.text(Holds::computer);
        payload.text(Holds::computer);
        payload.text(Holds::text);
        const std::uint32_t destinations = payload.u32();
        payload.part(Holds::unknown, std::size_t{destinations} * 8);
        find_ndis_frame(header.keyword, true, fragments, payload);
        find_out_of_band(header.pointer_size, payload);
        break;
    }
    case 1011:
        payload.u32(); // their number
        find_rules(payload);
        break;
    default:
        find_rules(payload);
        break;
    }
}

void find_in_ras(PartFinder& payload) {
    payload.text(Holds::text);
    payload.text(Holds::user);
    payload.part(Holds::frame, payload.u32(), Link::ethernet);
}

void find_pktmon_frame(PartFinder& payload) {
    constexpr std::size_t up_to_type = 14, up_to_size = 16;
    payload.pass(up_to_type);
    const std::uint32_t type = payload.u16();
    payload.pass(up_to_size);
    const std::uint32_t size = payload.u16();
    const Link link = type == 1   ? Link::ethernet
                      : type == 2 ? Link::wifi
                      : type == 3 ? Link::ip
                                  : Link::unknown;
    payload.part(type <= 3 ? Holds::frame : Holds::unknown, size, link);
}

void find_pktmon_filter(PartFinder& payload) {
    constexpr std::size_t types = 4, ports = 6;
    payload.u16();
    payload.text(Holds::text);
    payload.part(Holds::mac, 6);
    payload.part(Holds::mac, 6);
    payload.pass(types);
    payload.part(Holds::ipv4, 4);
    payload.part(Holds::ipv4, 4);
    payload.pass(ports);
}

void find_in_pktmon(std::uint16_t id, PartFinder& payload) {
    constexpr std::size_t property = 4; // and the component that has it
    constexpr std::size_t counters = 2 * (2 + 8 + 8);
    switch (id) {
    case 20:
        payload.pass(property);
        payload.text(Holds::text);
        payload.text(Holds::text);
        break;
    case 30:
        payload.pass(property + 4);
        break;
    case 40:
        payload.pass(property + 16);
        break;
    case 60:
    case 75:
        payload.pass(property + 2);
        break;
    case 65:
        payload.pass(property);
        payload.part(Holds::ipv4, 4);
        break;
    case 66:
        payload.pass(property);
        payload.part(Holds::ipv6, 16);
        break;
    case 70: {
        payload.pass(property);
        const std::uint32_t size = payload.u32();
        payload.part(size == 6 ? Holds::mac : Holds::unknown, size);
        break;
    }
    case 73:
        payload.pass(property);
        payload.text(Holds::computer);
        break;
    case 80:
        payload.pass(2 + counters);
        break;
    case 90:
        payload.pass(2);
        payload.text(Holds::text);
        payload.pass(2 + counters);
        break;
    case 100:
        find_pktmon_filter(payload);
        break;
    default:
        find_pktmon_frame(payload);
        break;
    }
}

} // namespace

PacketEvent packet_event_of(const flow::EventHeader& header) noexcept {
    if (header.version != 0 || header.is_kernel) {
        return PacketEvent::none;
    }
    if (header.provider == format::ndis_capture_guid) {
        const bool has_rules = header.id == 1011 || header.id == 1016; // short addresses
        return header.id == 1001 || header.id == 1003 || has_rules ? PacketEvent::packet
               : header.id == 1002                                 ? PacketEvent::details
                                                                   : PacketEvent::none;
    }
    if (header.provider == format::ras_capture_guid) {
        return header.id == 5001 || header.id == 5002 ? PacketEvent::packet : PacketEvent::none;
    }
    if (header.provider == format::pktmon_guid) {
        constexpr std::uint16_t described[] = {20, 30, 40, 60, 65, 66, 70, 73, 75, 80, 90, 100};
        return header.id == 160 || header.id == 170 ? PacketEvent::packet
               : std::ranges::find(described, header.id) != std::end(described)
                   ? PacketEvent::details
                   : PacketEvent::none;
    }
    return PacketEvent::none;
}

void find_packet_parts(const flow::EventHeader& header, std::vector<PacketPart>& to,
                       Fragments fragments) {
    to.clear();
    PartFinder payload(header.payload, to);
    if (header.provider == format::ndis_capture_guid) {
        find_in_ndis(header, fragments, payload);
    } else if (header.provider == format::ras_capture_guid) {
        find_in_ras(payload);
    } else {
        find_in_pktmon(header.id, payload);
    }
    payload.rest();
}

} // namespace etl::anonymize
