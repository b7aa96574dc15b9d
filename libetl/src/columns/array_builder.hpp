// The buffers of one column while rows are added. Private to columns.
#pragma once

#include <etl/base/text.hpp>
#include <etl/columns/batch.hpp>
#include <etl/columns/spare_memory.hpp>

#include <cstring>
#include <string_view>

namespace etl::columns {

/// Values that are not lists.
class ArrayBuilder {
public:
    ArrayBuilder() = default;

    /// `spare`: memory for values of fixed size; outlives this; null: none.
    explicit ArrayBuilder(Type type, SpareMemory* spare = nullptr)
        : type_(type), width_(width_of(type)), spare_(spare) {
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
        std::memcpy(next(), &value, sizeof value);
        add_valid();
    }

    void add_boolean(bool value) {
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
        if (width_ != 0) {
            std::memcpy(next(), value.data(), width_);
            return add_valid();
        }
        add_text([&](std::string& to) { to.append(as_text(value)); });
    }

    /// Appends a text: `append` appends it to a string.
    template <typename Append>
    void add_text(Append&& append) {
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

    /// Returns the values, and clears the builder.
    Array take();

private:
    void clear();

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
    Array array_; // until it is taken, `bytes` has space after the values of fixed size
    std::size_t last_size_ = 0; // of the array before
};

} // namespace etl::columns
