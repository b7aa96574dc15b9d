#include "trace/packed_trace.hpp"

#include <etl/base/limits.hpp>
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
class FrameWalk {
public:
    FrameWalk(Container kind, Bytes packed) noexcept : kind_(kind), packed_(packed) {}

    std::vector<Frame> run() {
        std::uint64_t at = 0;
        for (std::size_t places = 0; places < limits::damaged_places; ++places) {
            const std::optional<std::uint64_t> stop = hop(at);
            if (!stop) {
                return std::move(frames_);
            }
            at = step_over(*stop);
        }
        add_lost(at, packed_.size());
        return std::move(frames_);
    }

private:
    Bytes from(std::uint64_t at) const noexcept {
        return clamped(packed_, static_cast<std::size_t>(at));
    }

    /// Takes the frames from `at` on. Where it stopped; nothing: at the end.
    std::optional<std::uint64_t> hop(std::uint64_t at) {
        io::FrameHopper hopper(kind_, from(at));
        while (std::optional<Frame> frame = hopper.next()) {
            frame->where.value += at;
            frames_.push_back(*frame);
        }
        return hopper.error() ? std::optional(at + hopper.where().value) : std::nullopt;
    }

    /// The next frame behind damage that was found at `stop`, or the end.
    std::uint64_t step_over(std::uint64_t stop) {
        if (frames_.empty()) {
            return search(stop + 1, stop);
        }
        // A damaged size of a block leads the walk astray: the next frame may lie inside of what
        // was taken for the last one.
        Frame& last = frames_.back();
        const std::uint64_t next = search(last.where.value + 1, stop);
        if (next < stop || last.cut) {
            last.packed_size = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(last.packed_size, next - last.where.value));
        } else {
            add_lost(stop, next);
        }
        return next;
    }

    /// Where the next frame begins, from `at` on, or the end. Before `stop` it must be a buffer.
    std::uint64_t search(std::uint64_t at, std::uint64_t stop) const noexcept {
        while (at < packed_.size()) {
            io::FrameHopper hopper(kind_, from(at));
            std::optional<Frame> frame = hopper.next();
            if (!frame && hopper.resume()) {
                at += hopper.where().value;
                frame = hopper.next();
            }
            if (!frame) {
                break;
            }
            if (at >= stop || fits(*frame)) {
                return at;
            }
            ++at;
        }
        return packed_.size();
    }

    /// Nobody says how many buffers were in between: one as large as the others.
    void add_lost(std::uint64_t at, std::uint64_t end) {
        const std::size_t usual = std::min<std::size_t>(1, frames_.size() - 1);
        frames_.push_back({.where = {at},
                           .packed_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(
                               end - at, std::numeric_limits<std::uint32_t>::max())),
                           .content_size = frames_.empty() ? 0 : frames_[usual].content_size,
                           .stored = {}});
    }

    Container kind_;
    Bytes packed_;
    std::vector<Frame> frames_;
};

/// The table is believed as long as the frames do not say better.
std::vector<Frame> frames_of(Container kind, Bytes packed) {
    std::vector<Frame> listed = io::frames_by_seek_table(kind, packed);
    const std::size_t good = fitting(listed);
    if (!listed.empty() && good == listed.size()) {
        return listed;
    }
    std::vector<Frame> found = FrameWalk(kind, packed).run();
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
