#include "authoring/validate/strings.hpp"

#include "schema/manifest/reading.hpp"

#include <fmt/format.h>

namespace etl::authoring {

namespace {

constexpr std::string_view begins = "$(string.";

} // namespace

ValidatedStrings::ValidatedStrings(const pugi::xml_document& document, Findings& findings)
    : findings_(findings) {
    for (const pugi::xml_node& localization : schema::descendants(document, "localization")) {
        for_each_child(localization, "resources", [&](const pugi::xml_node& resources) {
            findings_.require(resources, {"culture"});
            for_each_child(resources, "stringTable",
                           [&](const pugi::xml_node& table) { read_table(table); });
        });
    }
}

void ValidatedStrings::read_table(const pugi::xml_node& table) {
    ++tables_;
    for_each_child(table, "string", [&](const pugi::xml_node& node) {
        findings_.require(node, {"id", "value"});
        findings_.expect_only(node, {"id", "value"});
        const std::string_view id = attribute(node, "id");
        const std::string_view value = attribute(node, "value");
        const auto [known, is_new] = strings_.try_emplace(id, String{value, 0, 0});
        if (known->second.last_table != tables_) {
            ++known->second.cultures;
            known->second.last_table = tables_;
        } else if (value == known->second.text) {
            findings_.warning(node, "string `{}` is defined twice with the same text", id);
        } else {
            findings_.error(node, "string `{}` is defined twice with different texts", id);
        }
    });
}

void ValidatedStrings::check_reference(const pugi::xml_node& node, const char* attribute_name) {
    if (!node.attribute(attribute_name)) {
        return;
    }
    const std::string_view value = trimmed(attribute(node, attribute_name));
    if (!value.starts_with(begins) || !value.ends_with(')')) {
        const char* const why =
            value.starts_with("$(") ? "cannot be resolved" : "is not a string reference";
        findings_.error(node, "`{}` `{}` {}", attribute_name, value, why);
        return;
    }
    const std::string_view id = value.substr(begins.size(), value.size() - begins.size() - 1);
    const auto known = strings_.find(id);
    if (tables_ == 0) {
        if (!has_told_missing_) {
            findings_.error(node, "missing localization with a string table");
        }
        has_told_missing_ = true;
    } else if (known == strings_.end()) {
        findings_.error(node, "string `{}` is not defined", id);
    } else if (known->second.cultures < tables_) {
        findings_.warning(node, "string `{}` is not defined for every culture", id);
    }
}

std::string_view ValidatedStrings::text(std::string_view value) const noexcept {
    value = trimmed(value);
    if (!value.starts_with(begins) || !value.ends_with(')')) {
        return {};
    }
    const auto known = strings_.find(value.substr(begins.size(), value.size() - begins.size() - 1));
    return known == strings_.end() ? std::string_view{} : known->second.text;
}

} // namespace etl::authoring
