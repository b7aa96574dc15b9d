// WMI_BUFFER_HEADER: the 72 bytes before each buffer's records. docs/format/buffer.md#header
#pragma once

#include <etl/error.hpp>

#include "base/layout.hpp"

#include <optional>

namespace etl::format {

/// Fields in disk order, with Windows' names; Windows 7 and later.
namespace buffer_header {
inline constexpr LayoutField<std::uint32_t> buffer_size{
    0x00}; // BufferSize: bytes to the next header
inline constexpr LayoutField<std::uint32_t> saved_offset{
    0x04}; // SavedOffset: may be 0 or too small
inline constexpr LayoutField<std::uint32_t> current_offset{
    0x08}; // CurrentOffset: ignored by readers
inline constexpr LayoutField<std::int32_t> reference_count{0x0C}; // ReferenceCount
inline constexpr LayoutField<std::int64_t> time_stamp{0x10};      // TimeStamp: flush time
inline constexpr LayoutField<std::int64_t> sequence_number{0x18}; // SequenceNumber
inline constexpr LayoutField<std::uint64_t> clock{
    0x20}; // ClockType:3, Frequency:61; leftovers in files
inline constexpr LayoutField<std::uint16_t> processor{0x28}; // ETW_BUFFER_CONTEXT.ProcessorIndex
inline constexpr LayoutField<std::uint16_t> logger_id{0x2A}; // ETW_BUFFER_CONTEXT.LoggerId
inline constexpr LayoutField<std::uint32_t> state{
    0x2C}; // State; in the header buffer of a relogged trace: codec
inline constexpr LayoutField<std::uint32_t> offset{
    0x30}; // Offset: valid bytes, including the header
inline constexpr LayoutField<std::uint16_t> buffer_flag{0x34}; // BufferFlag
inline constexpr LayoutField<std::uint16_t> buffer_type{0x36}; // BufferType
inline constexpr LayoutField<std::int64_t> start_time{
    0x38}; // reference clock, only in REFTIME buffers
inline constexpr LayoutField<std::int64_t> start_perf_clock{0x40};

inline constexpr std::size_t size = 0x48;
static_assert(tiles<size>(buffer_size, saved_offset, current_offset, reference_count, time_stamp,
                          sequence_number, clock, processor, logger_id, state, offset, buffer_flag,
                          buffer_type, start_time, start_perf_clock));
} // namespace buffer_header

namespace buffer_flag {
inline constexpr std::uint16_t flush_marker = 0x0001;
inline constexpr std::uint16_t events_lost = 0x0002;
inline constexpr std::uint16_t buffer_lost = 0x0004;
inline constexpr std::uint16_t rt_backup_corrupt = 0x0008;
inline constexpr std::uint16_t rt_backup = 0x0010;
inline constexpr std::uint16_t processor_index = 0x0020;
inline constexpr std::uint16_t compressed = 0x0040;
inline constexpr std::uint16_t known = 0x007F;
} // namespace buffer_flag

/// BufferType. Values beyond the last are kept unchanged.
enum class BufferType : std::uint16_t {
    generic = 0,
    rundown = 1,
    context_swap = 2,
    reference_time = 3,
    header = 4,
    batched = 5,
    empty_marker = 6,
    debugger_info = 7,
};

/// A view of the header at the front of a buffer. Points into the given bytes.
class BufferHeaderView {
public:
    using Extent = std::span<const std::byte, buffer_header::size>;

    /// Errors: truncated.
    static Result<BufferHeaderView> at(Bytes bytes, FileOffset where) noexcept {
        if (bytes.size() < buffer_header::size) {
            return fail(ErrorCode::truncated, "buffer header", where, buffer_header::size,
                        bytes.size());
        }
        return BufferHeaderView(bytes.first<buffer_header::size>());
    }

    explicit BufferHeaderView(Extent bytes) noexcept : bytes_(bytes) {}

    std::uint32_t buffer_size() const noexcept { return load<buffer_header::buffer_size>(bytes_); }

    std::uint32_t saved_offset() const noexcept {
        return load<buffer_header::saved_offset>(bytes_);
    }

    std::int64_t time_stamp() const noexcept { return load<buffer_header::time_stamp>(bytes_); }

    std::int64_t sequence_number() const noexcept {
        return load<buffer_header::sequence_number>(bytes_);
    }

    /// Returns the processor number. The same for all versions: Windows 7's alignment byte starts
    /// at bit 11 and is masked.
    std::uint16_t processor() const noexcept {
        return load<buffer_header::processor>(bytes_) & 0x07FFU;
    }

    std::uint16_t logger_id() const noexcept { return load<buffer_header::logger_id>(bytes_); }

    std::uint32_t state() const noexcept { return load<buffer_header::state>(bytes_); }

    std::uint32_t offset() const noexcept { return load<buffer_header::offset>(bytes_); }

    std::uint16_t flags() const noexcept { return load<buffer_header::buffer_flag>(bytes_); }

    BufferType type() const noexcept {
        return static_cast<BufferType>(load<buffer_header::buffer_type>(bytes_));
    }

    bool is_compressed() const noexcept { return (flags() & buffer_flag::compressed) != 0; }

    /// Returns the valid bytes including this header, when decompressed: Offset, or SavedOffset;
    /// nothing if neither is plausible, in which case records extend to the end marker.
    /// docs/format/buffer.md#used
    std::optional<std::uint32_t> used() const noexcept {
        if (offset() >= buffer_header::size) {
            return offset();
        }
        if (saved_offset() >= buffer_header::size) {
            return saved_offset();
        }
        return std::nullopt;
    }

private:
    Extent bytes_;
};

/// The fields that a writer sets in a buffer header; all others are zero.
struct BufferHeader {
    std::uint32_t buffer_size = 0;
    std::uint32_t used = 0; // SavedOffset, CurrentOffset and Offset
    std::int64_t time_stamp = 0;
    std::int64_t sequence_number = 0;
    std::uint16_t processor = 0;
    std::uint16_t logger_id = 0;
    std::uint32_t state = 3; // flush
    std::uint16_t flags = buffer_flag::processor_index;
    BufferType type = BufferType::generic;
};

void encode(const BufferHeader& header, std::span<std::byte, buffer_header::size> to) noexcept;

} // namespace etl::format
