// A container as the reader wants it: frames that hold one buffer each, every one with its place in
// the plain trace. docs/format/container.md
#pragma once

#include "io/container.hpp"
#include "trace/index/buffer_index.hpp"

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace etl::trace {

struct PlacedFrame {
    FileOffset where; // of its content in the plain trace
    io::Frame frame;  // without stored bytes: nothing of it can be read
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

/// A container that holds one buffer in each frame, the header buffer first, as far as its first
/// frames tell. Files of other makers may have frames of any size: those are unpacked as a whole.
bool begins_packed_trace(Bytes packed) noexcept;

/// The frames of such a container, or none for any other file. Damage is stepped over: a frame that
/// is no more leaves one without stored bytes. None as well: hardly any of the frames further on
/// are buffers.
PackedTrace packed_trace(Bytes packed);

/// The first buffer, or what can be had of it.
std::vector<std::byte> unpack_first(const PackedTrace& trace);

/// The index by the headers that lie in the frames as they are.
BufferIndex index_frames(const PackedTrace& trace, const IndexHints& hints);

/// "zstd", "lz4"; empty for none.
std::string_view container_name(io::Container kind) noexcept;

/// Memory that is kept for the next use and never initialised.
class Storage {
public:
    /// `size` bytes; what was there is gone.
    MutableBytes take(std::size_t size);

    std::size_t capacity() const noexcept { return capacity_; }

    void free() noexcept { *this = {}; }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t capacity_ = 0;
};

/// A decoder of frames with room for what is unpacked and not kept. One thread.
struct FrameUnpacker {
    io::FrameDecoder decoder;
    Storage scratch;
};

/// As many unpackers as are at work at one time. Any thread.
class FrameUnpackers {
public:
    /// `keeps`: for the next use; otherwise one that is put back is freed.
    explicit FrameUnpackers(io::Container kind, bool keeps = true) : kind_(kind), keeps_(keeps) {}

    /// Errors: limit (memory).
    Result<std::unique_ptr<FrameUnpacker>> take();
    void put(std::unique_ptr<FrameUnpacker> unpacker);

private:
    io::Container kind_;
    bool keeps_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<FrameUnpacker>> free_;
};

} // namespace etl::trace
