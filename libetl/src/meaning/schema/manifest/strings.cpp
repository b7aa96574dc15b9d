#include "schema/manifest/strings.hpp"

#include "base/culture.hpp"
#include "base/text.hpp"
#include "schema/manifest/reading.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace etl::schema {

namespace {

// What stands in `$(...)`, up to the last parenthesis: ids contain parentheses themselves. Empty:
// no reference.
std::string_view reference(std::string_view value) noexcept {
    value = trimmed(value);
    const std::size_t end = value.rfind(')');
    if (!value.starts_with("$(") || end == value.npos) {
        return {};
    }
    return value.substr(2, end - 2);
}

constexpr std::string_view string_prefix = "string.";

} // namespace

ManifestStrings::ManifestStrings(const pugi::xml_document& document, std::string_view culture) {
    struct Table {
        std::size_t rank;
        std::size_t position;
        pugi::xml_node node;
    };

    const CultureChain chain(culture);
    std::vector<Table> tables;
    for (const pugi::xml_node& localization : descendants(document, "localization")) {
        for_each_child(localization, "resources", [&](const pugi::xml_node& resources) {
            const std::size_t rank = chain.rank(attribute(resources, "culture"));
            for_each_child(resources, "stringTable", [&](const pugi::xml_node& table) {
                tables.push_back({rank, tables.size(), table});
            });
        });
    }
    std::ranges::sort(tables, {},
                      [](const Table& table) { return std::pair(table.rank, table.position); });
    for (const Table& table : tables) {
        for_each_child(table.node, "string", [&](const pugi::xml_node& string) {
            const pugi::xml_attribute value = string.attribute("value");
            strings_.try_emplace(attribute(string, "id"),
                                 value ? value.value() : string.child_value());
        });
    }
}

std::optional<std::string_view> ManifestStrings::resolved(std::string_view value) const noexcept {
    const std::string_view inside = reference(value);
    if (inside.empty()) {
        return value;
    }
    if (!inside.starts_with(string_prefix)) {
        return std::nullopt;
    }
    const auto found = strings_.find(inside.substr(string_prefix.size()));
    return found == strings_.end() ? std::nullopt : std::optional(found->second);
}

std::string_view ManifestStrings::text(std::string_view value) const noexcept {
    if (const auto found = resolved(value)) {
        return *found;
    }
    const std::string_view inside = reference(value);
    return inside.starts_with(string_prefix) ? inside.substr(string_prefix.size()) : inside;
}

} // namespace etl::schema
