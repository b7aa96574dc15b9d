// Conversations over TCP, UDP, and ICMP: how each is captured, its packets, and sums over them. One
// thread. docs/generate.md#capture
#pragma once

#include <etl/bytes.hpp>

#include "generate/generate.hpp"
#include "generate/packets.hpp"
#include "generate/random.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace etl::generate {

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

class Conversations {
public:
    /// All of conversation_kinds().
    explicit Conversations(Random random);

    /// Returns the next packet of a conversation. Its sums are updated by counted().
    Segment next(std::size_t conversation);

    /// Adds a captured packet of `size` bytes on the wire to the sums.
    void add(const Segment& segment, std::size_t size);

    /// Adds a dropped packet.
    void add_drop(const Segment& segment);

    /// Lines `message,...` of the messages of applications, `name,...` of the names that were
    /// resolved, and `flow,...` of all conversations with packets. docs/generate.md#capture
    std::string truth() const;

private:
    struct Sums {
        std::uint64_t packets = 0, bytes = 0, retransmissions = 0, resets = 0;
    };

    /// What the last packet of a conversation was, until it is added.
    struct Conversation {
        ConversationKind kind;
        std::uint16_t port = 0;             // of the client
        std::uint32_t sequence[2] = {1, 1}; // of the next byte: client, server
        std::uint32_t last_size[2] = {0, 0};
        std::vector<std::byte> last_payload[2];
        std::uint64_t turn = 0; // messages of the application so far
        bool is_retransmission = false, is_reset = false;
        bool client_is_first = true;
        bool has_packets = false;
        Sums sums[2];
        std::uint64_t drops = 0;
    };

    bool picks_forward(const Conversation& talk);
    Message next_message(const Conversation& talk, bool is_forward);
    std::vector<std::byte> transport(Conversation& talk, bool is_forward, Message& message);
    std::vector<std::byte> tcp_segment(Conversation& talk, bool is_forward, Message& message);
    static std::vector<std::byte> network(const Conversation& talk, std::size_t number,
                                          const Segment& segment, Bytes transport);

    Random random_;
    std::vector<Conversation> all_;
    std::string messages_;
    std::set<std::string> names_;
};

} // namespace etl::generate
