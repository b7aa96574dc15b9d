#include "columns/array_builder.hpp"

#include "columns/limits.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
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

namespace {

void fill(char* to, std::size_t count, std::string_view value) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        std::memcpy(to + i * value.size(), value.data(), value.size());
    }
}

} // namespace

void ArrayBuilder::clear() {
    array_ = {};
    array_.repeats = true;
    if (!may_repeat_) {
        expand();
    }
}

void ArrayBuilder::expand() {
    const std::size_t nulls = std::exchange(array_.nulls, 0);
    const std::size_t values = std::exchange(array_.size, 0) - nulls;
    array_.repeats = false;
    if (type_ == Type::text || type_ == Type::binary) {
        array_.offsets.reserve(last_size_ + 1);
        array_.offsets.push_back(0);
    }
    if (nulls > 0) {
        add_nulls(nulls);
    } else if (values > 0) {
        grow(values);
        fill(array_.bytes.data(), values, std::string_view(repeated_.data(), width_));
        array_.size = values;
    }
}

void ArrayBuilder::grow(std::size_t values) {
    constexpr std::size_t min = 16;
    const std::size_t count = std::max({array_.size + values, 2 * array_.size, last_size_, min});
    if (spare_ != nullptr && array_.size == 0) {
        array_.bytes = spare_->take(count * width_);
    }
    array_.bytes.resize_and_overwrite(count * width_,
                                      [&](char*, std::size_t) { return count * width_; });
}

void ArrayBuilder::mark_valid() {
    if (array_.size % 8 == 0) {
        array_.validity.push_back(0);
    }
    std::uint8_t& byte = array_.validity.back();
    byte = static_cast<std::uint8_t>(byte | 1U << array_.size % 8);
}

void ArrayBuilder::repeat(std::size_t values) {
    const std::size_t count = values - array_.size;
    if (array_.repeats) {
        array_.size += count;
        return;
    }
    std::array<char, width_of(Type::guid)> last{};
    std::memcpy(last.data(), array_.bytes.data() + bytes() - width_, width_);
    if (bytes() + count * width_ > array_.bytes.size()) {
        grow(count);
    }
    fill(array_.bytes.data() + bytes(), count, std::string_view(last.data(), width_));
    for (std::size_t i = 0; i < count; ++i) {
        add_valid();
    }
}

void ArrayBuilder::add_nulls(std::size_t count) {
    if (array_.repeats && array_.nulls == array_.size) {
        array_.size += count;
        array_.nulls += count;
        return;
    }
    stop_repeating();
    if (array_.validity.empty()) { // the values so far are valid
        array_.validity.assign((array_.size + 7) / 8, 0xFF);
        if (array_.size % 8 != 0) {
            array_.validity.back() = static_cast<std::uint8_t>((1U << array_.size % 8) - 1);
        }
    }
    if (width_ != 0) {
        if (bytes() + count * width_ > array_.bytes.size()) {
            grow(count);
        }
        std::memset(array_.bytes.data() + bytes(), 0, count * width_);
    }
    array_.size += count;
    array_.nulls += count;
    array_.validity.resize((array_.size + 7) / 8);
    if (type_ == Type::boolean) {
        array_.bytes.resize((array_.size + 7) / 8);
    } else if (width_ == 0) {
        array_.offsets.insert(array_.offsets.end(), count,
                              static_cast<std::int32_t>(array_.bytes.size()));
    }
}

Array ArrayBuilder::take() {
    if (array_.repeats) {
        array_.bytes.assign(repeated_.data(), array_.size > array_.nulls ? width_ : 0);
    } else if (width_ != 0) {
        array_.bytes.resize(bytes());
    }
    last_size_ = array_.size;
    Array taken = std::move(array_);
    clear();
    return taken;
}

} // namespace etl::columns
