// The header buffer of a file: made from what is known of a recording, or taken over from a file
// that is appended to; brought up to date as often as needed. docs/format/writing.md#header
#pragma once

#include "trace/log_file.hpp"

#include <string_view>
#include <vector>

namespace etl::trace {

/// What a writer comes to know of a file by writing it. All zero: not finished.
struct FileCounts {
    std::int64_t end_time = 0; // FILETIME
    std::uint64_t buffers_written = 0;
    std::uint32_t processors = 0; // that its buffers name
    std::uint64_t events_lost = 0, buffers_lost = 0;
};

/// A value.
class HeaderBuffer {
public:
    /// `file_name` is for a recording that has none. Errors: invalid_option (the names, or the
    /// extras, do not fit).
    static Result<HeaderBuffer> make(const Recording& recording, const LogFileOptions& options,
                                     std::u16string_view file_name);

    /// The header buffer of a file to append to. Errors: not_a_trace, malformed (its log file
    /// header is not as a writer leaves it).
    static Result<HeaderBuffer> adopt(std::vector<std::byte> bytes);

    /// Adds the event that indicates unknown losses, unless the buffer contains it. Errors: limit
    /// (the buffer is full).
    Result<void> indicate_unknown_losses();

    /// From the next update on, with the mode and limit of the session that appends, and with what
    /// its recording lost beside what was lost before.
    void append_with(const Recording& recording, const LogFileOptions& options) noexcept;

    /// The log file header as it was made or found, without what update() says.
    const format::LogfileHeader& header() const noexcept { return header_; }

    std::int64_t reference_time() const noexcept;

    /// Losses are added to those of the header as it was made or found; its processors are at least
    /// those that were seen, and its end is not before the one it had.
    void update(const FileCounts& counts);

    /// The whole buffer, fill included. Its size never changes.
    Bytes bytes() const noexcept { return bytes_; }

    /// How many of the bytes say something.
    std::uint32_t used() const noexcept;

private:
    HeaderBuffer() = default;

    format::LogfileHeader header_;
    unsigned pointer_size_ = 8;
    std::vector<std::byte> bytes_;
};

/// Windows 7's byte of alignment behind the processor number. docs/format/buffer.md#context
inline constexpr std::uint16_t windows7_alignment = 0x0800;

/// The byte behind the valid ones of a buffer.
inline constexpr std::byte buffer_fill{0xFF};

} // namespace etl::trace
