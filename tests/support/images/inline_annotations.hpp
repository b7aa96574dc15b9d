// Annotations of inlined calls in program databases.
#pragma once

#include <etl/byte_writer.hpp>

#include <cstdint>

namespace etl::test {

/// Annotations of an inlined call: `number` writes what the format compresses.
class Annotations {
public:
    Annotations& number(std::uint32_t value) {
        if (value < 0x80) {
            out_.u8(static_cast<std::uint8_t>(value));
        } else if (value < 0x4000) {
            out_.u8(static_cast<std::uint8_t>(0x80U | value >> 8U));
            out_.u8(static_cast<std::uint8_t>(value));
        } else {
            out_.u8(static_cast<std::uint8_t>(0xC0U | value >> 24U));
            out_.u8(static_cast<std::uint8_t>(value >> 16U));
            out_.u8(static_cast<std::uint8_t>(value >> 8U)).u8(static_cast<std::uint8_t>(value));
        }
        return *this;
    }

    Annotations& code_offset(std::uint32_t to) { return number(1).number(to); }

    Annotations& advance(std::uint32_t by) { return number(3).number(by); }

    Annotations& length(std::uint32_t bytes) { return number(4).number(bytes); }

    Annotations& file(std::uint32_t checksum) { return number(5).number(checksum); }

    Annotations& line(std::int32_t by) { return number(6).number(signed_number(by)); }

    /// Both in one number.
    Annotations& advance_and_line(std::uint32_t by, std::int32_t line) {
        return number(11).number(signed_number(line) << 4U | by);
    }

    Annotations& length_and_advance(std::uint32_t bytes, std::uint32_t by) {
        return number(12).number(bytes).number(by);
    }

    Bytes view() const noexcept { return out_.view(); }

private:
    static std::uint32_t signed_number(std::int32_t value) {
        return value < 0 ? static_cast<std::uint32_t>(-value) << 1U | 1U
                         : static_cast<std::uint32_t>(value) << 1U;
    }

    ByteWriter out_;
};

} // namespace etl::test
