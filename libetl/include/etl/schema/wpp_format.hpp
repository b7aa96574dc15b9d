// Format strings of WPP messages and of tracefmt's prefix, taken apart. Values; any thread.
// docs/format/wpp.md#format
#pragma once

#include <cstdint>
#include <string_view>

namespace etl::schema {

/// What one piece of a format string asks for.
struct WppPiece {
    enum class Kind : std::uint8_t {
        text,     // `text` as it is
        variable, // number `number` in the notation `text`, printf's without the percent sign
        name,     // `text` is FUNC, LEVEL, ...
    };

    Kind kind = Kind::text;
    unsigned number = 0;       // 1 to 9: of the event; from 10 on: an argument of the message
    std::string_view text;     // of the format string, or static
    std::string_view spelling; // the piece as it is written
};

/// Reads a format string from front to back. The mark `%0`, where the prefix stands, gives nothing.
class WppFormat {
public:
    explicit WppFormat(std::string_view format) noexcept : left_(format) {}

    /// The next piece; false: there is none.
    bool next(WppPiece& piece) noexcept;

private:
    void variable(WppPiece& piece) noexcept;
    bool name(WppPiece& piece) noexcept;

    std::string_view left_;
};

/// The arguments of a message count from here.
inline constexpr unsigned first_wpp_argument = 10;

/// The letter of printf notation that says what a value is shown as: `d` of `-08I64d`. `s` where
/// there is none.
char conversion_of(std::string_view notation) noexcept;

} // namespace etl::schema
