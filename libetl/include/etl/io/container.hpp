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
#include <string_view>
#include <vector>

namespace etl::io {

enum class Container : std::uint8_t { none, zstd, lz4 };

/// By the ending of a file's name: `.zst`, `.lz4`.
Container container_by_name(std::string_view file_name) noexcept;

/// How much time to spend on size.
enum class ContainerLevel : std::uint8_t { fast, normal, small };

/// Makes frames. Owns its tables. One thread; each thread has its own.
class FrameEncoder {
public:
    /// `kind` is not Container::none. Errors: unsupported.
    static Result<FrameEncoder> create(Container kind,
                                       ContainerLevel level = ContainerLevel::normal);
    FrameEncoder(FrameEncoder&& other) noexcept;
    FrameEncoder& operator=(FrameEncoder&& other) noexcept;
    ~FrameEncoder();

    /// Appends one frame whose content is `content`; its first `stored` bytes lie in the frame as
    /// they are, at stored_offset. With the same size, `stored` and remaining bytes the frame has
    /// the same size whatever the stored bytes are: such a frame can be overwritten in place.
    /// Errors: limit (content over limits::buffer_bytes).
    Result<void> encode(Bytes content, std::size_t stored, std::vector<std::byte>& to);

private:
    struct State;
    explicit FrameEncoder(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

/// One frame of a container, found in a packed file. A view.
struct Frame {
    FileOffset where{};            // in the packed file
    std::uint32_t packed_size = 0; // of the whole frame
    std::uint32_t content_size = 0;
    Bytes stored; // the first bytes of the content as they lie in the frame
};

/// Appends the skippable frame with the seek table for `frames` (the format of zstd's contrib
/// seekable_format; the same within a skippable frame of LZ4).
void encode_seek_table(Container kind, std::span<const Frame> frames, std::vector<std::byte>& to);

/// True when `packed` begins as our containers do: a frame that stores its first bytes.
Container container_of(Bytes packed) noexcept;

/// Hops over the frames of a container. Foreign frames, and what is no frame, end it.
/// One thread; any number of readers over the same bytes.
class FrameHopper {
public:
    FrameHopper(Container kind, Bytes packed) noexcept : kind_(kind), packed_(packed) {}

    /// The next frame with content, or nothing: at the end, or where `error()` says what is wrong.
    /// Skippable frames are passed over. Cost: a read for each block of the frame (128 KB).
    std::optional<Frame> next() noexcept;

    const std::optional<Error>& error() const noexcept { return error_; }

    /// Where the hopper stands.
    FileOffset where() const noexcept { return at_; }

private:
    Container kind_;
    Bytes packed_;
    FileOffset at_{};
    std::optional<Error> error_;
};

/// The frames by the seek table at the end; empty when there is none or when it does not tile the
/// file exactly. Only sizes are taken from the table; `stored` is looked up in each frame.
std::vector<Frame> frames_by_seek_table(Container kind, Bytes packed);

/// Unpacks frames. Owns its tables. One thread; each thread has its own.
class FrameDecoder {
public:
    static Result<FrameDecoder> create(Container kind);
    FrameDecoder(FrameDecoder&& other) noexcept;
    FrameDecoder& operator=(FrameDecoder&& other) noexcept;
    ~FrameDecoder();

    /// Unpacks the content of the frame at the front of `frame` into `to`, which has its size; the
    /// result is how many bytes are good, fewer than that when the frame is cut or damaged (then
    /// `error` says why).
    struct Outcome {
        std::size_t written = 0;
        std::optional<Error> error;
    };

    Outcome decode(Bytes frame, MutableBytes to) noexcept;

private:
    struct State;
    explicit FrameDecoder(std::unique_ptr<State> state) noexcept;
    std::unique_ptr<State> state_;
};

} // namespace etl::io
