// The conversations of a capture, and how each is captured. docs/generate.md#capture
#pragma once

#include "verbs/generate/recipe.hpp"

#include <cstdint>
#include <span>

namespace cli::generate {

/// How the packets of a conversation are captured. Capture has a function for each.
enum class Way : std::uint8_t {
    ndis,
    stack, // of PktMon: adapter, filter, protocol
    wifi,
    mobile,
    vm_switch,
    remote,
    fragments,
    wifi_stack,
    newer_stack, // PktMon as of Windows 11 24H2
    tagged,
    twice_tagged,
    tagged_switch,
    segmented,
    segmented_switch,
    other_user,
    other_domain,
    layers,
};

/// IANA protocol numbers.
enum class Protocol : std::uint8_t { icmp = 1, tcp = 6, udp = 17 };

/// What a conversation consists of.
enum class Content : std::uint8_t {
    filler,
    large,                // what the client sends is to be segmented by its adapter
    large_without_length, // the same; the length in the IP header is 0
    http,
    dns,
};

/// Request and response, in turn.
constexpr bool is_dialog(Content content) noexcept {
    return content == Content::http || content == Content::dns;
}

constexpr bool is_large(Content content) noexcept {
    return content == Content::large || content == Content::large_without_length;
}

struct ConversationKind {
    CaptureKind kind;
    Way way;
    Protocol protocol;
    bool is_ipv6 = false;
    Content content = Content::filler;
};

/// All conversations. Addresses and ports follow from their places in the list.
std::span<const ConversationKind> conversation_kinds() noexcept;

} // namespace cli::generate
