#include "authoring/validated_names.hpp"

#include "base/text.hpp"
#include "schema/manifest_reading.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

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

namespace {

constexpr std::size_t max_channels = 8;                               // ChannelListType
constexpr std::uint64_t own_keywords = (std::uint64_t{1} << 48U) - 1; // the rest is Windows' own

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) noexcept {
    return std::ranges::find(words, word) != words.end();
}

} // namespace

ValidatedNames::ValidatedNames(const pugi::xml_node& provider, ValidatedStrings& strings,
                               Findings& findings)
    : strings_(strings), findings_(findings) {
    read_channels(provider);
    read_levels(provider);
    read_tasks(provider);
    read_opcodes(provider, opcodes_);
    read_keywords(provider);
    read_maps(provider);
}

std::optional<std::uint64_t> ValidatedNames::number(const pugi::xml_node& node, const char* which,
                                                    std::uint64_t max) {
    if (!node.attribute(which)) {
        return std::nullopt;
    }
    const auto value = schema::parse_number(attribute(node, which));
    if (!value || *value > max) {
        findings_.error(node, "`{}` of {} `{}` is not a number up to {}: `{}`", which,
                        local_name(node), attribute(node, "name"), max, attribute(node, which));
        return std::nullopt;
    }
    return value;
}

void ValidatedNames::declare(const pugi::xml_node& node, Scope& scope,
                             std::optional<std::uint64_t> value) {
    const std::string_view name = attribute(node, "name");
    check_symbol(node, findings_);
    strings_.check_reference(node, "message");
    if (!scope.names.insert(name).second) {
        findings_.error(node, "{} `{}` is declared twice", local_name(node), name);
    }
    if (value) {
        const auto [known, is_new] = scope.values.try_emplace(*value, name);
        if (!is_new && known->second != name) {
            findings_.error(node, "{} `{}` has the same value as `{}`", local_name(node), name,
                            known->second);
        }
    }
}

void ValidatedNames::check_range(const pugi::xml_node& node, std::uint64_t value, Range range) {
    if (value < range.low || value > range.high) {
        findings_.error(node, "value {} of {} `{}` is not in {} to {}", value, local_name(node),
                        attribute(node, "name"), range.low, range.high);
    }
}

void ValidatedNames::read_channels(const pugi::xml_node& provider) {
    Scope scope;
    std::size_t count = 0;
    for_each_child(provider, "channels", [&](const pugi::xml_node& list) {
        for (const pugi::xml_node& node : list.children()) {
            if (local_name(node) == "channel" || local_name(node) == "importChannel") {
                read_channel(node, scope);
                if (++count == max_channels + 1) {
                    findings_.error(node, "a provider has at most eight channels");
                }
            }
        }
    });
}

void ValidatedNames::read_channel(const pugi::xml_node& node, Scope& scope) {
    const std::string_view name = attribute(node, "name");
    const bool imported = local_name(node) == "importChannel";
    findings_.require(node, {"name"});
    ChannelType type = ChannelType::unknown;
    std::optional<std::uint64_t> value;
    if (imported) {
        findings_.expect_only(node, {"chid", "name", "symbol"});
    } else {
        findings_.require(node, {"type"});
        findings_.expect_only(node, {"chid", "name", "type", "symbol", "value", "isolation",
                                     "access", "enabled", "message"});
        const std::string_view word = attribute(node, "type");
        type = word == "Admin" ? ChannelType::admin : ChannelType::other;
        if (!is_one_of(word, {"", "Admin", "Operational", "Analytic", "Debug"})) {
            findings_.error(
                node, "type `{}` of channel `{}` is not Admin, Operational, Analytic, or Debug",
                word, name);
        }
        const std::string_view isolation = attribute(node, "isolation");
        if (!is_one_of(isolation, {"", "Application", "System", "Custom"})) {
            findings_.error(node, "isolation `{}` is not Application, System, or Custom",
                            isolation);
        }
        value = number(node, "value", 255);
        if (value && schema::winmeta::channel(name) != *value) {
            check_range(node, *value, {16, 255});
        }
    }
    declare(node, scope, value);
    const std::string_view id = attribute(node, "chid");
    if (!id.empty() && id != name && channels_.contains(id)) {
        findings_.error(node, "channel id `{}` is declared twice", id);
    }
    channels_.try_emplace(name, type);
    if (!id.empty()) {
        channels_.try_emplace(id, type);
    }
}

void ValidatedNames::read_levels(const pugi::xml_node& provider) {
    Scope scope;
    for_each_child(provider, "levels", [&](const pugi::xml_node& list) {
        for_each_child(list, "level", [&](const pugi::xml_node& node) {
            findings_.require(node, {"name", "value"});
            findings_.expect_only(node, {"name", "value", "symbol", "message"});
            const auto value = number(node, "value", 255);
            const std::string_view name = attribute(node, "name");
            if (value && !(name.starts_with("win:") && schema::winmeta::level(name) == *value)) {
                check_range(node, *value, {16, 255});
            }
            declare(node, scope, value);
            levels_.insert(name);
        });
    });
}

void ValidatedNames::read_tasks(const pugi::xml_node& provider) {
    Scope scope;
    for_each_child(provider, "tasks", [&](const pugi::xml_node& list) {
        for_each_child(list, "task", [&](const pugi::xml_node& node) {
            findings_.require(node, {"name", "value"});
            findings_.expect_only(node, {"name", "value", "symbol", "eventGUID", "message"});
            const auto value = number(node, "value", 0xFFFF);
            if (value == 0U) {
                findings_.warning(node, "task `{}` has the value 0, which is reserved for no task",
                                  attribute(node, "name"));
            }
            if (const auto guid = node.attribute("eventGUID");
                guid && !parse_guid(trimmed(guid.value()))) {
                findings_.error(node, "eventGUID `{}` is not a GUID", guid.value());
            }
            declare(node, scope, value);
            read_opcodes(node, tasks_[attribute(node, "name")]);
        });
    });
}

