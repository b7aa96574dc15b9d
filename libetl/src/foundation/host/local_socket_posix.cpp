#include "host/descriptor.hpp"
#include "host/local_socket.hpp"
#include "host/places.hpp"
#include "host/process_facts.hpp"

#if defined(__linux__)

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

namespace etl::host {

namespace {

constexpr int max_descriptors = 4; // in one packet

std::optional<sockaddr_un> address_of(const std::string& path) noexcept {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return std::nullopt;
    }
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    return address;
}

Descriptor new_socket() noexcept {
    return Descriptor(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

const sockaddr* plain(const sockaddr_un& address) noexcept {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): the interface of sockets
    return reinterpret_cast<const sockaddr*>(&address);
}

int to_milliseconds(std::optional<std::int64_t> milliseconds) noexcept {
    constexpr std::int64_t max_size = 1 << 30;
    return milliseconds ? static_cast<int>(std::min(*milliseconds, max_size)) : -1;
}

bool wait_for(int descriptor, short what, int milliseconds) noexcept {
    pollfd one{.fd = descriptor, .events = what, .revents = 0};
    return ::poll(&one, 1, milliseconds) != 0;
}

union Control { // aligned as cmsghdr must be
    std::array<char, CMSG_SPACE(sizeof(int) * max_descriptors)> bytes;
    cmsghdr first;
};

void take_descriptors(msghdr& message, std::vector<Descriptor>* to) {
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) {
            continue;
        }
        const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int number = 0;
            std::memcpy(&number, CMSG_DATA(part) + i * sizeof number, sizeof number);
            Descriptor taken(number);
            if (to != nullptr) {
                to->push_back(std::move(taken));
            }
        }
    }
}

} // namespace

LocalSocket::LocalSocket(Descriptor descriptor) noexcept
    : descriptor_(std::move(descriptor)), identity_(identity_of(descriptor_.number())) {}

void LocalSocket::close() noexcept {
    if (descriptor_ && !is_intact()) {
        descriptor_.release(); // the number is not ours any more
    }
    descriptor_.close();
}

void LocalSocket::shut_down() const noexcept {
    if (is_intact()) {
        ::shutdown(number(), SHUT_RDWR);
    }
}

Result<LocalSocket> LocalSocket::connect(const std::string& path) {
    const auto address = address_of(path);
    if (!address) {
        return os_error("socket");
    }
    Descriptor descriptor = new_socket();
    if (!descriptor) {
        return os_error("socket");
    }
    if (::connect(descriptor.number(), plain(*address), sizeof *address) != 0) {
        return os_error("socket", errno == ENOENT || errno == ECONNREFUSED ? ErrorCode::not_found
                                                                           : ErrorCode::io_failure);
    }
    return LocalSocket(std::move(descriptor));
}

Result<LocalSocket> LocalSocket::listen(const std::string& path, unsigned mode) {
    const auto address = address_of(path);
    if (!address) {
        return os_error("socket");
    }
    Descriptor descriptor = new_socket();
    if (!descriptor) {
        return os_error("socket");
    }
    ::unlink(path.c_str());
    constexpr int waiting = 4096;
    if (::bind(descriptor.number(), plain(*address), sizeof *address) != 0 ||
        ::chmod(path.c_str(), mode) != 0 || ::listen(descriptor.number(), waiting) != 0) {
        return os_error("socket");
    }
    return LocalSocket(std::move(descriptor));
}

