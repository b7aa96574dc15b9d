#include "trace/index/frame_walk.hpp"

#include "trace/index/header_checks.hpp"
#include "trace/limits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace etl::trace {

namespace {

using io::Frame;

/// What a library makes of this content has at most so many bytes: what does not shrink is stored,
/// in blocks of 64 KB or more with a few bytes each.
constexpr std::uint64_t largest_packed(std::uint32_t content_size) noexcept {
    return content_size + content_size / 1024 + 64;
}

} // namespace

bool fits(const Frame& frame) noexcept {
    namespace header = format::buffer_header;
    return is_plausible(frame.stored) &&
           format::BufferHeaderView(frame.stored.first<header::size>()).buffer_size() ==
               frame.content_size;
}

std::size_t count_fitting(std::span<const Frame> frames) noexcept {
    return static_cast<std::size_t>(std::ranges::count_if(frames, fits));
}

bool is_hopeless(std::size_t fitting, std::size_t others) noexcept {
    return others > fitting + limits::damaged_places;
}

std::vector<Frame> FrameWalk::run() {
    for (std::size_t places = 0; places < limits::damaged_places; ++places) {
        hop();
        if (is_hopeless(fitting_, others_)) {
            return {};
        }
        if (!hopper_.error() || !step_over(hopper_.where().value)) {
            return std::move(frames_);
        }
    }
    add_lost(hopper_.where().value, end_);
    return std::move(frames_);
}

/// Takes the frames up to the end, or to damage.
void FrameWalk::hop() {
    while (const std::optional<Frame> frame = hopper_.next()) {
        ++(fits(*frame) ? fitting_ : others_);
        frames_.push_back(*frame);
        if (is_hopeless(fitting_, others_)) {
            return;
        }
    }
}

/// Goes to the next frame behind damage that was found at `stop`. False: there is none.
bool FrameWalk::step_over(std::uint64_t stop) {
    // A damaged size of a block leads the walk astray: the next frame may lie inside of what was
    // taken for the last one.
    Frame& last = frames_.back();
    const std::uint64_t begin = last.where.value;
    const bool found = search(begin + 1, stop);
    const std::uint64_t next = found ? hopper_.where().value : end_;
    last.packed_size =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(last.packed_size, next - begin));
    // A frame that was cut goes on behind the damage, but nobody knows how far.
    const std::uint64_t lost_from =
        last.is_truncated ? std::max(stop, begin + largest_packed(last.content_size)) : stop;
    if (lost_from < next) {
        add_lost(lost_from, next);
    }
    return found;
}

/// Goes to the next frame from `at` on. Before `stop` it must be a buffer. False: there is none.
bool FrameWalk::search(std::uint64_t at, std::uint64_t stop) noexcept {
    while (hopper_.resume({at})) {
        const FileOffset where = hopper_.where();
        if (where.value >= stop || fits(*hopper_.peek())) {
            return true;
        }
        at = where.value + 1;
    }
    return false;
}

/// Nobody says how many buffers were in between: one as large as the others.
void FrameWalk::add_lost(std::uint64_t at, std::uint64_t end) {
    const Frame& usual = frames_[frames_.size() > 1 ? 1 : 0];
    frames_.push_back({.where = {at},
                       .packed_size = static_cast<std::uint32_t>(std::min<std::uint64_t>(
                           end - at, std::numeric_limits<std::uint32_t>::max())),
                       .content_size = usual.content_size,
                       .stored = {}});
}

} // namespace etl::trace
