#include "symbols/demangle/name_parser.hpp"

#include <charconv>

namespace etl::symbols {

// A digit for 1 to 10, or hexadecimal digits from A on, up to `@`. A `?` before them negates.
std::optional<NameParser::Number> NameParser::number() {
    Number value{.is_negative = takes('?')};
    if (peek() >= '0' && peek() <= '9') {
        value.magnitude = static_cast<std::uint64_t>(take() - '0') + 1;
        return value;
    }
    while (!takes('@')) {
        const char digit = take();
        if (digit < 'A' || digit > 'P' || value.magnitude >> 60U != 0) {
            return std::nullopt;
        }
        value.magnitude = value.magnitude << 4U | static_cast<std::uint64_t>(digit - 'A');
    }
    return value;
}

std::string_view NameParser::text_of(Number value) {
    char digits[20];
    const char* end = std::to_chars(digits, digits + sizeof digits, value.magnitude).ptr;
    return arena_->join({value.is_negative && value.magnitude != 0 ? "-" : "", {digits, end}});
}

// Numbers between two texts. Empty if one is damaged. Offsets are of 32 bits: PPPPPPPM is -4.
std::string_view NameParser::numbers(std::string_view before, std::size_t count,
                                     std::string_view after) {
    std::string_view text = before;
    for (std::size_t i = 0; i < count; ++i) {
        auto value = number();
        if (!value) {
            return {};
        }
        if (value->magnitude >> 31U == 1 && !value->is_negative) {
            value = {.magnitude = (std::uint64_t{1} << 32U) - value->magnitude,
                     .is_negative = true};
        }
        text = arena_->join({text, i == 0 ? "" : ", ", text_of(*value)});
    }
    return arena_->join({text, after});
}

bool NameParser::takes(char c) noexcept {
    if (!rest_.starts_with(c)) {
        return false;
    }
    rest_.remove_prefix(1);
    return true;
}

bool NameParser::takes(std::string_view text) noexcept {
    if (!rest_.starts_with(text)) {
        return false;
    }
    rest_.remove_prefix(text.size());
    return true;
}

// A zero at the end, which no code is.
char NameParser::take() noexcept {
    const char c = peek();
    rest_.remove_prefix(rest_.empty() ? 0 : 1);
    return c;
}

} // namespace etl::symbols
