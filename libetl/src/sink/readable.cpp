#include "sink/readable.hpp"

#include <etl/base/text.hpp>

#include <span>

namespace etl::sink {

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
    if (!text.empty() && wants_quotes.find_in(text) == text.size()) {
        append_escaped(to, text);
        return;
    }
    to.push_back('"');
    append_escaped(to, text);
    to.push_back('"');
}

void append_shortened(std::string& to, Bytes bytes) {
    constexpr std::size_t shown = 32; // the JSON output has all of them
    append_hex_bytes(to, clamped(bytes, 0, shown));
    if (bytes.size() > shown) {
        to.append("...(");
        append_decimal(to, bytes.size());
        to.append(" bytes)");
    }
}

} // namespace etl::sink
