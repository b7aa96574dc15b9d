// One value as bytes, without what bounds it. Pure; any thread. Private to encode.
#pragma once

#include <etl/bytes.hpp>

#include "encode/input_value.hpp"
#include "encode/layout.hpp"

namespace etl::encode {

/// The longest text that is looked at: a payload of one binary value takes two hex digits per byte,
/// one of one text at most three bytes of UTF-8 for two.
inline constexpr std::size_t max_text = 131'072;

/// Room that one value may use.
inline constexpr std::size_t max_value_bytes = 2 * max_text;

/// What came of it: the place behind the bytes, or why there are none.
struct Put {
    std::byte* end = nullptr;
    const char* problem = nullptr;
};

/// Puts the bytes of `given` at `to`, where there are max_value_bytes bytes of room. `expected`:
/// how many bytes of 8-bit text there should be, as far as that is known; text that is too long as
/// UTF-8 is taken to be of Windows-1252 then.
Put put_value(std::byte* to, const LayoutField& field, const InputValue& given,
              std::size_t expected = max_text) noexcept;

} // namespace etl::encode
