// What the kernel knows of the process at the other end of a socket.
#include "host/local_socket.hpp"
#include "host/process_facts.hpp"

#if defined(__linux__)

#include <array>
#include <fcntl.h>
#include <poll.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace etl::host {

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
