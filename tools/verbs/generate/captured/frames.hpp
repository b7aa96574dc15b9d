// Link layers for the packets of conversations. Pure; thread-safe.
#pragma once

#include "verbs/generate/captured/conversations.hpp"

#include <initializer_list>
#include <span>
#include <vector>

namespace cli::generate {

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

} // namespace cli::generate
