// Requests of controllers, and the answers. Values; encode and decode are inverse.
// docs/machine-sessions-internals.md#controllers
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/machine.hpp>
#include <etl/session.hpp>

#include "host/descriptor.hpp"
#include "host/local_socket.hpp"
#include "io/passed_files.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace etl::machine {

// Messages of any size as packets: each begins with a byte that says whether it is the last.

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
    deliver,   // to the passed pipe
    disallow,
    disallowed,
    events, // of sessions
};

/// What comes with a request: the file that it names, opened by the controller, because the host
/// may see other directories (a container), and may have other rights.
enum class Passing : std::uint8_t {
    nothing,
    file,
    new_file,  // that did not exist before
    directory, // of a series of files
    failure,   // it could not be opened: the host says so when it needs it
};

/// Only the parts that the verb needs are used.
struct Request {
    Verb verb = Verb::list;
    std::string session{}; // by name, ignoring case
    session::SessionOptions options{};
    session::UpdateOptions update{};
    std::string file{}; // flush and stop of an in-memory session; deliver
    Passing passing = Passing::nothing;
    ErrorCode passing_error = ErrorCode::none; // of Passing::failure
    int passing_os_code = 0;
    Guid provider{};
    session::Control control = session::Control::enable;
    session::EnableOptions enable{};
    std::vector<Guid> disallowed{};
    std::uint64_t since = 0; // events
    Milliseconds limit{};
};

struct Reply {
    session::Status status = session::Status::success;
    std::string what{}; // of a failure
    int os_code = 0;
    std::vector<session::SessionState> sessions{};
    std::vector<session::ProviderState> providers{};
    std::vector<Guid> disallowed{};
    SessionEvents events{};
};

std::vector<std::byte> encode(const Request& request);
std::vector<std::byte> encode(const Reply& reply);

/// Return nothing unless the bytes are exactly one message.
std::optional<Request> decode_request(Bytes message);
std::optional<Reply> decode_reply(Bytes message);

// OpenedFile: the file that a request names, opened by the controller and passed to the host, which
// opens none by path. docs/machine-sessions-internals.md#files

/// Returns an absolute path; the empty one stays empty.
std::string absolute(const std::string& file);

/// Returns whether a session with this mode opens the file of the request if it executes it. For
/// both sides.
bool needs_file(const Request& request, std::uint32_t mode);

/// The controller.
class OpenedFile {
public:
    /// None.
    OpenedFile() = default;

    /// Opens the file, or for a series its directory. A failure is passed to the host, which checks
    /// other things first.
    static OpenedFile open(const std::string& path, bool is_series);

    void describe_in(Request& request) const;

    /// -1: none.
    int descriptor() const noexcept { return descriptor_.number(); }

    /// The host has refused the request: closes the file, and removes one that open() created
    /// unless another session has opened it since.
    void remove_if_new();

private:
    std::string path_;
    host::Descriptor descriptor_;
    Passing passing_ = Passing::nothing;
    Error error_;
};

// The host.

/// Adds what a controller passed for the file `path`.
void add_passed(io::PassedFiles& to, const std::string& path, const Request& request,
                host::Descriptor descriptor);

} // namespace etl::machine
