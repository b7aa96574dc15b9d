// The codes of special names: `?0` a constructor, `?_7` a table of virtual functions, and so on.
#pragma once

#include <cstdint>
#include <string_view>

namespace etl::symbols {

enum class OperatorKind : std::uint8_t {
    none,
    plain,
    constructor,
    destructor,
    conversion,
    literal,     // a name follows
    string,      // the text of a literal follows
    returning,   // another operator follows
    rtti,        // a digit follows
    initializer, // a variable follows
};

struct OperatorCode {
    OperatorKind kind = OperatorKind::none;
    std::string_view text;
};

/// Removes a code from the front of `rest`, which is after the `?`. None if there is no such code.
OperatorCode take_operator(std::string_view& rest) noexcept;

} // namespace etl::symbols
