// The buffers of one column while rows are added. Private to columns.
#pragma once

#include "base/text.hpp"
#include "columns/batch.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace etl::columns {

// The memory of arrays that are not needed any more, for those of further batches. Thread-safe.

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

/// Values that are not lists.
class ArrayBuilder {
public:
    ArrayBuilder() = default;

    /// `spare`: memory for values of fixed size; outlives this; null: none. `may_repeat`: an array
    /// of one value has it once.
    explicit ArrayBuilder(Type type, SpareMemory* spare = nullptr, bool may_repeat = false)
        : type_(type), width_(width_of(type)), spare_(spare), may_repeat_(may_repeat) {
        clear();
    }

    Type type() const noexcept { return type_; }

    std::size_t size() const noexcept { return array_.size; }

    std::size_t bytes() const noexcept {
        return width_ != 0 ? array_.size * width_ : array_.bytes.size();
    }

    /// Appends a value of the size of the type.
    template <typename T>
    void add(T value) {
        add_fixed<sizeof value>(&value);
    }

    void add_boolean(bool value) {
        stop_repeating();
        if (array_.size % 8 == 0) {
            array_.bytes.push_back('\0');
        }
        if (value) {
            auto byte = static_cast<unsigned char>(array_.bytes.back());
            byte = static_cast<unsigned char>(byte | 1U << array_.size % 8);
            array_.bytes.back() = static_cast<char>(byte);
        }
        add_valid();
    }

    /// Appends a binary value, or a GUID in its final order.
    void add_bytes(Bytes value) {
        if (type_ == Type::guid) {
            return add_fixed<width_of(Type::guid)>(value.data());
        }
        add_text([&](std::string& to) { to.append(as_text(value)); });
    }

    /// Appends a text: `append` appends it to a string.
    template <typename Append>
    void add_text(Append&& append) {
        stop_repeating();
        append(array_.bytes);
        array_.offsets.push_back(static_cast<std::int32_t>(array_.bytes.size()));
        add_valid();
    }

    void add_null() { add_nulls(1); }

    void add_nulls(std::size_t count);

    /// Adds nulls up to a number of values.
    void pad(std::size_t values) {
        if (array_.size < values) [[unlikely]] {
            add_nulls(values - array_.size);
        }
    }

    /// Adds the last value, which is of fixed size and not null, up to a number of values.
    void repeat(std::size_t values);

    /// Returns the values, and clears the builder.
    Array take();

private:
    void clear();

    template <std::size_t size>
    void add_fixed(const void* value) {
        if (array_.repeats && repeats_with(value, size)) {
            return;
        }
        std::memcpy(next(), value, size);
        add_valid();
    }

    /// Counts a value that all values so far have. Any other one ends the repetition.
    bool repeats_with(const void* value, std::size_t size) {
        if (array_.size == 0) {
            std::memcpy(repeated_.data(), value, size);
        } else if (array_.nulls > 0 || std::memcmp(repeated_.data(), value, size) != 0) {
            expand();
            return false;
        }
        ++array_.size;
        return true;
    }

    void stop_repeating() {
        if (array_.repeats) [[unlikely]] {
            expand();
        }
    }

    /// Gives each of the values so far its own place.
    void expand();

    /// Returns where the next value of fixed size goes: there is space for it.
    char* next() {
        if (bytes() + width_ > array_.bytes.size()) [[unlikely]] {
            grow(1);
        }
        return array_.bytes.data() + bytes();
    }

    /// Makes space for values of fixed size, at first as many as the last array had.
    void grow(std::size_t values);

    void add_valid() {
        if (!array_.validity.empty()) [[unlikely]] {
            mark_valid();
        }
        ++array_.size;
    }

    void mark_valid();

    Type type_ = Type::text;
    std::size_t width_ = 0;
    SpareMemory* spare_ = nullptr;
    bool may_repeat_ = false;
    std::array<char, width_of(Type::guid)> repeated_{}; // the value of an array that repeats
    Array array_; // until it is taken, `bytes` has space after the values of fixed size
    std::size_t last_size_ = 0; // of the array before
};

} // namespace etl::columns
