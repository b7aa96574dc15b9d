#include "trace/packed_trace.hpp"

#include <etl/trace/inputs.hpp>

#include "trace/index_builder.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace etl::trace {

namespace {

namespace header = format::buffer_header;
using io::Container;
using io::Frame;

/// The frame holds one buffer.
bool fits(const Frame& frame) noexcept {
    return is_plausible(frame.stored) &&
           format::BufferHeaderView(frame.stored.first<header::size>()).buffer_size() ==
               frame.content_size;
}

bool is_lost(const Frame& frame) noexcept {
    return frame.stored.empty();
}

std::size_t fitting(std::span<const Frame> frames) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(frames, fits));
}

/// The frames as they follow each other. Where damage makes frames unknown, one without stored
/// bytes stands for them.
std::vector<Frame> frames_by_hopping(Container kind, Bytes packed) {
    std::vector<Frame> frames;
    io::FrameHopper hopper(kind, packed);
    while (true) {
        while (std::optional<Frame> frame = hopper.next()) {
            frames.push_back(*frame);
        }
        if (!hopper.error()) {
            return frames;
        }
        const std::uint64_t at = hopper.where().value;
        const bool found = hopper.resume();
        const std::uint64_t end = found ? hopper.where().value : packed.size();
        if (!frames.empty() && !frames.back().cut && at < end) {
            // Nobody says how many buffers were here: one as large as the others.
            frames.push_back(
                {.where = {at},
                 .packed_size = static_cast<std::uint32_t>(
                     std::min<std::uint64_t>(end - at, std::numeric_limits<std::uint32_t>::max())),
                 .content_size = frames[std::min<std::size_t>(1, frames.size() - 1)].content_size,
                 .stored = {}});
        }
        if (!found) {
            return frames;
        }
    }
}

/// The table is believed as long as the frames do not say better.
std::vector<Frame> frames_of(Container kind, Bytes packed) {
    std::vector<Frame> listed = io::frames_by_seek_table(kind, packed);
    const std::size_t good = fitting(listed);
    if (!listed.empty() && good == listed.size()) {
        return listed;
    }
    std::vector<Frame> found = frames_by_hopping(kind, packed);
    return listed.empty() || good < fitting(found) ? std::move(found) : std::move(listed);
}

/// Files of other makers may have frames of any size: those are unpacked as a whole. A few frames
/// that contradict their buffers are damage.
bool holds_buffers(std::span<const Frame> frames) {
    if (frames.empty() || !fits(frames.front()) || !looks_like_trace(frames.front().stored)) {
        return false;
    }
    const auto unknown = std::ranges::count_if(
        frames, [](const Frame& frame) { return is_lost(frame) || (frame.cut && !fits(frame)); });
    return 2 * fitting(frames) > frames.size() - static_cast<std::size_t>(unknown);
}

void index(const PackedTrace& trace, const PlacedFrame& placed, IndexBuilder& into) {
    const Frame& frame = placed.frame;
    const std::uint64_t at = placed.where.value;
    const bool is_cut = frame.cut && frame.where.value + frame.packed_size == trace.packed.size();
    if (!fits(frame) && !looks_written(frame.stored)) {
        into.find(Severity::warning,
                  is_cut           ? "the file ends inside a buffer"
                  : is_lost(frame) ? "no frame of the container here"
                                   : "no buffer header here",
                  at, frame.content_size, frame.where);
        return;
    }
    if (!fits(frame)) {
        into.find(Severity::warning, "BufferSize contradicts the rest of the file", at, 0,
                  frame.where);
    }
    into.add_packed(frame.stored, at, frame.content_size, frame.where, frame.packed_size,
                    is_cut ? IndexBuilder::Frame::cut : IndexBuilder::Frame::whole);
}

} // namespace

PackedTrace packed_trace(Bytes packed) {
    PackedTrace trace{io::container_of(packed), packed, {}};
    if (trace.is_none()) {
        return trace;
    }
    const std::vector<Frame> frames = frames_of(trace.kind, packed);
    if (!holds_buffers(frames)) {
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
    constexpr std::size_t worth_keeping = 1U << 20U;
    if (unpacker->scratch.capacity() > worth_keeping) {
        unpacker->scratch.free();
    }
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(unpacker));
}

} // namespace etl::trace
