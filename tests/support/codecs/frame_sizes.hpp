// What a seek table says of frames.
#pragma once

#include "io/container.hpp"

#include <span>
#include <vector>

namespace etl::test {

inline std::vector<io::FrameSizes> sizes_of(std::span<const io::Frame> frames) {
    std::vector<io::FrameSizes> sizes;
    for (const io::Frame& frame : frames) {
        sizes.push_back({.packed = frame.packed_size, .content = frame.content_size});
    }
    return sizes;
}

} // namespace etl::test
