// What the header of a merged trace says, of what the headers of its inputs say.
// docs/merge.md#header
#pragma once

#include "merge/merge.hpp"

#include <span>

namespace etl::merge {

/// One input, and by how much its times are moved.
struct Part {
    const flow::TraceInfo* trace = nullptr;
    std::int64_t offset = 0; // 100 ns
};

/// `parts` is not empty; `processors` is the number of all, or 0: the most that one has.
trace::Recording merged_recording(std::span<const Part> parts, const Options& options,
                                  std::uint32_t processors);

} // namespace etl::merge
