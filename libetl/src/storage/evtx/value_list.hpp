// The values of a template instance. Private to evtx. docs/format/evtx.md#templates
#pragma once

#include "base/byte_writer.hpp"
#include "evtx/value.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace etl::evtx {

constexpr std::uint8_t byte_of(ValueType type) noexcept {
    return static_cast<std::uint8_t>(type);
}

/// A list of values: sizes and types first, then the data. Small data are collected: the writer
/// grows once for many of them.
class ValueList {
public:
    ValueList(ByteWriter& to, std::size_t count) : to_(to) {
        to.u32(static_cast<std::uint32_t>(count));
        head_ = to.size();
        to.fill(count * 4);
    }

    ~ValueList() { flush(); }

    ValueList(const ValueList&) = delete;
    ValueList& operator=(const ValueList&) = delete;

    template <typename T>
    void add(ValueType type, T value) {
        static_assert(sizeof(T) <= most_small);
        head(byte_of(type), sizeof(T));
        make_place(sizeof(T));
        store_le(small_.data() + used_, value);
        used_ += sizeof(T);
    }

    template <typename T>
    void add(ValueType type, const std::optional<T>& value) {
        value ? add(type, *value) : add_null();
    }

    void add(std::uint8_t type, Bytes data) {
        head(type, data.size());
        if (data.size() <= most_small) {
            make_place(data.size());
            std::ranges::copy(data, small_.begin() + static_cast<std::ptrdiff_t>(used_));
            used_ += data.size();
        } else {
            flush();
            to_.bytes(data);
        }
    }

    void add_null() { head(0, 0); }

    /// Writes all data so far; before the caller writes those of a value.
    void flush() {
        to_.bytes(Bytes(small_).first(used_));
        used_ = 0;
    }

    /// The last value, whose data the caller has written.
    void add_written(ValueType type, std::size_t begin) { head(byte_of(type), to_.size() - begin); }

private:
    static constexpr std::size_t most_small = 64;

    void make_place(std::size_t size) {
        if (used_ + size > small_.size()) {
            flush();
        }
    }

    void head(std::uint8_t type, std::size_t size) {
        to_.patch(head_, static_cast<std::uint16_t>(std::min<std::size_t>(size, 0xFFFF)));
        to_.patch(head_ + 2, type);
        head_ += 4;
    }

    ByteWriter& to_;
    std::size_t head_;
    std::array<std::byte, 512> small_; // not cleared
    std::size_t used_ = 0;
};

} // namespace etl::evtx
