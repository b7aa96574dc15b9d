#include "machine/packets.hpp"

#include <algorithm>

namespace etl::machine {

namespace {

constexpr std::size_t packet_bytes = std::size_t{32} << 10U;
constexpr std::int64_t a_second = 1000;
constexpr int most_seconds = 60; // that the other end may take no packet

constexpr std::byte more_parts{1}, last_part{0};

bool send_packet(const host::LocalSocket& socket, Bytes packet) {
    for (int i = 0; i < most_seconds; ++i) {
        switch (socket.send(packet)) {
        case host::LocalSocket::Sent::done:
            return true;
        case host::LocalSocket::Sent::closed:
            return false;
        case host::LocalSocket::Sent::would_block:
            socket.wait_to_send(a_second);
        }
    }
    return false;
}

} // namespace

bool send_message(const host::LocalSocket& socket, Bytes message) {
    std::vector<std::byte> packet;
    do { // NOLINT(cppcoreguidelines-avoid-do-while): an empty message is a packet, too
        const Bytes part = message.first(std::min(message.size(), packet_bytes));
        message = message.subspan(part.size());
        packet.assign(1, message.empty() ? last_part : more_parts);
        packet.insert(packet.end(), part.begin(), part.end());
        if (!send_packet(socket, packet)) {
            return false;
        }
    } while (!message.empty());
    return true;
}

std::optional<std::vector<std::byte>> receive_message(const host::LocalSocket& socket,
                                                      std::size_t most) {
    std::vector<std::byte> message;
    std::vector<std::byte> packet(packet_bytes + 1);
    for (;;) {
        const auto received = socket.receive(packet);
        switch (received.state) {
        case host::LocalSocket::Received::State::closed:
            return std::nullopt;
        case host::LocalSocket::Received::State::would_block:
            socket.wait(std::nullopt);
            continue;
        case host::LocalSocket::Received::State::packet:
            break;
        }
        const Bytes part = Bytes(packet).first(received.size).subspan(1);
        if (part.size() > most - std::min(most, message.size())) {
            return std::nullopt;
        }
        message.insert(message.end(), part.begin(), part.end());
        if (packet.front() == last_part) {
            return message;
        }
    }
}

} // namespace etl::machine