void ValidatedNames::read_opcodes(const pugi::xml_node& parent, Names& into) {
    Scope scope;
    for_each_child(parent, "opcodes", [&](const pugi::xml_node& list) {
        for_each_child(list, "opcode", [&](const pugi::xml_node& node) {
            findings_.require(node, {"name", "value"});
            findings_.expect_only(node, {"name", "value", "symbol", "message", "mofValue"});
            const auto value = number(node, "value", 255);
            const std::string_view name = attribute(node, "name");
            if (value && !(name.starts_with("win:") && schema::winmeta::opcode(name) == *value)) {
                check_range(node, *value, {10, 239});
            }
            declare(node, scope, value);
            into.insert(name);
        });
    });
}

void ValidatedNames::read_keywords(const pugi::xml_node& provider) {
    Scope scope;
    for_each_child(provider, "keywords", [&](const pugi::xml_node& list) {
        for_each_child(list, "keyword",
                       [&](const pugi::xml_node& node) { read_keyword(node, scope); });
    });
}

void ValidatedNames::read_keyword(const pugi::xml_node& node, Scope& scope) {
    findings_.require(node, {"name", "mask"});
    findings_.expect_only(node, {"name", "mask", "symbol", "message"});
    const std::string_view name = attribute(node, "name");
    const auto mask = number(node, "mask", ~std::uint64_t{0});
    const bool predefined =
        name.starts_with("win:") && mask && schema::winmeta::keyword(name) == *mask;
    if (mask && !predefined) {
        if (!std::has_single_bit(*mask)) {
            findings_.error(node, "mask 0x{:x} of keyword `{}` is not a single bit", *mask, name);
        } else if ((*mask & ~own_keywords) != 0) {
            findings_.error(
                node, "mask 0x{:x} of keyword `{}` is one of the 16 bits reserved for Windows",
                *mask, name);
        }
    }
    declare(node, scope, mask);
    keywords_.insert(name);
}

void ValidatedNames::read_maps(const pugi::xml_node& provider) {
    for_each_child(provider, "maps", [&](const pugi::xml_node& list) {
        for (const pugi::xml_node& node : list.children()) {
            if (local_name(node) == "valueMap" || local_name(node) == "bitMap" ||
                local_name(node) == "patternMap") {
                read_map(node);
            }
        }
    });
}

void ValidatedNames::read_map(const pugi::xml_node& node) {
    findings_.require(node, {"name"});
    findings_.expect_only(node, {"name", "symbol", "format"});
    check_symbol(node, findings_);
    const std::string_view name = attribute(node, "name");
    if (!maps_.try_emplace(name, Map{node}).second) {
        findings_.error(node, "map `{}` is declared twice", name);
    }
    const bool bits = local_name(node) == "bitMap";
    const bool pattern = local_name(node) == "patternMap";
    std::unordered_set<std::uint64_t> values;
    bool has_entries = false;
    for_each_child(node, "map", [&](const pugi::xml_node& entry) {
        has_entries = true;
        if (!pattern) {
            read_map_entry(entry, bits, values);
        }
    });
    if (!has_entries) {
        findings_.error(node, "map `{}` has no entries", name);
    }
}

void ValidatedNames::read_map_entry(const pugi::xml_node& node, bool bits,
                                    std::unordered_set<std::uint64_t>& values) {
    findings_.require(node, {"value", "message"});
    findings_.expect_only(node, {"value", "message", "symbol"});
    check_symbol(node, findings_);
    strings_.check_reference(node, "message");
    const auto value = number(node, "value", 0xFFFFFFFF);
    if (!value) {
        return;
    }
    if (bits && !std::has_single_bit(*value)) {
        findings_.error(node, "value 0x{:x} in a bitMap is not a single bit", *value);
    }
    if (!values.insert(*value).second) {
        findings_.error(node, "duplicate value {} in a map", *value);
    }
}

std::optional<ChannelType> ValidatedNames::channel(std::string_view name) const {
    const auto known = channels_.find(name);
    return known == channels_.end() ? std::nullopt : std::optional(known->second);
}

bool ValidatedNames::has_level(std::string_view name) const {
    return levels_.contains(name) || (name.starts_with("win:") && schema::winmeta::level(name));
}

bool ValidatedNames::has_task(std::string_view name) const {
    return tasks_.contains(name) || name == "win:None";
}

bool ValidatedNames::has_opcode(std::string_view name, std::string_view task) const {
    const auto around = tasks_.find(task);
    return (around != tasks_.end() && around->second.contains(name)) || opcodes_.contains(name) ||
           (name.starts_with("win:") && schema::winmeta::opcode(name));
}

bool ValidatedNames::has_keyword(std::string_view name) const {
    return keywords_.contains(name) || (name.starts_with("win:") && schema::winmeta::keyword(name));
}

bool ValidatedNames::use_map(std::string_view name) {
    const auto known = maps_.find(name);
    if (known == maps_.end()) {
        return false;
    }
    known->second.used = true;
    return true;
}

void ValidatedNames::check_unused() const {
    for (const auto& [name, map] : maps_) {
        if (!map.used) {
            findings_.warning(map.node, "map `{}` is not used", name);
        }
    }
}

} // namespace etl::authoring