std::optional<LocalSocket> LocalSocket::passed() {
    constexpr int first = 3; // SD_LISTEN_FDS_START
    const char* const process = ::secure_getenv("LISTEN_PID");
    const char* const count = ::secure_getenv("LISTEN_FDS");
    const bool is_for_this = process != nullptr && count != nullptr &&
                             std::to_string(::getpid()) == process &&
                             std::string_view(count) == "1";
    if (!is_for_this) {
        return std::nullopt;
    }
    ::unsetenv("LISTEN_PID"); // not for programs that this one starts
    ::unsetenv("LISTEN_FDS");
    int type = 0;
    int listens = 0;
    socklen_t size = sizeof type;
    const bool is_usable =
        ::getsockopt(first, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET &&
        ::getsockopt(first, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0 &&
        ::fcntl(first, F_SETFD, FD_CLOEXEC) == 0 && ::fcntl(first, F_SETFL, O_NONBLOCK) == 0;
    return is_usable ? std::optional(LocalSocket(Descriptor(first))) : std::nullopt;
}

Result<LocalSocket> LocalSocket::accept() const {
    Descriptor one(::accept4(number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!one) {
        return os_error("socket",
                        is_out_of_resources(errno) ? ErrorCode::limit : ErrorCode::not_found);
    }
    return LocalSocket(std::move(one));
}

LocalSocket::Sent LocalSocket::send(Bytes packet, std::span<const int> descriptors) const noexcept {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): sendmsg does not change it
    iovec content{const_cast<std::byte*>(packet.data()), packet.size()};
    msghdr message{};
    message.msg_iov = &content;
    message.msg_iovlen = 1;
    Control control{};
    if (!descriptors.empty() && descriptors.size() <= max_descriptors) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
        cmsghdr* const part = CMSG_FIRSTHDR(&message);
        part->cmsg_level = SOL_SOCKET;
        part->cmsg_type = SCM_RIGHTS;
        part->cmsg_len = CMSG_LEN(descriptors.size_bytes());
        std::memcpy(CMSG_DATA(part), descriptors.data(), descriptors.size_bytes());
    }
    ssize_t sent = 0;
    do { // NOLINT(cppcoreguidelines-avoid-do-while)
        sent = ::sendmsg(number(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (sent < 0 && errno == EINTR);
    if (sent >= 0) {
        return Sent::done;
    }
    return errno == EAGAIN ? Sent::would_block : Sent::closed;
}

LocalSocket::Received LocalSocket::receive(MutableBytes to,
                                           std::vector<Descriptor>* descriptors) const {
    iovec content{to.data(), to.size()};
    Control control{};
    msghdr message{};
    message.msg_iov = &content;
    message.msg_iovlen = 1;
    message.msg_control = &control;
    message.msg_controllen = sizeof control;
    ssize_t size = 0;
    do { // NOLINT(cppcoreguidelines-avoid-do-while): that packets were left unread is said first
        size = ::recvmsg(number(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (size < 0 && (errno == EINTR || errno == ECONNRESET));
    if (size < 0 && errno == EAGAIN) {
        return {.state = Received::State::would_block};
    }
    if (size >= 0) {
        take_descriptors(message, descriptors);
    }
    if (size <= 0 || (message.msg_flags & MSG_TRUNC) != 0) {
        return {.state = Received::State::closed};
    }
    return {.state = Received::State::packet,
            .size = static_cast<std::size_t>(size),
            .has_lost_descriptors = (message.msg_flags & MSG_CTRUNC) != 0};
}

bool LocalSocket::wait(std::optional<std::int64_t> milliseconds) const noexcept {
    return wait_for(number(), POLLIN, to_milliseconds(milliseconds));
}

bool LocalSocket::has_ended() const noexcept {
    pollfd one{.fd = number(), .events = POLLRDHUP, .revents = 0};
    return ::poll(&one, 1, 0) != 0; // also an error
}

bool LocalSocket::wait_to_send(std::int64_t milliseconds) const noexcept {
    return wait_for(number(), POLLOUT, to_milliseconds(milliseconds));
}

Peer LocalSocket::peer() const noexcept {
    ucred credentials{};
    socklen_t size = sizeof credentials;
    if (::getsockopt(number(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) {
        return {.process_id = 0, .user_id = ~0U, .group_id = ~0U};
    }
    return {static_cast<std::uint32_t>(credentials.pid), credentials.uid, credentials.gid};
}

std::vector<std::uint32_t> LocalSocket::peer_groups() const {
    std::vector<std::uint32_t> groups(64);
    for (;;) {
        auto size = static_cast<socklen_t>(groups.size() * sizeof(std::uint32_t));
        if (::getsockopt(number(), SOL_SOCKET, SO_PEERGROUPS, groups.data(), &size) == 0) {
            groups.resize(size / sizeof(std::uint32_t));
            return groups;
        }
        if (errno != ERANGE) {
            return {};
        }
        groups.resize(size / sizeof(std::uint32_t));
    }
}

Result<Poller> Poller::create() {
    Poller poller;
    poller.poll_ = Descriptor(::epoll_create1(EPOLL_CLOEXEC));
    poller.wake_ = Descriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!poller.poll_ || !poller.wake_) {
        return os_error("socket");
    }
    if (auto added = poller.add(poller.wake_.number(), ~std::uint64_t{0}); !added) {
        return std::unexpected(added.error());
    }
    return poller;
}

Result<void> Poller::add(int descriptor, std::uint64_t tag, Ready when) const noexcept {
    epoll_event event{};
    event.events = when == Ready::to_receive ? std::uint32_t{EPOLLIN} : EPOLLOUT | EPOLLET;
    event.data.u64 = tag;
    if (::epoll_ctl(poll_.number(), EPOLL_CTL_ADD, descriptor, &event) != 0) {
        return os_error("socket");
    }
    return {};
}

void Poller::remove(int descriptor) const noexcept {
    ::epoll_ctl(poll_.number(), EPOLL_CTL_DEL, descriptor, nullptr);
}

std::vector<std::uint64_t> Poller::wait(std::optional<std::int64_t> milliseconds) const {
    std::array<epoll_event, 64> events{};
    const int count = ::epoll_wait(poll_.number(), events.data(), static_cast<int>(events.size()),
                                   to_milliseconds(milliseconds));
    std::vector<std::uint64_t> tags;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t tag = events.at(static_cast<std::size_t>(i)).data.u64;
        if (tag != ~std::uint64_t{0}) {
            tags.push_back(tag);
        } else {
            take_wake();
        }
    }
    return tags;
}

void Poller::wait_any(std::optional<std::int64_t> milliseconds) const noexcept {
    std::array<epoll_event, 64> events{};
    ::epoll_wait(poll_.number(), events.data(), static_cast<int>(events.size()),
                 to_milliseconds(milliseconds));
    take_wake();
}

void Poller::take_wake() const noexcept {
    std::uint64_t woken = 0;
    [[maybe_unused]] const ssize_t read = ::read(wake_.number(), &woken, sizeof woken);
}

void Poller::wake() const noexcept {
    const std::uint64_t once = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake_.number(), &once, sizeof once);
}

// What the kernel knows of the process at the other end of a socket.

namespace {

#if defined(SO_PEERPIDFD)
constexpr int peer_handle = SO_PEERPIDFD;
#else
constexpr int peer_handle = 77; // Linux 6.5
#endif

/// The process whose ID this is now: ended or not.
Descriptor handle_of(const LocalSocket& socket, std::uint32_t id) noexcept {
    int handle = -1;
    socklen_t size = sizeof handle;
    if (::getsockopt(socket.number(), SOL_SOCKET, peer_handle, &handle, &size) == 0) {
        return Descriptor(handle);
    }
    Descriptor opened(static_cast<int>(::syscall(SYS_pidfd_open, id, 0)));
    // The ID may be another process' by now; not if the one that connected still has the socket.
    return socket.has_ended() ? Descriptor() : std::move(opened);
}

bool is_alive(const Descriptor& handle) noexcept {
    pollfd one{.fd = handle.number(), .events = POLLIN, .revents = 0};
    return handle && ::poll(&one, 1, 0) == 0;
}

/// Which program a process runs is for its user to see. A host without such rights becomes that
/// user, as far as files are concerned, in this thread and for this moment.
std::string link_as(const Peer& user, const std::string& path) {
    const auto own_group = ::setfsgid(user.group_id);
    const auto own_user = ::setfsuid(user.user_id);
    std::array<char, 4096> target{};
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
    ::setfsuid(static_cast<uid_t>(own_user));
    ::setfsgid(static_cast<gid_t>(own_group));
    return {target.data(), size < 0 ? 0 : static_cast<std::size_t>(size)};
}

/// Its name for the kernel, in parentheses.
std::string name_in(std::string_view stat) {
    const auto begin = stat.find('('), end = stat.rfind(')');
    return begin < end && end != stat.npos ? std::string(stat.substr(begin + 1, end - begin - 1))
                                           : std::string();
}

} // namespace

PeerProcess LocalSocket::peer_process() const {
    const Peer who = peer();
    const Descriptor handle = handle_of(*this, who.process_id);
    const std::string place = "/proc/" + std::to_string(who.process_id);
    std::array<char, 1024> text{};
    const std::string_view stat = read_facts((place + "/stat").c_str(), text);
    const std::string program = program_in(link_as(who, place + "/exe"));
    if (stat.empty() || !is_alive(handle)) { // what was read may be of another process
        return {};
    }
    return {.start_key = start_key_of(who.process_id, start_moment_in(stat)),
            .program = program.empty() ? name_in(stat) : program};
}

} // namespace etl::host

#endif
