// Requests of controllers, and the answers. Values; encode and decode are inverse.
// docs/machine-sessions-internals.md#controllers
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/session/runtime.hpp>
#include <etl/session/session.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl::machine {

enum class Verb : std::uint8_t {
    start,
    query,
    list, // all sessions
    flush,
    update,
    next_file,
    to_real_time,
    stop,
    control,   // enable, disable, capture state
    providers, // all registrations
    deliver,   // to the named pipe `file`
};

/// Only the parts that the verb needs are used.
struct Request {
    Verb verb = Verb::list;
    std::string session{}; // by name, ignoring case
    session::SessionOptions options{};
    session::UpdateOptions update{};
    std::string file{}; // flush and stop of an in-memory session; deliver
    Guid provider{};
    session::Control control = session::Control::enable;
    session::EnableOptions enable{};
};

struct Reply {
    session::Status status = session::Status::success;
    std::string what{}; // of a failure
    int os_code = 0;
    std::vector<session::SessionState> sessions{};
    std::vector<session::ProviderState> providers{};
};

std::vector<std::byte> encode(const Request& request);
std::vector<std::byte> encode(const Reply& reply);

/// Return nothing unless the bytes are exactly one message.
std::optional<Request> decode_request(Bytes message);
std::optional<Reply> decode_reply(Bytes message);

} // namespace etl::machine
