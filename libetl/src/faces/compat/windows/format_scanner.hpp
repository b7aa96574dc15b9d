// The formats of Windows' printf in parts. docs/compat.md#windows
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace etl::compat {

/// In place of a width or a precision: it is an argument of printf.
inline constexpr int taken_from_argument = -1;

/// More than that nobody pads a number; what a hostile format asks for is bounded.
inline constexpr int most_padding = 0x10000;

/// One conversion: `%-8.*I64x` in parts.
struct FormatConversion {
    enum class Size : unsigned char { usual, h, hh, l, w, wide_64 };

    std::string flags;            // of "-+ #0"
    int width = 0;                // or taken_from_argument
    std::optional<int> precision; // or taken_from_argument; negative: none
    Size size = Size::usual;
    char16_t kind = 0; // 0: the format ended

    bool is_left() const noexcept { return flags.contains('-'); }

    bool is_64_bit() const noexcept { return size == Size::wide_64; }
};

/// Takes a format apart from front to back.
class FormatScanner {
public:
    explicit FormatScanner(std::u16string_view format) noexcept : rest_(format) {}

    bool is_at_end() const noexcept { return rest_.empty(); }

    /// Text up to the next conversion.
    std::u16string_view text() noexcept;

    /// Behind text(), unless at the end.
    FormatConversion conversion();

private:
    char16_t next() noexcept;
    bool take(std::u16string_view word) noexcept;
    int number() noexcept;
    FormatConversion::Size size() noexcept;

    std::u16string_view rest_;
};

} // namespace etl::compat
