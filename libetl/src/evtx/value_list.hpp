// The values of a template instance. Private to evtx. docs/format/evtx.md#templates
#pragma once

#include <etl/base/byte_writer.hpp>
#include <etl/evtx/value.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>

namespace etl::evtx {

constexpr std::uint8_t byte_of(ValueType type) noexcept {
    return static_cast<std::uint8_t>(type);
}

/// A list of values: sizes and types first, then the data.
class ValueList {
public:
    ValueList(ByteWriter& to, std::size_t count) : to_(to) {
        to.u32(static_cast<std::uint32_t>(count));
        head_ = to.size();
        to.fill(count * 4);
    }

    template <typename T>
    void add(ValueType type, T value) {
        head(byte_of(type), sizeof(T));
        to_.value(value);
    }

    template <typename T>
    void add(ValueType type, const std::optional<T>& value) {
        value ? add(type, *value) : add_null();
    }

    void add(std::uint8_t type, Bytes data) {
        head(type, data.size());
        to_.bytes(data);
    }

    void add_null() { head(0, 0); }

    /// The last value, whose data the caller has written.
    void add_written(ValueType type, std::size_t begin) { head(byte_of(type), to_.size() - begin); }

private:
    void head(std::uint8_t type, std::size_t size) {
        to_.patch(head_, static_cast<std::uint16_t>(std::min<std::size_t>(size, 0xFFFF)));
        to_.patch(head_ + 2, type);
        head_ += 4;
    }

    ByteWriter& to_;
    std::size_t head_;
};

} // namespace etl::evtx
