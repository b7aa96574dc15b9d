// The seekable containers `.etl.zst` and `.etl.lz4`: a chain of independent frames, one for each
// buffer of the trace, and a table of them in a skippable frame at the end. The stock `zstd -d` and
// `lz4 -d` give back the plain trace. A frame begins with bytes that lie in it as they are (the
// header of the buffer), so that a reader hops over frames as it hops over buffers.
// docs/format/container.md
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/result.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace etl::io {

enum class Container : std::uint8_t { none, zstd, lz4 };

/// By the ending of a file's name: `.zst`, `.lz4`.
Container container_by_name(std::string_view file_name) noexcept;

/// Where the stored bytes begin in a frame that FrameEncoder makes.
/// docs/format/container.md#zstd-frame, #lz4-frame
constexpr std::size_t stored_offset(Container kind) noexcept {
    return kind == Container::zstd ? 12 : 19;
}

/// How much time to spend on size.
enum class ContainerLevel : std::uint8_t { fast, normal, small };

/// Makes frames. Owns its tables. One thread; each thread has its own. One that was moved from may
/// only be assigned to or destroyed.
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

    /// Appends one frame whose content is `content`; its first `stored` bytes (all of them, when
    /// there are fewer) lie in the frame as they are, at stored_offset, in blocks of at most 128 KB
    /// (zstd) or 4 MB (lz4). With the same size, `stored` and remaining bytes the frame has the
    /// same size whatever the stored bytes are: such a frame can be overwritten in place, as a
    /// whole, for it ends with a checksum of its content. The same arguments give the same bytes,
    /// whatever was encoded before. Errors: limit (content over limits::buffer_bytes; nothing is
    /// appended).
    Result<void> encode(Bytes content, std::size_t stored, std::vector<std::byte>& to);

private:
    struct State;
    explicit FrameEncoder(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// One frame of a container, found in a packed file. A view.
struct Frame {
    FileOffset where{};             // in the packed file
    std::uint32_t packed_size = 0;  // of the whole frame, or of what is there of it
    std::uint32_t content_size = 0; // as it says itself; at most limits::buffer_bytes
    Bytes stored; // the first bytes of the content as they lie in the frame; one block of them
    bool is_truncated =
        false; // it does not reach its end: decoding gives the beginning of its content
};

/// What a seek table says of a frame.
struct FrameSizes {
    std::uint32_t packed = 0;  // of the whole frame
    std::uint32_t content = 0; // of what it unpacks to
};

/// Appends the skippable frame with the seek table for `frames`, which must be all of the file, in
/// order. The format is that of zstd's contrib seekable_format; the same within a skippable frame
/// of LZ4. docs/format/container.md#seek-table
void encode_seek_table(Container kind, std::span<const FrameSizes> frames,
                       std::vector<std::byte>& to);

/// What `packed` begins as, when it is a frame that a FrameScanner takes: one that says how large
/// its content is, and stores its first bytes. Foreign tools make such frames, too, when nothing
/// shrinks: whether the content is a trace is to be seen in Frame::stored. 20 bytes are enough to
/// tell.
Container container_of(Bytes packed) noexcept;

/// Hops over the frames of a container. Foreign frames, and what is no frame, end it. The frame
/// that the end of the file cuts, or a damaged block, is given with `cut`, and ends it as well.
/// One thread; any number of readers over the same bytes.
class FrameScanner {
public:
    FrameScanner(Container kind, Bytes packed) noexcept : kind_(kind), packed_(packed) {}

    /// The next frame with content, or nothing: at the end, or where `error()` says what is wrong.
    /// Skippable frames are passed over. Cost: a read for each block of the frame (128 KB).
    std::optional<Frame> next() noexcept;

    /// Set when the last frame was cut, or none was found where there are bytes left. Codes:
    /// truncated, malformed, unsupported (a foreign frame), limit (its content or its number of
    /// blocks).
    const std::optional<Error>& error() const noexcept { return error_; }

    /// Where the hopper stands: behind the last frame, or where `error()` arose.
    FileOffset where() const noexcept { return at_; }

    /// After an error: looks further on for the next place where a frame of ours begins, and stands
    /// there; the error is gone. False: there is none. What is skipped lies between the last
    /// frame's end and where(). Cost: every byte is looked at once.
    bool resume() noexcept { return !error_ || resume(resume_from_); }

    /// The same from `from` on, which may lie before where(): a damaged size of a block leads
    /// astray, and frames are found within what was taken for one. False as well: the file has been
    /// gone over so often that it must be made for that.
    bool resume(FileOffset from) noexcept;

    /// The frame that begins where the hopper stands, without its packed_size and what `cut` says:
    /// its blocks are not walked over.
    std::optional<Frame> peek() const noexcept;

    /// Blocks walked over and beginnings of frames looked at so far, over and over included. At
    /// most the size of the file, and a constant.
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

/// The frames by the seek table at the end; empty when there is none, when it does not tile the
/// file exactly, when a frame is smaller than any can be, or when a content exceeds
/// limits::buffer_bytes. Only sizes are taken from the
/// table; `stored` is looked up in each frame, and empty where none begins or where its own size
/// differs.
std::vector<Frame> frames_by_seek_table(Container kind, Bytes packed);

/// What came out of a frame.
struct DecodedFrame {
    std::size_t written = 0;    // bytes
    std::optional<Error> error; // its place is counted from the frame's beginning
};

/// Unpacks frames. Owns its tables. One thread; each thread has its own. One that was moved from
/// may only be assigned to or destroyed.
class FrameDecoder {
public:
    /// Errors: unsupported (Container::none); limit (memory).
    static Result<FrameDecoder> create(Container kind);
    FrameDecoder(FrameDecoder&& other) noexcept;
    FrameDecoder& operator=(FrameDecoder&& other) noexcept;
    FrameDecoder(const FrameDecoder&) = delete;
    FrameDecoder& operator=(const FrameDecoder&) = delete;
    ~FrameDecoder();

    /// Unpacks the content of the frame at the front of `frame` into `to`, which has its size; the
    /// result is how many bytes came out, fewer than that when the frame is cut or damaged (then
    /// `error` says why: truncated, malformed; unsupported, limit as with FrameScanner). Those of a
    /// cut frame are good. Damage shows late: in a packed block of LZ4, bytes before it may be
    /// wrong, too; and all bytes with an error are those that fail their checksum.
    DecodedFrame decode(Bytes frame, MutableBytes to) noexcept;

private:
    struct State;
    explicit FrameDecoder(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::io
