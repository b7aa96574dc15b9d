// Events that hold captured packets, or say of whom they are: where their parts lie. Private to
// anonymize. docs/anonymize.md#packets
#pragma once

#include "anonymize/packets/frame.hpp"
#include "flow/event.hpp"

#include <vector>

namespace etl::anonymize {

/// A part of a payload and what it holds.
struct PacketPart {
    enum class Holds : std::uint8_t { frame, unknown, text, user, computer, ipv4, ipv6, mac };

    Holds holds = Holds::unknown;
    Link link = Link::unknown; // of a frame
    std::size_t at = 0, size = 0;
};

/// What is known of a kind of event without its schema.
enum class PacketEvent : std::uint8_t {
    none,
    details, // of adapters, components, filters; a schema knows it as well
    packet,  // a schema would say that it is binary
};

/// Finds the packet event by provider, ID, and version.
PacketEvent packet_event_of(const flow::EventHeader& header) noexcept;

/// What becomes of the data of fragments, whose packets begin or end in other events.
enum class Fragments : std::uint8_t { wiped, kept };

/// The parts of the payload that may be private, in their order and within it, whatever its numbers
/// say; what lies behind the last known field is one of them. `header` is of such an event.
void find_packet_parts(const flow::EventHeader& header, std::vector<PacketPart>& to,
                       Fragments fragments = Fragments::wiped);

} // namespace etl::anonymize
