#include "authoring/findings.hpp"

#include "authoring/limits.hpp"
#include "schema/manifest_reading.hpp"

#include <algorithm>
#include <tuple>

namespace etl::authoring {

bool Findings::is_full() const noexcept {
    return result_.findings.size() >= limits::manifest_findings;
}

std::size_t Findings::offset_of(const pugi::xml_node& node) noexcept {
    const auto offset = node.offset_debug();
    return offset < 0 ? 0 : static_cast<std::size_t>(offset);
}

void Findings::add(ManifestFinding::Severity severity, std::size_t offset, std::string text) {
    ++(severity == ManifestFinding::Severity::error ? result_.errors : result_.warnings);
    if (is_full()) {
        return;
    }
    result_.findings.push_back(
        {severity, lines_.line_of(offset), lines_.column_of(offset), std::move(text)});
}

void Findings::error_at(std::size_t offset, std::string text) {
    add(ManifestFinding::Severity::error, offset, std::move(text));
}

void Findings::require(const pugi::xml_node& node, std::initializer_list<const char*> attributes) {
    for (const char* const wanted : attributes) {
        if (!node.attribute(wanted)) {
            error(node, "{} `{}`: missing attribute `{}`", local_name(node),
                  attribute(node, "name"), wanted);
        }
    }
}

void Findings::expect_only(const pugi::xml_node& node,
                           std::initializer_list<std::string_view> known) {
    for (const pugi::xml_attribute& found : node.attributes()) {
        const std::string_view name = found.name();
        if (name.find(':') == name.npos && name != "xmlns" &&
            std::ranges::find(known, name) == known.end()) {
            warning(node, "{}: unknown attribute `{}`", local_name(node), name);
        }
    }
}

Validation Findings::take() {
    std::sort(result_.findings.begin(), result_.findings.end(), [](const auto& a, const auto& b) {
        return std::tie(a.line, a.column, a.severity, a.text) <
               std::tie(b.line, b.column, b.severity, b.text);
    });
    return std::move(result_);
}

bool is_c_symbol(std::string_view text) noexcept {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !text.empty() && letter(text.front()) &&
           std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

void check_symbol(const pugi::xml_node& node, Findings& findings) {
    const pugi::xml_attribute symbol = node.attribute("symbol");
    if (symbol && !is_c_symbol(symbol.value())) {
        findings.error(node, "symbol `{}` is not a C identifier", symbol.value());
    }
}

} // namespace etl::authoring
