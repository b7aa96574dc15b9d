// Integers of variable length, as Protocol Buffers and Thrift write them. Pure.
#pragma once

#include <etl/bytes.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace etl {

/// Appends `value` in groups of 7 bits, the lowest first (ULEB128): 1 to 10 bytes.
inline void append_varint(std::string& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) {
        to.push_back(static_cast<char>(value | 0x80U));
    }
    to.push_back(static_cast<char>(value));
}

/// Returns a number that is small if the magnitude of `value` is: 0, -1, 1, -2 become 0, 1, 2, 3.
constexpr std::uint64_t zigzag(std::int64_t value) noexcept {
    return static_cast<std::uint64_t>(value) << 1U ^ static_cast<std::uint64_t>(value >> 63U);
}

/// The inverse of zigzag().
constexpr std::int64_t unzigzag(std::uint64_t value) noexcept {
    return static_cast<std::int64_t>(value >> 1U ^ (0 - (value & 1U)));
}

/// Reads such integers. After the first that is incomplete or too large, all are 0.
class VarintReader {
public:
    explicit VarintReader(Bytes bytes) noexcept : bytes_(bytes) {}

    std::uint64_t next() noexcept {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
            const auto part = std::to_integer<std::uint64_t>(bytes_.front());
            bytes_ = bytes_.subspan(1);
            value |= (part & 0x7FU) << shift;
            if (part < 0x80) {
                return value;
            }
        }
        fail();
        return 0;
    }

    /// Returns the next bytes; empty if there are less.
    Bytes bytes(std::uint64_t size) noexcept {
        if (size > bytes_.size()) {
            fail();
            return {};
        }
        const Bytes found = bytes_.first(static_cast<std::size_t>(size));
        bytes_ = bytes_.subspan(found.size());
        return found;
    }

    bool is_at_end() const noexcept { return bytes_.empty(); }

    bool is_intact() const noexcept { return is_intact_; }

private:
    void fail() noexcept {
        bytes_ = {};
        is_intact_ = false;
    }

    Bytes bytes_;
    bool is_intact_ = true;
};

} // namespace etl
