// Values in printf's notation, without locale: what WPP's format strings ask for. Private to
// decode. docs/format/wpp.md#notation
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace etl::decode {

/// `-08.3I64d` taken apart. Length modifiers are left out: the size of the value is known.
struct Notation {
    bool is_left = false;      // -
    bool has_zeros = false;    // 0
    bool has_plus = false;     // +
    bool has_blank = false;    // a blank in place of the plus
    bool is_alternate = false; // #
    std::size_t width = 0;     // at most widest_notation
    std::size_t precision = no_precision;
    char conversion = 's';

    static constexpr std::size_t no_precision = static_cast<std::size_t>(-1);
};

/// A format string cannot make a text grow without bound.
inline constexpr std::size_t widest_notation = 1024;

/// Takes the digits at the front; no number becomes greater than widest_notation.
std::size_t take_number(std::string_view& text) noexcept;

/// What stands between the exclamation marks. What it does not understand it passes over.
Notation parse_notation(std::string_view text) noexcept;

/// An integer of `size` bytes whose bits are zero-extended, under d, i, u, o, x, X or p; p is
/// upper-case hexadecimal with all digits of the size.
void append_integer(std::string& to, std::uint64_t bits, unsigned size, const Notation& notation);

/// Under e, E, f, F, g, G, a or A.
void append_real(std::string& to, double value, const Notation& notation);

/// Cuts and pads the text from `begin` on, which is UTF-8, as notation s does.
void fit_text(std::string& to, std::size_t begin, const Notation& notation);

} // namespace etl::decode
