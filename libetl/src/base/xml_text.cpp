#include <etl/base/xml_text.hpp>

#include <array>

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

/// The first place from `at` on that cannot stay as it is.
std::size_t find_special(std::string_view text, std::size_t at, XmlPlace place) noexcept {
    for (; at < text.size(); ++at) {
        const Escape escape = escape_of[static_cast<unsigned char>(text[at])];
        if (escape == Escape::none || (escape == Escape::line && place == XmlPlace::content) ||
            (escape == Escape::non_character && !is_non_character(text.substr(at)))) [[likely]] {
            continue;
        }
        break;
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
    constexpr std::size_t longest_reference = 6;
    const std::size_t size = text.size() - special;
    text.reserve(text.size() + longest_reference * size);
    append_xml_escaped(text, std::string_view(text).substr(special, size), place);
    text.erase(special, size);
}

} // namespace etl
