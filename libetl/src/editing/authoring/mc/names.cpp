#include "authoring/mc/names.hpp"

#include "authoring/cpp/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::authoring {

namespace {

// A text that is longer says nothing more as a name. Compilers take identifiers of at least 2,000.
constexpr std::size_t longest_identifier = 240;

constexpr bool is_mc_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

constexpr bool is_mc_part(char c) noexcept {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || is_mc_digit(c) || c == '_';
}

constexpr bool continues_a_character(char c) noexcept {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
}

} // namespace

std::string mc_identifier(std::string_view text) {
    std::string name;
    bool is_in_front = true;
    for (const char c : text.substr(0, longest_identifier)) {
        is_in_front = is_in_front && is_mc_digit(c);
        if (is_mc_part(c) && !is_in_front) {
            name += c;
        } else if (!continues_a_character(c)) {
            name += '_';
        }
    }
    return name;
}

std::string McScope::take(std::string_view symbol, std::string_view derived) {
    std::string wished = mc_identifier(symbol.empty() ? derived : symbol);
    if (wished.empty() || is_reserved_word(wished)) {
        wished += '_';
    }
    std::string name = names_.take_identifier(wished);
    if (!symbol.empty() && name != symbol) {
        notes_->add(fmt::format("symbol `{}` is called {}", symbol, name));
    }
    return name;
}

} // namespace etl::authoring
