#include "base/readable_text.hpp"

#include "base/code_points.hpp"
#include "base/text.hpp"
#include "base/text_blocks.hpp"

#include <array>
#include <charconv>
#include <span>

namespace etl {

namespace {

constexpr CharacterSet wants_quotes(" \t\r\n\",[]{}");

// C0 and DEL, and all that is not ASCII.
constexpr CharacterSet may_be_unsafe = [] {
    CharacterSet set("\x7F");
    for (unsigned c = 0; c < 0x100; c += c == 0x1F ? 0x61 : 1) {
        set.add(static_cast<unsigned char>(c));
    }
    return set;
}();

constexpr CharacterSet not_plain = [] {
    CharacterSet set = may_be_unsafe;
    for (const char c : std::string_view(" \",[]{}")) {
        set.add(static_cast<unsigned char>(c));
    }
    return set;
}();

// The position of the first character from `at` on that stands out, by blocks.
std::size_t find_not_plain(std::string_view text, std::size_t at) noexcept {
    for (; text.size() - at >= blocks::block_size; at += blocks::block_size) {
        const unsigned plain = blocks::plain_in_line(text.data() + at);
        if (plain != blocks::block_size) {
            return at + plain;
        }
    }
    return not_plain.find_in(text, at);
}

/// Whether a code point must not reach a terminal: it controls it, separates lines, is invisible,
/// or changes the direction of the text around it. The pages escape the same
/// (tools/pages/values.mjs).
bool is_unsafe_to_show(std::uint32_t code_point) noexcept {
    const auto is_within = [&](std::uint32_t first, std::uint32_t last) {
        return code_point >= first && code_point <= last;
    };
    return code_point < 0x20 || is_within(0x7F, 0x9F) || code_point == 0x061C ||
           is_within(0x200B, 0x200F) || is_within(0x2028, 0x202E) || is_within(0x2060, 0x2069) ||
           code_point == 0xFEFF;
}

CodePoint front_of(std::string_view text) noexcept {
    const auto bytes = std::as_bytes(std::span(text));
    return front_of_utf8(bytes.data(), bytes.size());
}

bool is_unsafe(const CodePoint& front) noexcept {
    return !front.valid || is_unsafe_to_show(front.value);
}

void append_byte(std::string& to, std::byte byte) {
    to.append("\\x");
    append_hex_bytes(to, std::span(&byte, 1));
}

} // namespace

std::size_t append_visible_front(std::string& to, std::string_view text) {
    const CodePoint front = front_of(text);
    if (!is_unsafe(front)) {
        to.append(text.substr(0, front.size));
    } else if (!front.valid) {
        append_byte(to, static_cast<std::byte>(text.front()));
        return 1;
    } else if (front.value < 0x100) {
        append_byte(to, static_cast<std::byte>(front.value));
    } else {
        std::array<char, 8> digits{};
        const auto end = std::to_chars(digits.begin(), digits.end(), front.value, 16).ptr;
        to.append("\\u{").append(digits.begin(), end).append("}");
    }
    return front.size;
}

namespace {

/// Appends what is safe as it is. `special(c)`: whether it has appended `c`, a single character.
template <typename Special>
void append_shown(std::string& to, std::string_view text, Special&& special) {
    while (true) {
        const std::size_t plain = may_be_unsafe.find_in(text);
        to.append(text.substr(0, plain));
        text.remove_prefix(plain);
        if (text.empty()) {
            return;
        }
        text.remove_prefix(special(text.front()) ? 1 : append_visible_front(to, text));
    }
}

} // namespace

void append_escaped(std::string& to, std::string_view text) {
    append_shown(to, text, [&](char c) {
        constexpr std::string_view named = "\n\r\t", names = "nrt";
        const auto name = named.find(c);
        if (name != named.npos) {
            to.append({'\\', names[name]});
        }
        return name != named.npos;
    });
}

namespace {

/// Bytes at the end that can be the beginning of a character.
std::size_t incomplete_end(std::string_view text) noexcept {
    constexpr std::size_t max_size = 4; // bytes of a character
    for (std::size_t size = 1; size < max_size && size <= text.size(); ++size) {
        const auto lead = static_cast<unsigned char>(text[text.size() - size]);
        if (lead >= 0xC0) {
            const std::size_t whole = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
            return size < whole ? size : 0;
        }
        if (lead < 0x80) {
            break;
        }
    }
    return 0;
}

/// As append_escaped(), but lines and tabs stay.
void append_lines(std::string& to, std::string_view text) {
    append_shown(to, text, [&](char c) {
        const bool is_kept = c == '\n' || c == '\r' || c == '\t';
        to.append(is_kept ? 1 : 0, c);
        return is_kept;
    });
}

} // namespace

std::string_view VisibleText::add(std::string_view piece) {
    text_.append(piece);
    const std::size_t whole = text_.size() - incomplete_end(text_);
    shown_.clear();
    append_lines(shown_, std::string_view(text_).substr(0, whole));
    text_.erase(0, whole);
    return shown_;
}

std::string_view VisibleText::finish() {
    shown_.clear();
    append_lines(shown_, text_);
    text_.clear();
    return shown_;
}

void append_readable(std::string& to, std::string_view text) {
    const std::size_t begin = to.size();
    to.append(text);
    make_readable(to, begin);
}

void make_readable(std::string& text, std::size_t begin) {
    const std::string_view plain = std::string_view(text).substr(begin);
    bool in_quotes = plain.empty();
    std::size_t unsafe = plain.size();
    for (std::size_t at = find_not_plain(plain, 0); at < plain.size();) {
        in_quotes |= wants_quotes.has(plain[at]);
        std::size_t size = 1;
        if (may_be_unsafe.has(plain[at])) {
            const CodePoint front = front_of(plain.substr(at));
            if (is_unsafe(front)) {
                unsafe = at;
                in_quotes |= wants_quotes.find_in(plain, at) < plain.size();
                break;
            }
            size = front.size;
        }
        at = find_not_plain(plain, at + size);
    }
    if (unsafe < plain.size()) {
        const std::string rest(plain.substr(unsafe));
        text.resize(begin + unsafe);
        append_escaped(text, rest);
    }
    if (in_quotes) {
        text.insert(begin, 1, '"');
        text.push_back('"');
    }
}

} // namespace etl
