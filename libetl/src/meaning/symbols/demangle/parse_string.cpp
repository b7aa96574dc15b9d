#include "symbols/demangle/name_parser.hpp"

#include <array>
#include <string>

namespace etl::symbols {
namespace {

// A name contains at most the first 32 units of a literal.
constexpr std::size_t stored_bytes = 128;

struct LiteralBytes {
    std::array<std::uint8_t, stored_bytes> bytes{};
    std::size_t count = 0;

    // The unit at `index`, of 1, 2, or 4 bytes.
    std::uint32_t unit(std::size_t index, std::size_t width, bool is_big_endian) const noexcept {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t at = is_big_endian ? i : width - 1 - i;
            value = value << 8U | bytes[index * width + at];
        }
        return value;
    }
};

// Takes a byte: itself, `?` and a digit or a letter for frequent ones, `?$` and two hexadecimal
// digits from A on for the rest.
bool take_byte(std::string_view& rest, std::uint8_t& byte) noexcept {
    if (!rest.starts_with('?')) {
        byte = static_cast<std::uint8_t>(rest.front());
        rest.remove_prefix(1);
        return true;
    }
    if (rest.size() < 2) {
        return false;
    }
    const char code = rest[1];
    const bool is_pair = code == '$';
    if (code >= '0' && code <= '9') {
        byte = static_cast<std::uint8_t>(",/\\:. \n\t'-"[code - '0']);
    } else if ((code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z')) {
        byte = static_cast<std::uint8_t>(static_cast<unsigned char>(code) + 0x80U);
    } else if (is_pair && rest.size() >= 4 && rest[2] >= 'A' && rest[2] <= 'P' && rest[3] >= 'A' &&
               rest[3] <= 'P') {
        byte = static_cast<std::uint8_t>((rest[2] - 'A') * 16 + (rest[3] - 'A'));
    } else {
        return false;
    }
    rest.remove_prefix(is_pair ? 4 : 2);
    return true;
}

// Whether the bytes are units of this width: their upper halves are mostly zero. Names do not
// distinguish char16_t and char32_t from char.
bool appears_to_have(std::size_t width, const LiteralBytes& text, std::uint64_t size) noexcept {
    if (size % width != 0 || text.count < width) {
        return false;
    }
    std::size_t small = 0;
    const std::size_t units = text.count / width;
    for (std::size_t i = 0; i < units; ++i) {
        small += text.unit(i, width, false) >> (width * 4) == 0 ? 1U : 0U;
    }
    const bool is_complete = text.count == size;
    return small * 4 >= units * 3 && (!is_complete || text.unit(units - 1, width, false) == 0);
}

void append_upper_hex(std::string& to, std::uint32_t byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    to += digits[byte >> 4U];
    to += digits[byte & 15U];
}

void append_hex_unit(std::string& to, std::uint32_t unit) {
    to += "\\x";
    const unsigned size = unit > 0xFFFF ? 4 : unit > 0xFF ? 2 : 1;
    for (unsigned i = size; i > 0; --i) {
        append_upper_hex(to, unit >> (8 * (i - 1)) & 0xFFU);
    }
}

// As in the source of a program.
void append_unit(std::string& to, std::uint32_t unit) {
    static constexpr std::string_view plain("\0\a\b\t\n\v\f\r\"'\\", 11);
    static constexpr std::string_view letters = "0abtnvfr\"'\\";
    const std::size_t at =
        unit < 0x7F ? plain.find(static_cast<char>(unit)) : std::string_view::npos;
    if (at != std::string_view::npos) {
        to += '\\';
        to += letters[at];
    } else if (unit >= 0x20 && unit < 0x7F) {
        to += static_cast<char>(unit);
    } else {
        append_hex_unit(to, unit);
    }
}

std::string text_of_literal(const LiteralBytes& literal, std::uint64_t size, bool is_wide) {
    const std::size_t width = is_wide                             ? 2
                              : appears_to_have(4, literal, size) ? 4
                              : appears_to_have(2, literal, size) ? 2
                                                                  : 1;
    std::string text = is_wide ? "L\"" : width == 4 ? "U\"" : width == 2 ? "u\"" : "\"";
    const bool is_complete = literal.count >= size;
    const std::size_t units = literal.count / width;
    for (std::size_t i = 0; i < units; ++i) {
        const std::uint32_t unit = literal.unit(i, width, is_wide);
        if (i + 1 < units || !is_complete || unit != 0) { // the terminator
            append_unit(text, unit);
        }
    }
    text += is_complete ? "\"" : "\"...";
    return text;
}

} // namespace

// After `??_C`: `@_0` of bytes or `@_1` of wchar_t, the size in bytes, a checksum, the bytes.
const NameNode* NameParser::string_literal() {
    const bool is_wide = rest_.starts_with("@_1");
    if (!takes("@_0") && !takes("@_1")) {
        return nullptr;
    }
    const auto size = number();
    const std::size_t checksum = rest_.find('@');
    if (!size || size->is_negative || checksum == std::string_view::npos) {
        return nullptr;
    }
    rest_.remove_prefix(checksum + 1);
    LiteralBytes literal;
    for (; !takes('@'); ++literal.count) {
        const bool is_full = literal.count == literal.bytes.size();
        if (rest_.empty() || is_full || !take_byte(rest_, literal.bytes[literal.count])) {
            return nullptr;
        }
    }
    return arena_->text(arena_->join({text_of_literal(literal, size->magnitude, is_wide)}));
}

} // namespace etl::symbols
