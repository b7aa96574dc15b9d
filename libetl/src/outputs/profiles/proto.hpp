// Messages in the wire format of Protocol Buffers. Private to profiles.
// https://protobuf.dev/programming-guides/encoding
#pragma once

#include "base/varint.hpp"

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace etl::profiles {

/// Appends the fields of one message. Numbers are as uint64, int64, int32, bool, and enum; negative
/// ones take ten bytes.
class Proto {
public:
    explicit Proto(std::string& to) noexcept : to_(&to) {}

    template <std::integral T>
    Proto& number(std::uint32_t field, T value) {
        tag(field, 0);
        append_varint(*to_, static_cast<std::uint64_t>(value));
        return *this;
    }

    /// As sint32 and sint64.
    Proto& zigzag(std::uint32_t field, std::int64_t value) {
        return number(field, etl::zigzag(value));
    }

    /// A string, bytes, a message, or packed numbers.
    Proto& bytes(std::uint32_t field, std::string_view value) {
        tag(field, 2);
        append_varint(*to_, value.size());
        to_->append(value);
        return *this;
    }

private:
    void tag(std::uint32_t field, std::uint32_t wire_type) {
        append_varint(*to_, std::uint64_t{field} << 3U | wire_type);
    }

    std::string* to_;
};

} // namespace etl::profiles
