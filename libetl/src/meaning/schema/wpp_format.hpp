// Parser of the format strings of WPP messages and of tracefmt's prefix. Values; thread-safe.
// docs/format/wpp.md#format
#pragma once

#include <cstdint>
#include <string_view>

namespace etl::schema {

/// One piece of a format string.
struct WppPiece {
    enum class Kind : std::uint8_t {
        text,     // literal `text`
        variable, // argument `number`, formatted by `text`: printf notation without the percent
                  // sign
        name,     // `text` is FUNC, LEVEL, ...
    };

    Kind kind = Kind::text;
    unsigned number = 0;       // 1 to 9: event property; 10 and above: message argument
    std::string_view text;     // view of the format string, or static
    std::string_view spelling; // the piece as written
};

/// Iterates over the pieces of a format string. The prefix mark `%0` yields nothing.
class WppFormat {
public:
    explicit WppFormat(std::string_view format) noexcept : left_(format) {}

    /// Gets the next piece. Returns false at the end.
    bool next(WppPiece& piece) noexcept;

private:
    void variable(WppPiece& piece) noexcept;
    bool name(WppPiece& piece) noexcept;

    std::string_view left_;
};

/// Number of the first message argument.
inline constexpr unsigned first_wpp_argument = 10;

/// Returns the conversion letter of a printf notation: `d` of `-08I64d`; `s` if there is none. The
/// capitals D, O, P, and U mean the same as the small letters.
char conversion_of(std::string_view notation) noexcept;

} // namespace etl::schema
