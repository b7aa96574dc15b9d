#include "machine/packets.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace etl::machine {

namespace {

constexpr std::size_t packet_bytes = std::size_t{32} << 10U;
constexpr std::int64_t a_second = 1000;
constexpr int max_seconds = 60; // that the other end may take no packet

constexpr std::byte more_parts{1}, last_part{0};

bool send_packet(const host::LocalSocket& socket, Bytes packet, std::span<const int> descriptors) {
    for (int i = 0; i < max_seconds; ++i) {
        switch (socket.send(packet, descriptors)) {
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

bool send_message(const host::LocalSocket& socket, Bytes message, int descriptor) {
    const std::array passed{descriptor};
    std::span<const int> descriptors(passed);
    if (descriptor < 0) {
        descriptors = {};
    }
    std::vector<std::byte> packet;
    do { // NOLINT(cppcoreguidelines-avoid-do-while): an empty message is a packet, too
        const Bytes part = message.first(std::min(message.size(), packet_bytes));
        message = message.subspan(part.size());
        packet.assign(1, message.empty() ? last_part : more_parts);
        packet.insert(packet.end(), part.begin(), part.end());
        if (!send_packet(socket, packet, descriptors)) {
            return false;
        }
        descriptors = {}; // with the first packet
    } while (!message.empty());
    return true;
}

std::optional<ReceivedMessage> receive_message(const host::LocalSocket& socket, std::size_t max) {
    ReceivedMessage message;
    std::vector<host::Descriptor> descriptors;
    std::vector<std::byte> packet(packet_bytes + 1);
    for (;;) {
        const auto received = socket.receive(packet, &descriptors);
        switch (received.state) {
        case host::LocalSocket::Received::State::closed:
            return std::nullopt;
        case host::LocalSocket::Received::State::would_block:
            socket.wait(std::nullopt);
            continue;
        case host::LocalSocket::Received::State::packet:
            break;
        }
        message.has_lost_descriptor = message.has_lost_descriptor || received.has_lost_descriptors;
        if (packet.front() != last_part && packet.front() != more_parts) {
            message.bytes.assign(packet.begin(),
                                 packet.begin() + static_cast<std::ptrdiff_t>(received.size));
            return message;
        }
        const Bytes part = Bytes(packet).first(received.size).subspan(1);
        if (part.size() > max - std::min(max, message.bytes.size()) || descriptors.size() > 1) {
            return std::nullopt;
        }
        message.bytes.insert(message.bytes.end(), part.begin(), part.end());
        if (packet.front() == last_part) {
            if (!descriptors.empty()) {
                message.descriptor = std::move(descriptors.front());
            }
            return message;
        }
    }
}

} // namespace etl::machine
