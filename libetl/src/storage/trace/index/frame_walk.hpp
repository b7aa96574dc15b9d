// Finds the frames of a container one after the other, and finds them again behind damage.
// docs/format/container.md#reading
#pragma once

#include "io/container.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace etl::trace {

/// The frame holds one buffer, as far as its stored bytes tell.
bool fits(const io::Frame& frame) noexcept;

std::size_t count_fitting(std::span<const io::Frame> frames) noexcept;

/// No frame is there, or nothing is known of it.
inline bool is_lost(const io::Frame& frame) noexcept {
    return frame.stored.empty();
}

/// So many frames hold no buffer that those are not damage. Each of them costs a file a few bytes,
/// and a reader a finding.
bool is_hopeless(std::size_t fitting, std::size_t others) noexcept;

/// The walk over one container. One thread.
class FrameWalk {
public:
    /// `packed` begins with a frame of this kind.
    FrameWalk(io::Container kind, Bytes packed) noexcept
        : hopper_(kind, packed), end_(packed.size()) {}

    /// The frames as they follow each other, one for each damaged place that has none. Empty: it is
    /// hopeless. Once.
    std::vector<io::Frame> run();

    /// As FrameScanner::work.
    std::uint64_t work() const noexcept { return hopper_.work(); }

private:
    void hop();
    bool step_over(std::uint64_t stop);
    bool search(std::uint64_t at, std::uint64_t stop) noexcept;
    void add_lost(std::uint64_t at, std::uint64_t end);

    io::FrameScanner hopper_;
    std::uint64_t end_;
    std::vector<io::Frame> frames_; // not empty after the first hop
    std::size_t fitting_ = 0;
    std::size_t others_ = 0;
};

} // namespace etl::trace
