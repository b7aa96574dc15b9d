// The buffers of one column while rows are added. Private to columns.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/columns/batch.hpp>

#include <cstring>
#include <string_view>

namespace etl::columns {

/// Values that are not lists.
class ArrayBuilder {
public:
    ArrayBuilder() = default;

    explicit ArrayBuilder(Type type) : type_(type), width_(width_of(type)) { clear(); }

    Type type() const noexcept { return type_; }

    std::size_t size() const noexcept { return array_.size; }

    std::size_t bytes() const noexcept { return array_.bytes.size(); }

    void reserve(std::size_t values) {
        array_.bytes.reserve(values * width_);
        if (type_ == Type::text || type_ == Type::binary) {
            array_.offsets.reserve(values + 1);
        }
    }

    /// Appends a value of fixed size.
    template <typename T>
    void add(T value) {
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        array_.bytes.append(bytes, sizeof value);
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
        const std::size_t before = array_.bytes.size();
        array_.bytes.resize(before + value.size());
        if (!value.empty()) {
            std::memcpy(array_.bytes.data() + before, value.data(), value.size());
        }
        end_value();
    }

    /// Appends a text: `append` appends it to a string.
    template <typename Append>
    void add_text(Append&& append) {
        append(array_.bytes);
        end_value();
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

    void end_value() {
        if (width_ == 0) {
            array_.offsets.push_back(static_cast<std::int32_t>(array_.bytes.size()));
        }
        add_valid();
    }

    void add_valid() {
        if (!array_.validity.empty()) [[unlikely]] {
            mark_valid();
        }
        ++array_.size;
    }

    void mark_valid();

    Type type_ = Type::text;
    std::size_t width_ = 0;
    Array array_;
};

} // namespace etl::columns
