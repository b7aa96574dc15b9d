// The seekable containers `.etl.zst` and `.etl.lz4`: a sequence of independent frames, one per
// buffer of the trace, followed by a seek table in a skippable frame. The standard `zstd -d` and
// `lz4 -d` restore the trace. A frame begins with uncompressed bytes (the buffer header), so that a
// reader can skip frames as it skips buffers. docs/format/container.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace etl::io {

enum class Container : std::uint8_t { none, zstd, lz4 };

/// Returns the container for a file name extension: `.zst`, `.lz4`.
Container container_by_name(std::string_view file_name) noexcept;

/// Returns the offset of the stored bytes in a frame written by FrameEncoder.
/// docs/format/container.md#zstd-frame, #lz4-frame
constexpr std::size_t stored_offset(Container kind) noexcept {
    return kind == Container::zstd ? 12 : 19;
}

/// Trade-off between time and size.
enum class ContainerLevel : std::uint8_t { fast, normal, small };

/// Encodes frames. Not thread-safe; use one per thread. A moved-from encoder may only be assigned
/// to or destroyed.
class FrameEncoder {
public:
    /// `kind` is not Container::none. Errors: unsupported; limit (memory).
    static Result<FrameEncoder> create(Container kind,
                                       ContainerLevel level = ContainerLevel::normal);
    FrameEncoder(FrameEncoder&& other) noexcept;
    FrameEncoder& operator=(FrameEncoder&& other) noexcept;
    FrameEncoder(const FrameEncoder&) = delete;
    FrameEncoder& operator=(const FrameEncoder&) = delete;
    ~FrameEncoder();

    /// Appends one frame for `content`. Its first `stored` bytes (or all, if fewer) are stored
    /// uncompressed at stored_offset, in blocks of at most 128 KB (zstd) or 4 MB (lz4). The frame
    /// size does not depend on the values of the stored bytes, so such a frame can be overwritten
    /// in place; overwrite it completely, because it ends with a checksum of its content. The
    /// output depends only on the arguments. Errors: limit (content over etl::limits::buffer_bytes;
    /// nothing is appended).
    Result<void> encode(Bytes content, std::size_t stored, std::vector<std::byte>& to);

private:
    struct State;
    explicit FrameEncoder(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// One frame of a container file. A view.
struct Frame {
    FileOffset where{};             // offset in the container file
    std::uint32_t packed_size = 0;  // size of the frame, or of the part that exists
    std::uint32_t content_size = 0; // declared content size; at most etl::limits::buffer_bytes
    Bytes stored;              // first bytes of the content, stored uncompressed; at most one block
    bool is_truncated = false; // incomplete; decoding returns the beginning of its content
};

/// The seek table entry of a frame.
struct FrameSizes {
    std::uint32_t packed = 0;  // size of the frame
    std::uint32_t content = 0; // size of its content
};

/// Appends a skippable frame with the seek table for `frames`, which must be all frames of the
/// file, in order. The format is zstd's contrib seekable_format; for LZ4, the same in an LZ4
/// skippable frame. docs/format/container.md#seek-table
void encode_seek_table(Container kind, std::span<const FrameSizes> frames,
                       std::vector<std::byte>& to);

/// Returns the container kind if `packed` begins with a frame that FrameScanner accepts: one that
/// declares its content size and stores its first bytes uncompressed. Other tools also write such
/// frames for incompressible data; check Frame::stored to see whether the content is a trace. 20
/// bytes are sufficient.
Container container_of(Bytes packed) noexcept;

/// Iterates over the frames of a container without decompressing them. Ends at foreign frames and
/// at data that is not a frame, and after a frame truncated by the end of the file or by a damaged
/// block, which is returned with `is_truncated`. Not thread-safe; any number of scanners can read
/// the same bytes.
class FrameScanner {
public:
    FrameScanner(Container kind, Bytes packed) noexcept : kind_(kind), packed_(packed) {}

    /// Returns the next frame with content; nothing at the end, or after an error (see error()).
    /// Skippable frames are skipped. Costs one read per block of the frame (128 KB).
    std::optional<Frame> next() noexcept;

    /// Returns an error if the last frame was truncated, or if the remaining bytes contain no
    /// frame. Codes: truncated, malformed, unsupported (a foreign frame), limit (content size or
    /// number of blocks).
    const std::optional<Error>& error() const noexcept { return error_; }

    /// Returns the current position: after the last frame, or at the position of error().
    FileOffset where() const noexcept { return at_; }

    /// After an error, searches for the start of the next supported frame, moves there, and clears
    /// the error. Returns false if there is none. The skipped bytes are between the end of the last
    /// frame and where(). Examines every byte once.
    bool resume() noexcept { return !error_ || resume(resume_from_); }

    /// The same, starting at `from`, which may be before where(): after a damaged block size,
    /// frames may be inside what was taken for a single frame. Also returns false if the file has
    /// been searched so often that it must be malicious.
    bool resume(FileOffset from) noexcept;

    /// Returns the frame at the current position, without packed_size and is_truncated, because its
    /// blocks are not examined.
    std::optional<Frame> peek() const noexcept;

    /// Returns the number of blocks and frame starts examined so far, including repetitions. At
    /// most the file size plus a constant.
    std::uint64_t work() const noexcept { return work_; }

private:
    void lose(const Error& error, FileOffset resume_from) noexcept;

    Container kind_;
    Bytes packed_;
    FileOffset at_{};
    FileOffset resume_from_{};
    std::uint64_t work_ = 0;
    std::optional<Error> error_;
};

/// Returns the frames listed in the seek table at the end; empty if there is no table, if it does
/// not cover the file exactly, if a frame is impossibly small, or if a content exceeds
/// etl::limits::buffer_bytes. Only sizes come from the table; `stored` is read from each frame, and
/// is empty if no frame starts there or its declared size differs.
std::vector<Frame> frames_by_seek_table(Container kind, Bytes packed);

/// The result of decoding a frame.
struct DecodedFrame {
    std::size_t written = 0;    // bytes
    std::optional<Error> error; // its offset is relative to the start of the frame
};

/// Decodes frames. Not thread-safe; use one per thread. A moved-from decoder may only be assigned
/// to or destroyed.
class FrameDecoder {
public:
    /// Errors: unsupported (Container::none); limit (memory).
    static Result<FrameDecoder> create(Container kind);
    FrameDecoder(FrameDecoder&& other) noexcept;
    FrameDecoder& operator=(FrameDecoder&& other) noexcept;
    FrameDecoder(const FrameDecoder&) = delete;
    FrameDecoder& operator=(const FrameDecoder&) = delete;
    ~FrameDecoder();

    /// Decodes the frame at the front of `frame` into `to`, which has its content size. Returns the
    /// number of bytes written, which is lower for a truncated or damaged frame; `error` then
    /// contains the reason (truncated, malformed; unsupported and limit as in FrameScanner). The
    /// bytes of a truncated frame are valid. Damage is detected late: in a compressed LZ4 block,
    /// bytes before it may also be wrong. If all bytes are returned with an error, their checksum
    /// does not match.
    DecodedFrame decode(Bytes frame, MutableBytes to) noexcept;

private:
    struct State;
    explicit FrameDecoder(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::io
