// Conversations over TCP, UDP, and ICMP: packets, and sums over each. One thread.
#pragma once

#include <etl/bytes.hpp>

#include "verbs/generate/captured/kinds.hpp"
#include "verbs/generate/captured/messages.hpp"
#include "verbs/generate/random.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cli::generate {

/// A packet of a conversation.
struct Segment {
    std::size_t conversation = 0;
    bool is_forward = true;
    bool is_ipv6 = false;
    bool is_large = false;         // to be segmented by the adapter
    std::vector<std::byte> packet; // from the IP header on
    Message message;               // that the packet contains, without its bytes
};

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
                                          const Segment& segment, etl::Bytes transport);

    Random random_;
    std::vector<Conversation> all_;
    std::string messages_;
    std::set<std::string> names_;
};

} // namespace cli::generate
