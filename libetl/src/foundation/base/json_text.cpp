#include "base/json_text.hpp"

#include "base/code_points.hpp"
#include "base/hex_pairs.hpp"
#include "base/text.hpp"
#include "base/text_blocks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

namespace etl {

namespace {

// The letter of the short escape, 'u' for the long one, 0 for what stands for itself.
constexpr auto escapes = [] {
    std::array<char, 128> table{};
    for (std::size_t i = 0; i < 0x20; ++i) {
        table[i] = 'u';
    }
    table['\b'] = 'b';
    table['\f'] = 'f';
    table['\n'] = 'n';
    table['\r'] = 'r';
    table['\t'] = 't';
    table['"'] = '"';
    table['\\'] = '\\';
    return table;
}();

constexpr std::size_t max_escape = 6;

// Writes one ASCII character, escaped where need be.
char* put_json_ascii(char* to, std::uint32_t c) noexcept {
    const char escape = escapes[c];
    if (escape == 0) {
        *to++ = static_cast<char>(c);
        return to;
    }
    *to++ = '\\';
    *to++ = escape;
    if (escape == 'u') {
        *to++ = '0';
        *to++ = '0';
        to = put_hex(to, static_cast<std::byte>(c));
    }
    return to;
}

char* put_json(char* out, std::string_view text) noexcept {
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        if (end - at >= blocks::block_size) {
            const unsigned plain = blocks::copy_json(at, out);
            if (plain == blocks::block_size) { // constants: no block waits for the one before it
                at += blocks::block_size;
                out += blocks::block_size;
                continue;
            }
            at += plain;
            out += plain;
            out = put_json_ascii(out, static_cast<unsigned char>(*at++));
        } else {
            const auto c = static_cast<unsigned char>(*at++);
            if (c < 0x80) {
                out = put_json_ascii(out, c);
            } else {
                *out++ = static_cast<char>(c);
            }
        }
    }
    return out;
}

} // namespace

void append_json_escaped(std::string& to, std::string_view text) {
    // A block is stored before it is known how much of it stays.
    append_at_most(to, text.size() * max_escape + blocks::block_size,
                   [&](char* out) { return put_json(out, text); });
}

void append_json_unescaped(std::string& to, std::string_view escaped) {
    for (std::size_t at = 0; at < escaped.size();) {
        const std::size_t escape = std::min(escaped.find('\\', at), escaped.size());
        to.append(escaped.substr(at, escape - at));
        if (escape + 1 >= escaped.size()) {
            return;
        }
        const char letter = escaped[escape + 1];
        at = escape + 2;
        if (letter == 'u') { // of C0 alone, which two digits tell
            to.push_back(static_cast<char>(
                parse_number(std::string("0x").append(escaped.substr(at, 4))).value_or(0)));
            at += 4;
        } else {
            const auto* const known = std::ranges::find(escapes, letter);
            to.push_back(static_cast<char>(known - escapes.begin()));
        }
    }
}

void append_json_string(std::string& to, std::string_view text) {
    append_at_most(to, text.size() * max_escape + blocks::block_size + 2, [&](char* out) {
        *out++ = '"';
        out = put_json(out, text);
        *out++ = '"';
        return out;
    });
}

void append_json_strings(std::string& to, std::span<const std::string_view> texts) {
    to.push_back('[');
    for (std::size_t i = 0; i < texts.size(); ++i) {
        to.append(i > 0 ? "," : "");
        append_json_string(to, texts[i]);
    }
    to.push_back(']');
}

void append_json_utf16le(std::string& to, Bytes units) {
    append_at_most(to, (units.size() / 2 + 1) * max_escape + 8, [&](char* out) {
        const std::byte* at = units.data();
        const std::byte* const end = at + units.size();
        while (at != end) {
            if (end - at >= 16) {
                const unsigned plain = blocks::narrow_units<true>(at, out);
                if (plain == 8) { // constants, so that no block waits for the one before it
                    at += 16;
                    out += 8;
                    continue;
                }
                at += std::size_t{2} * plain;
                out += plain;
            }
            // What is not ASCII comes in runs.
            CodePoint front{};
            do {
                front = front_of_utf16le(at, static_cast<std::size_t>(end - at));
                at += front.size;
                out = front.value < 0x80 ? put_json_ascii(out, front.value)
                                         : put_code_point(out, front.value);
            } while (at != end && front.value >= 0x80);
        }
        return out;
    });
}

namespace {

bool is_of_number(char c) noexcept {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Integers that need no quotes.
class Range {
public:
    explicit Range(std::uint64_t largest) noexcept
        : largest_(largest), digits_(std::to_string(largest).size()),
          of_negative_(largest == std::numeric_limits<std::int64_t>::max() ? largest + 1
                                                                           : largest) {}

    bool has(std::string_view number) const noexcept {
        if (number.size() < digits_ || number.find_first_of(".eE") != number.npos) {
            return true;
        }
        const bool is_negative = number.front() == '-';
        number.remove_prefix(is_negative ? 1 : 0);
        std::uint64_t magnitude = 0;
        const auto [end, code] =
            std::from_chars(number.data(), number.data() + number.size(), magnitude);
        return code == std::errc{} && magnitude <= (is_negative ? of_negative_ : largest_);
    }

private:
    std::uint64_t largest_;
    std::size_t digits_; // shorter numbers are smaller
    std::uint64_t of_negative_;
};

/// Returns the end of the text whose quote is at `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) noexcept {
    for (++at; at < json.size() && json[at] != '"'; ++at) {
        at += json[at] == '\\' ? 1U : 0U;
    }
    return std::min(at + 1, json.size());
}

} // namespace

void quote_large_integers(std::string& json, std::size_t begin, std::uint64_t largest) {
    const Range range(largest);
    std::string quoted;
    std::size_t kept = begin; // up to here, `quoted` has what is before
    for (std::size_t at = begin; at < json.size();) {
        if (json[at] == '"') {
            at = end_of_text(json, at);
        } else if (json[at] == '-' || (json[at] >= '0' && json[at] <= '9')) {
            const std::size_t first = at;
            while (at < json.size() && is_of_number(json[at])) {
                ++at;
            }
            if (!range.has(std::string_view(json).substr(first, at - first))) {
                quoted.append(json, kept, first - kept).append(1, '"');
                quoted.append(json, first, at - first).append(1, '"');
                kept = at;
            }
        } else {
            ++at;
        }
    }
    if (kept != begin) {
        quoted.append(json, kept);
        json.replace(begin, json.npos, quoted);
    }
}

} // namespace etl
