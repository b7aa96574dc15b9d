#include "io/output_file.hpp"
#include "io/system/os_file.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace etl::io {

namespace {

constexpr std::size_t max_written_at_once = 1U << 30U; // as in os_file_posix.cpp

// Writes all of it. A descriptor that somebody else made non-blocking is waited for.
Result<void> write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put =
            ::write(descriptor, bytes.data(), std::min(bytes.size(), max_written_at_once));
        if (put >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(put));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            pollfd ready{.fd = descriptor, .events = POLLOUT, .revents = 0};
            ::poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            return std::unexpected(os_error("write"));
        }
    }
    return {};
}

} // namespace

bool StandardOutput::closed() const noexcept {
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    return closed_ || (::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0);
}

Result<void> StandardOutput::write_as_is(std::string_view bytes) {
    if (closed_) {
        return {};
    }
    const auto written = write_all(STDOUT_FILENO, bytes);
    if (!written && written.error().os_code == EPIPE) {
        closed_ = true;
        return {};
    }
    return written;
}

} // namespace etl::io
