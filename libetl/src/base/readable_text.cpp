#include <etl/base/character_set.hpp>
#include <etl/base/readable_text.hpp>
#include <etl/base/text.hpp>

#include "base/text_blocks.hpp"

#include <span>

namespace etl {

namespace {

constexpr CharacterSet wants_quotes(" \t\r\n\",[]{}");

// C0 and DEL; 0xC2 leads U+0080 to U+009F, which some terminals obey, and other characters, which
// they do not.
constexpr CharacterSet may_be_control = [] {
    CharacterSet set("\x7F\xC2");
    for (unsigned char c = 0; c < 0x20; ++c) {
        set.add(c);
    }
    return set;
}();

constexpr CharacterSet not_plain = [] {
    CharacterSet set = may_be_control;
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

bool is_upper_control(std::string_view text, std::size_t at) noexcept {
    return at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
}

void append_control(std::string& to, char c) {
    switch (c) {
    case '\n':
        to.append("\\n");
        break;
    case '\r':
        to.append("\\r");
        break;
    case '\t':
        to.append("\\t");
        break;
    default:
        to.append("\\x");
        append_hex_bytes(to, std::as_bytes(std::span(&c, 1)));
    }
}

} // namespace

void append_escaped(std::string& to, std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = may_be_control.find_in(text, at);
        to.append(text.substr(at, end - at));
        at = end;
        if (at == text.size()) {
            return;
        }
        if (text[at] != '\xC2') {
            append_control(to, text[at++]);
        } else if (is_upper_control(text, at)) {
            append_control(to, text[at + 1]);
            at += 2;
        } else {
            to.push_back(text[at++]);
        }
    }
}

void append_readable(std::string& to, std::string_view text) {
    const std::size_t begin = to.size();
    to.append(text);
    make_readable(to, begin);
}

void make_readable(std::string& text, std::size_t begin) {
    const std::string_view plain = std::string_view(text).substr(begin);
    bool in_quotes = plain.empty();
    std::size_t control = plain.size();
    for (std::size_t at = find_not_plain(plain, 0); at < plain.size();
         at = find_not_plain(plain, at + 1)) {
        in_quotes |= wants_quotes.has(plain[at]);
        if (may_be_control.has(plain[at])) {
            control = at;
            in_quotes |= wants_quotes.find_in(plain, at) < plain.size();
            break;
        }
    }
    if (control < plain.size()) {
        const std::string rest(plain.substr(control));
        text.resize(begin + control);
        append_escaped(text, rest);
    }
    if (in_quotes) {
        text.insert(begin, 1, '"');
        text.push_back('"');
    }
}

} // namespace etl
