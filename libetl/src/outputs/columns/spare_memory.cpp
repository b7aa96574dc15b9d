#include "columns/spare_memory.hpp"

#include "columns/limits.hpp"

#include <utility>

namespace etl::columns {

void SpareMemory::put(Array&& array) noexcept {
    constexpr std::size_t large = 64U << 10U; // smaller ones stay with the process
    if (array.elements != nullptr) {
        put(std::move(*array.elements));
    }
    const std::size_t capacity = array.bytes.capacity();
    if (capacity < large) {
        return;
    }
    try {
        const std::scoped_lock lock(mutex_);
        if (bytes_ + capacity <= limits::spare_bytes) {
            texts_.emplace(capacity, std::move(array.bytes));
            bytes_ += capacity;
        }
    } catch (...) {
        return; // without memory to keep it, it is freed
    }
}

std::string SpareMemory::take(std::size_t bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    const auto found = texts_.lower_bound(bytes);
    if (found == texts_.end() || found->first / 2 > bytes) {
        return {};
    }
    bytes_ -= found->first;
    std::string text = std::move(texts_.extract(found).mapped());
    text.clear();
    return text;
}

} // namespace etl::columns
