// LiveFile: what the file of a session's buffers says of them, so that they can be found in it when
// the process is gone. docs/format/live-buffers.md
#pragma once

#include "base/bytes.hpp"
#include "format/live_buffers.hpp"

#include <cstdint>
#include <string_view>

namespace etl::session {

class LiveFile {
public:
    struct Plan {
        std::uint32_t buffer_size = 0, buffers = 0, stripes = 0, clock = 0;
    };

    static std::size_t bytes_in_front(std::uint32_t buffers, std::size_t page) noexcept;

    LiveFile() = default;

    /// Of nothing: all calls do nothing.
    explicit operator bool() const noexcept { return file_ != nullptr; }

    /// Writes the header into a file of zeros, that has `bytes_in_front` of room.
    static LiveFile begin(std::byte* file, const Plan& plan, std::size_t buffer_offset) noexcept;

    /// Log file and how it begins, cut where it does not fit, and which losses that includes. One
    /// thread.
    void tell(std::string_view log_file, Bytes header_buffer,
              const format::LiveLosses& included) noexcept;

    /// Any thread.
    void lose_events(std::uint64_t count) noexcept;
    /// All since the session began. One thread.
    void set_lost_buffers(std::uint64_t count) noexcept;

    void opened(std::uint32_t buffer, std::uint16_t stripe, std::uint64_t order) noexcept;
    void filled(std::uint32_t buffer, std::uint32_t used, std::int64_t closed_at) noexcept;
    void freed(std::uint32_t buffer) noexcept;

private:
    std::byte* entry(std::uint32_t buffer) const noexcept;
    void set_state(std::uint32_t buffer, format::LiveState state) noexcept;

    std::byte* file_ = nullptr;
};

} // namespace etl::session
