// Conversations over TCP, UDP, and ICMP: packets, and sums over each. One thread.
#pragma once

#include <etl/base/bytes.hpp>

#include "verbs/generate/random.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace cli::generate {

/// A packet of a conversation.
struct Segment {
    std::size_t conversation = 0;
    bool is_forward = true;
    bool is_ipv6 = false;
    std::vector<std::byte> packet; // from the IP header on
};

class Conversations {
public:
    /// Number of conversations; each is captured in one way.
    static constexpr std::size_t count = 14;

    explicit Conversations(Random random);

    /// Returns the next packet of a conversation. Its sums are updated by counted().
    Segment next(std::size_t conversation);

    /// Adds a captured packet of `size` bytes on the wire to the sums.
    void add(const Segment& segment, std::size_t size);

    /// Adds a dropped packet.
    void add_drop(const Segment& segment);

    /// Lines `flow,PROTOCOL,SOURCE,PORT,DESTINATION,PORT,PACKETS,BYTES,...` of all conversations
    /// with packets. Columns: docs/generate.md#capture.
    std::string truth() const;

private:
    enum class Protocol : std::uint8_t { icmp = 1, tcp = 6, udp = 17 };

    struct Sums {
        std::uint64_t packets = 0, bytes = 0, retransmissions = 0, resets = 0;
    };

    /// What the last packet of a conversation was, until it is added.
    struct Conversation {
        Protocol protocol = Protocol::tcp;
        bool is_ipv6 = false;
        std::uint16_t port = 0;             // of the client
        std::uint32_t sequence[2] = {1, 1}; // of the next byte: client, server
        std::uint32_t last_size[2] = {0, 0};
        bool is_retransmission = false, is_reset = false;
        bool client_is_first = true;
        bool has_packets = false;
        Sums sums[2];
        std::uint64_t drops = 0;
    };

    std::vector<std::byte> transport(Conversation& talk, bool is_forward);
    std::vector<std::byte> network(std::size_t number, bool is_forward,
                                   const std::vector<std::byte>& transport) const;

    Random random_;
    std::vector<Conversation> all_;
};

} // namespace cli::generate
