// Messages of any size as packets: each begins with a byte that says whether it is the last.
#pragma once

#include "host/local_socket.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace etl::machine {

/// No message is larger; a request of a controller at most max_request_bytes.
inline constexpr std::size_t max_reply_bytes = std::size_t{256} << 20U;
inline constexpr std::size_t max_request_bytes = std::size_t{256} << 10U;

/// Sends a message, with a descriptor unless it is -1. False: the other end is gone.
bool send_message(const host::LocalSocket& socket, Bytes message, int descriptor = -1);

struct ReceivedMessage {
    std::vector<std::byte> bytes;
    host::Descriptor descriptor;      // empty: none came with it
    bool has_lost_descriptor = false; // one came, and this process can have no more
};

/// Waits for a message. A packet that is not part of one (link::Refusal) is returned as it is.
/// Nothing: the other end is gone, or sent a larger one, or more than one descriptor.
std::optional<ReceivedMessage> receive_message(const host::LocalSocket& socket, std::size_t max);

} // namespace etl::machine
