#include "authoring/compact/spelling.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace etl::authoring {

namespace {

bool is_control(char c) noexcept {
    return (c >= '\0' && c < ' ') || c == '\x7F';
}

bool needs_quotes(std::string_view name) noexcept {
    constexpr std::string_view not_in_words = " ()[]=\"#";
    return name.empty() || name.find_first_of(not_in_words) != name.npos ||
           std::ranges::any_of(name, is_control);
}

std::string in_quotes(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        if (is_control(c)) {
            text += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
        } else {
            text += c == '"' || c == '\\' ? "\\" : "";
            text += c;
        }
    }
    return text + '"';
}

std::string valid_utf8(std::string_view name) {
    std::string text;
    append_utf8(text, std::as_bytes(std::span(name)));
    return text;
}

} // namespace

std::string compact_name(std::string_view name) {
    const std::string text = valid_utf8(name);
    return needs_quotes(text) ? in_quotes(text) : text;
}

std::string compact_reference(std::string_view name) {
    const std::string text = valid_utf8(name);
    const bool has_meaning = text == "*" || text == "?" || text == "u16" || text.starts_with('@') ||
                             (!text.empty() && text[0] >= '0' && text[0] <= '9');
    return has_meaning || needs_quotes(text) ? in_quotes(text) : text;
}

} // namespace etl::authoring
