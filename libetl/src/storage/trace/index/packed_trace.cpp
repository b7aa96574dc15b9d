#include "trace/index/packed_trace.hpp"

#include "base/limits.hpp"
#include "trace/index/buffer_index.hpp"
#include "trace/index/frame_walk.hpp"
#include "trace/index/header_checks.hpp"
#include "trace/inputs.hpp"

#include <optional>
#include <utility>

namespace etl::trace {

namespace {

using io::Container;
using io::Frame;

/// The table is believed as long as the frames do not say better: it alone knows how many were lost
/// in one place.
std::vector<Frame> frames_of(Container kind, Bytes packed) {
    std::vector<Frame> listed = io::frames_by_seek_table(kind, packed);
    const std::size_t good = count_fitting(listed);
    if (!listed.empty() && good == listed.size()) {
        return listed;
    }
    std::vector<Frame> found = FrameWalk(kind, packed).run();
    const bool is_believed =
        !listed.empty() && !is_hopeless(good, listed.size() - good) && good >= count_fitting(found);
    return is_believed ? std::move(listed) : std::move(found);
}

void index(const PackedTrace& trace, const PlacedFrame& placed, IndexBuilder& into) {
    const Frame& frame = placed.frame;
    const std::uint64_t at = placed.where.value;
    const bool is_cut =
        frame.is_truncated && frame.where.value + frame.packed_size == trace.packed.size();
    if (!fits(frame) && !looks_written(frame.stored)) {
        into.find(Severity::warning,
                  is_cut           ? "the file is truncated inside a buffer"
                  : is_lost(frame) ? "missing container frame"
                                   : "missing buffer header",
                  at, frame.content_size, frame.where);
        return;
    }
    if (!fits(frame)) {
        into.find(Severity::warning, "BufferSize differs from that of the file", at, 0,
                  frame.where);
    }
    into.add_packed(frame.stored, at, frame.content_size, frame.where, frame.packed_size,
                    is_cut ? IndexBuilder::Frame::truncated : IndexBuilder::Frame::complete);
}

} // namespace

bool begins_packed_trace(Bytes packed) noexcept {
    constexpr std::size_t max_frames = 16;
    constexpr std::size_t max_bytes = std::size_t{4} * etl::limits::buffer_bytes;
    const Container kind = io::container_of(packed);
    if (kind == Container::none) {
        return false;
    }
    io::FrameScanner scanner(kind, clamped(packed, 0, max_bytes));
    std::size_t known = 0;
    std::size_t fitting = 0;
    while (known < max_frames) {
        const std::optional<Frame> frame = scanner.next();
        if (!frame) {
            break;
        }
        if (known == 0 && (!fits(*frame) || !looks_like_trace(frame->stored))) {
            return false;
        }
        fitting += fits(*frame) ? 1U : 0U;
        known += fits(*frame) || !frame->is_truncated ? 1U : 0U;
    }
    // A few frames that contradict their buffers are damage.
    return 2 * fitting > known;
}

PackedTrace packed_trace(Bytes packed) {
    if (!begins_packed_trace(packed)) {
        return {};
    }
    PackedTrace trace{io::container_of(packed), packed, {}};
    const std::vector<Frame> frames = frames_of(trace.kind, packed);
    if (frames.empty()) {
        return {};
    }
    trace.frames.reserve(frames.size());
    for (const Frame& frame : frames) {
        trace.frames.push_back({{trace.size()}, frame});
    }
    return trace;
}

std::vector<std::byte> unpack_first(const PackedTrace& trace) {
    const io::Frame& frame = trace.frames.front().frame;
    std::vector<std::byte> buffer(frame.content_size);
    auto decoder = io::FrameDecoder::create(trace.kind);
    const std::size_t size =
        decoder ? decoder->decode(clamped(trace.packed, 0, frame.packed_size), buffer).written : 0;
    buffer.resize(size);
    // What lies in the frame as it is is good in any case.
    if (size < frame.stored.size()) {
        buffer.assign(frame.stored.begin(), frame.stored.end());
    }
    return buffer;
}

BufferIndex index_frames(const PackedTrace& trace, const IndexHints& hints) {
    IndexBuilder builder(hints);
    for (const PlacedFrame& placed : trace.frames) {
        index(trace, placed, builder);
    }
    return builder.take(codec_of(trace.frames.front().frame.stored));
}

std::string_view container_name(io::Container kind) noexcept {
    switch (kind) {
    case io::Container::zstd:
        return "zstd";
    case io::Container::lz4:
        return "lz4";
    case io::Container::none:
        break;
    }
    return "";
}

MutableBytes Storage::take(std::size_t size) {
    if (capacity_ < size) {
        memory_ = std::make_unique_for_overwrite<std::byte[]>(size);
        capacity_ = size;
    }
    return {memory_.get(), size};
}

Result<std::unique_ptr<FrameUnpacker>> FrameUnpackers::take() {
    {
        const std::scoped_lock lock(mutex_);
        if (!free_.empty()) {
            std::unique_ptr<FrameUnpacker> unpacker = std::move(free_.back());
            free_.pop_back();
            return unpacker;
        }
    }
    auto decoder = io::FrameDecoder::create(kind_);
    if (!decoder) {
        return std::unexpected(decoder.error());
    }
    return std::make_unique<FrameUnpacker>(FrameUnpacker{std::move(*decoder), {}});
}

void FrameUnpackers::put(std::unique_ptr<FrameUnpacker> unpacker) {
    if (!keeps_) {
        return;
    }
    constexpr std::size_t worth_keeping = 1U << 20U;
    if (unpacker->scratch.capacity() > worth_keeping) {
        unpacker->scratch.free();
    }
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(unpacker));
}

} // namespace etl::trace
