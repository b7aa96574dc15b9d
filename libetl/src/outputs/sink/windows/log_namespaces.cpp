#include "sink/windows/log_namespaces.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace etl::sink {

namespace {

// Real events have one or two; each is looked at for each element.
constexpr std::size_t max_namespaces = 256;

/// Prefixes are ASCII, those of XML itself cannot be declared.
bool is_declarable(std::string_view prefix) noexcept {
    const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !prefix.empty() && is_letter(prefix.front()) && !prefix.starts_with("xml") &&
           std::ranges::all_of(prefix, [&](char c) {
               return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
           });
}

bool is_well_formed(const LogNamespace& one) noexcept {
    const bool has_prefix = one.name.starts_with("xmlns:");
    return (has_prefix ? is_declarable(one.prefix()) && !one.uri.empty() : one.name == "xmlns") &&
           one.uri != "http://www.w3.org/XML/1998/namespace" &&
           one.uri != "http://www.w3.org/2000/xmlns/";
}

/// Takes the text up to a separator, and the separator.
std::string_view take_up_to(std::string_view& text, char separator) noexcept {
    const std::string_view taken = text.substr(0, text.find(separator));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

} // namespace

// Lines `ELEMENT NAME URI`.
void LogNamespaces::parse(std::string_view lines) {
    text_ = lines;
    all_.clear();
    while (!lines.empty() && all_.size() < max_namespaces) {
        std::string_view line = take_up_to(lines, '\n');
        const auto element = parse_number(take_up_to(line, ' '));
        LogNamespace one;
        one.name = take_up_to(line, ' ');
        one.uri = line;
        if (!element || *element > 0xFFFF) {
            continue;
        }
        one.element = static_cast<std::uint32_t>(*element);
        const bool is_new = std::ranges::none_of(all_, [&](const LogNamespace& other) {
            return other.element == one.element && other.name == one.name;
        });
        if (is_new && is_well_formed(one)) {
            all_.push_back(std::move(one));
        }
    }
}

} // namespace etl::sink
