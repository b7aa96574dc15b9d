// What an index of buffers tells.
#pragma once

#include "trace/index/buffer_index.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace etl::trace {

inline std::vector<int> sequences(const BufferIndex& index) {
    std::vector<int> numbers;
    for (const BufferEntry& entry : index.entries) {
        numbers.push_back(static_cast<int>(entry.sequence));
    }
    return numbers;
}

inline std::size_t warnings(const BufferIndex& index) {
    return static_cast<std::size_t>(std::ranges::count_if(
        index.findings, [](const Diagnostic& d) { return d.severity == Severity::warning; }));
}

} // namespace etl::trace
