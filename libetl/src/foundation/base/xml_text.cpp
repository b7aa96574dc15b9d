#include "base/xml_text.hpp"

#include "base/layout.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <span>

namespace etl {

namespace {

enum class Escape : unsigned char { none, name, forbidden, line, non_character };

constexpr std::array<Escape, 256> escape_of = [] {
    std::array<Escape, 256> table{};
    for (std::size_t c = 0; c < 0x20; ++c) {
        table[c] = Escape::forbidden;
    }
    table['\t'] = Escape::line;
    table['\n'] = Escape::line;
    table['\r'] = Escape::name;
    for (const char c : std::string_view("<>&\"'")) {
        table[static_cast<unsigned char>(c)] = Escape::name;
    }
    table[0xEF] = Escape::non_character; // may lead U+FFFE or U+FFFF
    return table;
}();

constexpr std::size_t part_size = sizeof(std::uint64_t);
constexpr std::uint64_t each = 0x0101010101010101;

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

std::string_view reference_of(char c) noexcept {
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&apos;";
    case '\t':
        return "&#9;";
    case '\n':
        return "&#10;";
    default:
        return "&#13;";
    }
}

bool is_non_character(std::string_view text) noexcept {
    return text.starts_with("\xEF\xBF\xBE") || text.starts_with("\xEF\xBF\xBF");
}

/// The highest bit of each byte that is 0; of bytes above one that is 0, possibly of others.
constexpr std::uint64_t zero_bytes(std::uint64_t bytes) noexcept {
    return (bytes - each) & ~bytes & (each << 7U);
}

/// The same for the eight characters that may be such a place; the lowest one is.
std::uint64_t candidates(const char* part) noexcept {
    const auto c = load_le<std::uint64_t>(std::as_bytes(std::span(part, 8)).data());
    const std::uint64_t controls = (c - each * 0x20) & ~c & (each << 7U);
    const std::uint64_t brackets = zero_bytes((c | each * 0x02) ^ each * 0x3E);  // < and >
    const std::uint64_t ampersand = zero_bytes((c | each * 0x01) ^ each * 0x27); // & and '
    return controls | brackets | ampersand | zero_bytes(c ^ each * 0x22) |
           zero_bytes(c ^ each * 0xEF);
}

bool is_special(std::string_view text, std::size_t at, XmlPlace place) noexcept {
    const Escape escape = escape_of[static_cast<unsigned char>(text[at])];
    return escape != Escape::none && !(escape == Escape::line && place == XmlPlace::content) &&
           !(escape == Escape::non_character && !is_non_character(text.substr(at)));
}

/// The first place from `at` on that cannot stay as it is.
std::size_t find_special(std::string_view text, std::size_t at, XmlPlace place) noexcept {
    while (text.size() - at >= part_size) {
        const std::uint64_t found = candidates(text.data() + at);
        at += found == 0 ? part_size : static_cast<std::size_t>(std::countr_zero(found)) / 8;
        if (found != 0) {
            if (is_special(text, at, place)) {
                return at;
            }
            ++at;
        }
    }
    while (at < text.size() && !is_special(text, at, place)) {
        ++at;
    }
    return at;
}

} // namespace

void append_xml_escaped(std::string& to, std::string_view text, XmlPlace place) {
    for (std::size_t at = 0;;) {
        const std::size_t end = find_special(text, at, place);
        to.append(text.substr(at, end - at));
        if (end == text.size()) {
            return;
        }
        const Escape escape = escape_of[static_cast<unsigned char>(text[end])];
        if (escape == Escape::name || escape == Escape::line) {
            to.append(reference_of(text[end]));
        } else {
            to.append(replacement_character);
        }
        at = end + (escape == Escape::non_character ? 3 : 1);
    }
}

void escape_xml_from(std::string& text, std::size_t begin, XmlPlace place) {
    const std::size_t special = find_special(text, begin, place);
    if (special == text.size()) [[likely]] {
        return;
    }
    // The plain form stays where it is while the escaped one is written after it, and is then
    // removed.
    constexpr std::size_t max_reference = 6;
    const std::size_t size = text.size() - special;
    text.reserve(text.size() + max_reference * size);
    append_xml_escaped(text, std::string_view(text).substr(special, size), place);
    text.erase(special, size);
}

} // namespace etl
