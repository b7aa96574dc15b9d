// Packets between processes of a machine. Sockets never block; wait with a Poller or `wait`. Linux
// only; elsewhere every call fails (unsupported).
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "host/descriptor.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etl::host {

/// The process at the other end when it connected, in the namespaces of this process. From the
/// kernel, so it cannot be forged.
struct Peer {
    std::uint32_t process_id = 0, user_id = 0, group_id = 0;
};

/// What the kernel knows of a process.
struct PeerProcess {
    std::uint64_t start_key = 0; // its process_start_key(); 0: not known
    std::string program{};       // file name of what it runs, else its name for the kernel
};

class LocalSocket {
public:
    LocalSocket() noexcept = default;

    /// Errors: not_found (no socket there, or nothing listens on it), io_failure, unsupported.
    static Result<LocalSocket> connect(const std::string& path);

    /// Replaces a socket that is left at `path`. `mode` are permission bits, such as 0600.
    static Result<LocalSocket> listen(const std::string& path, unsigned mode);

    /// Returns the listening socket that a service manager passed to this program
    /// (sd_listen_fds(3)), once; nothing if there is none.
    static std::optional<LocalSocket> passed();

    /// Returns a new connection of a listening socket. Errors: not_found (none waits), limit (one
    /// waits, and this process or the machine has no descriptor or memory for it).
    Result<LocalSocket> accept() const;

    /// Sends one packet, with descriptors if given. `closed`: the other end is gone.
    enum class Sent : std::uint8_t { done, would_block, closed };
    Sent send(Bytes packet, std::span<const int> descriptors = {}) const noexcept;

    /// One packet.
    struct Received {
        enum class State : std::uint8_t { packet, would_block, closed };
        State state = State::closed;
        std::size_t size = 0;
        /// Descriptors came with it that are lost: this process may have no more, or there were too
        /// many.
        bool has_lost_descriptors = false;
    };

    /// Receives a packet; a longer one is closed as invalid. Descriptors that come with it are
    /// closed unless `descriptors` is given. What the other end has sent before it closed the
    /// connection is received, even if it left packets of this end unread.
    Received receive(MutableBytes to, std::vector<Descriptor>* descriptors = nullptr) const;

    /// Waits until a packet, a connection, or the end has arrived. False: the time is over.
    bool wait(std::optional<std::int64_t> milliseconds) const noexcept;
    /// Returns whether the other end has closed the connection. Does not wait.
    bool has_ended() const noexcept;
    /// Waits until a packet can be sent.
    bool wait_to_send(std::int64_t milliseconds) const noexcept;

    Peer peer() const noexcept;
    /// Returns what is known of the process that connected; nothing if it has ended or is not
    /// visible from here. Its word does not count.
    PeerProcess peer_process() const;
    /// Returns the supplementary groups of the peer when it connected.
    std::vector<std::uint32_t> peer_groups() const;

    int number() const noexcept { return descriptor_.number(); }

    explicit operator bool() const noexcept { return static_cast<bool>(descriptor_); }

    /// False: this program closed the descriptor, and its number may be something else now.
    bool is_intact() const noexcept { return identity_of(number()) == identity_; }

    /// Ends the connection for both sides, if the descriptor is still the socket. Thread-safe.
    void shut_down() const noexcept;

    /// Closes the descriptor if it is still the socket.
    void close() noexcept;

    LocalSocket(LocalSocket&&) noexcept = default;
    LocalSocket& operator=(LocalSocket&&) noexcept = default;

    ~LocalSocket() { close(); }

private:
    explicit LocalSocket(Descriptor descriptor) noexcept;

    Descriptor descriptor_;
    FileIdentity identity_;
};

/// Waits for many descriptors in one thread.
class Poller {
public:
    /// Errors: io_failure, unsupported.
    static Result<Poller> create();

    enum class Ready : std::uint8_t {
        to_receive, // something is there, or the end
        to_send,    // there is space again, after there was none; or the other end is gone
    };

    /// `tag` is returned by wait; not ~0. A descriptor that is closed is removed.
    Result<void> add(int descriptor, std::uint64_t tag,
                     Ready when = Ready::to_receive) const noexcept;
    void remove(int descriptor) const noexcept;

    /// Returns the tags of the descriptors that are ready.
    std::vector<std::uint64_t> wait(std::optional<std::int64_t> milliseconds) const;

    /// Waits until any is ready, or for wake().
    void wait_any(std::optional<std::int64_t> milliseconds) const noexcept;

    /// Ends wait() in another thread, or the next one. Thread-safe.
    void wake() const noexcept;

private:
    void take_wake() const noexcept;

    Descriptor poll_, wake_;
};

} // namespace etl::host
