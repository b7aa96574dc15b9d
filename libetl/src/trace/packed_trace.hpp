// A container as the reader wants it: frames that hold one buffer each, every one with its place in
// the plain trace. docs/format/container.md
#pragma once

#include <etl/io/container.hpp>

#include "trace/buffer_index.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace etl::trace {

struct PlacedFrame {
    FileOffset where; // of its content in the plain trace
    io::Frame frame;  // without stored bytes: nothing of it can be read
    bool cut = false; // the file ends inside
};

struct PackedTrace {
    io::Container kind = io::Container::none;
    Bytes packed;
    std::vector<PlacedFrame> frames;

    bool is_none() const noexcept { return kind == io::Container::none; }

    /// Of the plain trace.
    std::uint64_t size() const noexcept {
        return frames.empty() ? 0 : frames.back().where.value + frames.back().frame.content_size;
    }
};

/// The frames of a container that begins with the header buffer of a trace and holds one buffer in
/// each; or none, for any other file. Damage is stepped over: a frame that is no more leaves one
/// without stored bytes.
PackedTrace packed_trace(Bytes packed);

/// The first buffer, or what can be had of it.
std::vector<std::byte> unpack_first(const PackedTrace& trace);

/// The index by the headers that lie in the frames as they are.
BufferIndex index_frames(const PackedTrace& trace, const IndexHints& hints);

/// "zstd", "lz4"; empty for none.
std::string_view container_name(io::Container kind) noexcept;

/// Decoders of frames, as many as are at work at one time. Any thread.
class FrameDecoders {
public:
    explicit FrameDecoders(io::Container kind);
    FrameDecoders(const FrameDecoders&) = delete;
    FrameDecoders& operator=(const FrameDecoders&) = delete;
    ~FrameDecoders();

    io::FrameDecoder::Outcome decode(Bytes frame, MutableBytes to);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::trace
