// A forward writer of little-endian data to memory that it owns. Not thread-safe.
#pragma once

#include <etl/bytes.hpp>
#include <etl/guid.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace etl {

class ByteWriter {
public:
    template <typename T>
    ByteWriter& value(T v) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T));
        store_le<T>(bytes_.data() + at, v);
        return *this;
    }

    ByteWriter& u8(std::uint8_t v) { return value(v); }

    ByteWriter& u16(std::uint16_t v) { return value(v); }

    ByteWriter& u32(std::uint32_t v) { return value(v); }

    ByteWriter& u64(std::uint64_t v) { return value(v); }

    ByteWriter& guid(const Guid& v) { return value(v); }

    ByteWriter& bytes(Bytes v) {
        bytes_.insert(bytes_.end(), v.begin(), v.end());
        return *this;
    }

    /// Appends the characters without a terminator.
    ByteWriter& text8(std::string_view v) { return bytes(std::as_bytes(std::span(v))); }

    /// Appends the characters and a NUL.
    ByteWriter& zero_terminated8(std::string_view v) { return text8(v).u8(0); }

    /// Appends UTF-16 units without a terminator.
    ByteWriter& text16(std::u16string_view v) {
        for (const char16_t unit : v) {
            u16(unit);
        }
        return *this;
    }

    ByteWriter& zero_terminated16(std::u16string_view v) { return text16(v).u16(0); }

    ByteWriter& fill(std::size_t count, std::byte with = std::byte{0}) {
        bytes_.insert(bytes_.end(), count, with);
        return *this;
    }

    /// Pads to the next multiple of `alignment`.
    ByteWriter& align(std::size_t alignment, std::byte with = std::byte{0}) {
        return fill((alignment - bytes_.size() % alignment) % alignment, with);
    }

    /// Overwrites bytes already written at `position`.
    template <typename T>
    void patch(std::size_t position, T v) {
        store_le<T>(MutableBytes(bytes_).subspan(position, sizeof(T)).data(), v);
    }

    std::size_t size() const noexcept { return bytes_.size(); }

    Bytes view() const noexcept { return bytes_; }

    /// Clears the content but keeps the memory.
    void clear() noexcept { bytes_.clear(); }

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

} // namespace etl
