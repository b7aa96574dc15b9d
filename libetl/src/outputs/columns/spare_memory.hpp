// The memory of arrays that are not needed any more, for those of further batches. Thread-safe.
#pragma once

#include "columns/batch.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace etl::columns {

/// Large buffers that are freed go back to the system. Faulting in their pages again, for each
/// batch, costs more than filling them.
class SpareMemory {
public:
    /// Keeps the large buffers of an array, up to limits::spare_bytes in total.
    void put(Array&& array) noexcept;

    /// Returns an empty text, with a capacity of `bytes` or a little more if there is one.
    std::string take(std::size_t bytes) noexcept;

private:
    std::mutex mutex_;
    std::multimap<std::size_t, std::string> texts_; // by capacity
    std::size_t bytes_ = 0;
};

} // namespace etl::columns
