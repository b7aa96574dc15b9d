#include "schema/wpp_format.hpp"

#include <algorithm>

namespace etl::schema {

namespace {

constexpr bool is_wpp_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

constexpr bool is_wpp_letter(char c) noexcept {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// What FormatMessage makes of a percent sign and this character.
std::string_view escaped(std::string_view character) noexcept {
    switch (character.front()) {
    case 'n':
        return "\n";
    case 'r':
        return "\r";
    case 't':
        return "\t";
    case 'b':
        return " ";
    default:
        return character;
    }
}

} // namespace

char conversion_of(std::string_view notation) noexcept {
    const char letter = notation.empty() ? 's' : notation.back();
    switch (letter) {
    case 'D':
        return 'd';
    case 'O':
        return 'o';
    case 'P':
        return 'p';
    case 'U':
        return 'u';
    default:
        return is_wpp_letter(letter) ? letter : 's';
    }
}

bool WppFormat::next(WppPiece& piece) noexcept {
    while (left_.starts_with("%0")) {
        left_.remove_prefix(2);
    }
    if (left_.empty()) {
        return false;
    }
    const std::string_view before = left_;
    piece = {};
    if (left_.front() != '%' || left_.size() == 1) {
        const std::size_t end = std::max<std::size_t>(left_.find('%'), 1);
        piece.text = left_.substr(0, end);
        left_.remove_prefix(piece.text.size());
    } else if (is_wpp_digit(left_[1])) {
        variable(piece);
    } else if (left_[1] != '!' || !name(piece)) {
        piece.text = escaped(left_.substr(1, 1));
        left_.remove_prefix(2);
    }
    piece.spelling = before.substr(0, before.size() - left_.size());
    return true;
}

// One or two digits, as FormatMessage has it; three where an exclamation mark says that they belong
// together.
void WppFormat::variable(WppPiece& piece) noexcept {
    std::size_t digits = 1;
    while (digits < 3 && digits + 1 < left_.size() && is_wpp_digit(left_[digits + 1])) {
        ++digits;
    }
    if (digits == 3 && left_.substr(4, 1) != "!") {
        digits = 2;
    }
    piece.kind = WppPiece::Kind::variable;
    for (const char c : left_.substr(1, digits)) {
        piece.number = piece.number * 10 + static_cast<unsigned>(c - '0');
    }
    left_.remove_prefix(1 + digits);
    piece.text = "s";
    constexpr std::size_t max_size = 32;
    if (left_.starts_with('!')) {
        const std::size_t end = left_.substr(0, max_size).find('!', 1);
        if (end != left_.npos) {
            piece.text = left_.substr(1, end - 1);
            left_.remove_prefix(end + 1);
        }
    }
}

// `%!FUNC!`
bool WppFormat::name(WppPiece& piece) noexcept {
    constexpr std::size_t max_size = 32;
    const std::string_view rest = left_.substr(2, max_size);
    const auto end = std::ranges::find_if_not(rest, is_wpp_letter);
    if (end == rest.begin() || end == rest.end() || *end != '!') {
        return false;
    }
    piece.kind = WppPiece::Kind::name;
    piece.text = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    left_.remove_prefix(2 + piece.text.size() + 1);
    return true;
}

} // namespace etl::schema
