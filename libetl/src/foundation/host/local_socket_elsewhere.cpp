#include "host/local_socket.hpp"

#if !defined(__linux__) // every call fails

#include <utility>

namespace etl::host {

LocalSocket::LocalSocket(Descriptor descriptor) noexcept : descriptor_(std::move(descriptor)) {}

void LocalSocket::close() noexcept {}

void LocalSocket::shut_down() const noexcept {}

Result<LocalSocket> LocalSocket::connect(const std::string&) {
    return fail(ErrorCode::unsupported, "socket");
}

Result<LocalSocket> LocalSocket::listen(const std::string&, unsigned) {
    return fail(ErrorCode::unsupported, "socket");
}

std::optional<LocalSocket> LocalSocket::passed() {
    return std::nullopt;
}

Result<LocalSocket> LocalSocket::accept() const {
    return fail(ErrorCode::unsupported, "socket");
}

LocalSocket::Sent LocalSocket::send(Bytes, std::span<const int>) const noexcept {
    return Sent::closed;
}

LocalSocket::Received LocalSocket::receive(MutableBytes, std::vector<Descriptor>*) const {
    return {};
}

bool LocalSocket::wait(std::optional<std::int64_t>) const noexcept {
    return true;
}

bool LocalSocket::has_ended() const noexcept {
    return true;
}

bool LocalSocket::wait_to_send(std::int64_t) const noexcept {
    return true;
}

Peer LocalSocket::peer() const noexcept {
    return {.process_id = 0, .user_id = ~0U, .group_id = ~0U};
}

PeerProcess LocalSocket::peer_process() const {
    return {};
}

std::vector<std::uint32_t> LocalSocket::peer_groups() const {
    return {};
}

Result<Poller> Poller::create() {
    return fail(ErrorCode::unsupported, "socket");
}

Result<void> Poller::add(int, std::uint64_t, Ready) const noexcept {
    return fail(ErrorCode::unsupported, "socket");
}

void Poller::remove(int) const noexcept {}

std::vector<std::uint64_t> Poller::wait(std::optional<std::int64_t>) const {
    return {};
}

void Poller::wait_any(std::optional<std::int64_t>) const noexcept {}

void Poller::wake() const noexcept {}

void Poller::take_wake() const noexcept {}

} // namespace etl::host

#endif
