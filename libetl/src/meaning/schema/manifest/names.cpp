#include "schema/manifest/names.hpp"

#include "base/text.hpp"
#include "schema/event_name.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <limits>

namespace etl::schema {

namespace {

template <typename Value>
std::optional<Value> narrowed(std::string_view text) noexcept {
    const auto value = parse_number(text);
    return value && *value <= std::numeric_limits<Value>::max()
               ? std::optional(static_cast<Value>(*value))
               : std::nullopt;
}

// Channels that Windows owns keep their values wherever they are imported.
constexpr std::uint8_t first_own_channel = 16;

} // namespace

ManifestNames::ManifestNames(const pugi::xml_node& provider, const Guid& guid,
                             ManifestReading& reading, const ManifestStrings& strings,
                             const std::optional<ParameterFiles>& parameter_files)
    : reading_(reading), strings_(strings) {
    auto names = std::make_shared<ProviderNames>();
    names->guid = guid;
    names->name = reading_.copy(attribute(provider, "name"));
    if (const auto message = strings_.resolved(attribute(provider, "message"))) {
        names->message = reading_.copy(without_message_end(*message));
    }
    names->resource_file = reading_.copy(attribute(provider, "resourceFileName"));
    names->message_file = reading_.copy(attribute(provider, "messageFileName"));
    names->parameter_file = reading_.copy(attribute(provider, "parameterFileName"));
    if (parameter_files && !names->parameter_file.empty()) {
        names->parameters = (*parameter_files)(names->parameter_file);
    }
    read_levels(provider, *names);
    read_tasks(provider);
    read_opcodes(provider, opcodes_);
    read_keywords(provider, *names);
    read_channels(provider, *names);
    read_maps(provider);
    provider_ = std::move(names);
}

template <typename Value>
std::optional<Value> ManifestNames::number(const pugi::xml_node& node, const char* attribute_name) {
    const auto value = narrowed<Value>(attribute(node, attribute_name));
    if (!value) {
        reading_.note(node, fmt::format("`{}` of {} `{}` is not a number in range: `{}`",
                                        attribute_name, local_name(node), attribute(node, "name"),
                                        attribute(node, attribute_name)));
    }
    return value;
}

std::string_view ManifestNames::shown_name(const pugi::xml_node& node,
                                           std::string_view kind) const noexcept {
    const std::string_view name = attribute(node, "name");
    if (is_made_up_name(name, kind)) {
        const auto message = strings_.resolved(attribute(node, "message"));
        if (message && !message->empty()) {
            return without_message_end(*message);
        }
    }
    return without_win(name);
}

void ManifestNames::read_levels(const pugi::xml_node& provider, ProviderNames& names) {
    for_each_child(provider, "levels", [&](const pugi::xml_node& list) {
        for_each_child(list, "level", [&](const pugi::xml_node& level) {
            if (const auto value = number<std::uint8_t>(level, "value")) {
                levels_.try_emplace(attribute(level, "name"), *value);
                const auto message = strings_.resolved(attribute(level, "message"));
                const bool has_text = message && !message->empty();
                names.levels.emplace_back(
                    *value, reading_.copy(has_text ? without_message_end(*message)
                                                   : without_win(attribute(level, "name"))));
            }
        });
    });
}

void ManifestNames::read_opcodes(const pugi::xml_node& parent, Opcodes& into) {
    for_each_child(parent, "opcodes", [&](const pugi::xml_node& list) {
        for_each_child(list, "opcode", [&](const pugi::xml_node& opcode) {
            if (const auto value = number<std::uint8_t>(opcode, "value")) {
                into.try_emplace(attribute(opcode, "name"),
                                 Named<std::uint8_t>{*value, shown_name(opcode, "opcode")});
            }
        });
    });
}

void ManifestNames::read_tasks(const pugi::xml_node& provider) {
    for_each_child(provider, "tasks", [&](const pugi::xml_node& list) {
        for_each_child(list, "task", [&](const pugi::xml_node& node) {
            const auto value = number<std::uint16_t>(node, "value");
            if (!value) {
                return;
            }
            std::string_view shown = shown_name(node, "task");
            if (*value == 0 && is_made_up_name(shown, "task")) {
                shown = {}; // task 0 is no task
            }
            Task task{{*value, shown}, {}};
            task.guid = parse_guid(attribute(node, "eventGUID")).value_or(Guid());
            read_opcodes(node, task.opcodes);
            tasks_.try_emplace(attribute(node, "name"), std::move(task));
        });
    });
}

void ManifestNames::read_keywords(const pugi::xml_node& provider, ProviderNames& names) {
    for_each_child(provider, "keywords", [&](const pugi::xml_node& list) {
        for_each_child(list, "keyword", [&](const pugi::xml_node& keyword) {
            if (const auto mask = number<std::uint64_t>(keyword, "mask")) {
                keywords_.try_emplace(attribute(keyword, "name"), *mask);
                names.keywords.emplace_back(*mask, reading_.copy(shown_name(keyword, "keyword")));
            }
        });
    });
}

void ManifestNames::read_channels(const pugi::xml_node& provider, ProviderNames& names) {
    std::bitset<256> taken;
    const auto add = [&](const pugi::xml_node& channel) {
        const std::string_view name = attribute(channel, "name");
        std::optional<std::uint8_t> value = winmeta::channel(name);
        if (channel.attribute("value")) {
            value = number<std::uint8_t>(channel, "value");
        } else if (!value) {
            unsigned next = first_own_channel;
            while (next < taken.size() && taken[next]) {
                ++next;
            }
            value = static_cast<std::uint8_t>(std::min(next, 255U));
        }
        if (value) {
            taken.set(*value);
            const std::string_view id = attribute(channel, "chid");
            channels_.try_emplace(id.empty() ? name : id, *value);
            channels_.try_emplace(name, *value);
            names.channels.emplace_back(*value, reading_.copy(name));
        }
    };
    for_each_child(provider, "channels", [&](const pugi::xml_node& list) {
        for (const pugi::xml_node& channel : list.children()) {
            if (local_name(channel) == "channel" || local_name(channel) == "importChannel") {
                add(channel);
            }
        }
    });
}

void ManifestNames::read_maps(const pugi::xml_node& provider) {
    for_each_child(provider, "maps", [&](const pugi::xml_node& list) {
        for_each_child(list, "valueMap",
                       [&](const pugi::xml_node& node) { read_map(node, ValueMap::Kind::value); });
        for_each_child(list, "bitMap",
                       [&](const pugi::xml_node& node) { read_map(node, ValueMap::Kind::bits); });
    });
}

void ManifestNames::read_map(const pugi::xml_node& node, ValueMap::Kind kind) {
    auto map = std::make_shared<ValueMap>();
    map->name = reading_.copy(attribute(node, "name"));
    map->kind = kind;
    for_each_child(node, "map", [&](const pugi::xml_node& entry) {
        const auto value = number<std::uint32_t>(entry, "value");
        if (value && reading_.charge(sizeof(map->entries.front()))) {
            const std::string_view message = attribute(entry, "message");
            const std::string_view text =
                message.empty() ? attribute(entry, "symbol") : strings_.text(message);
            map->entries.emplace_back(*value, reading_.copy(without_message_end(text)));
        }
    });
    maps_.try_emplace(attribute(node, "name"), std::move(map));
}

std::shared_ptr<const ValueMap> ManifestNames::map(std::string_view name) const noexcept {
    const auto found = maps_.find(name);
    return found == maps_.end() ? nullptr : found->second;
}

std::uint8_t ManifestNames::level(std::string_view name) const noexcept {
    if (name.empty()) {
        return 0;
    }
    if (const auto own = levels_.find(name); own != levels_.end()) {
        return own->second;
    }
    if (const auto predefined = winmeta::level(name)) {
        return *predefined;
    }
    return narrowed<std::uint8_t>(name).value_or(std::uint8_t{0});
}

std::uint8_t ManifestNames::channel(std::string_view name) const noexcept {
    if (name.empty()) {
        return 0;
    }
    if (const auto own = channels_.find(name); own != channels_.end()) {
        return own->second;
    }
    if (const auto predefined = winmeta::channel(name)) {
        return *predefined;
    }
    return narrowed<std::uint8_t>(name).value_or(std::uint8_t{0});
}

Named<std::uint16_t> ManifestNames::task(std::string_view name) const noexcept {
    if (name.empty()) {
        return {};
    }
    if (const auto own = tasks_.find(name); own != tasks_.end()) {
        return own->second.name;
    }
    return {narrowed<std::uint16_t>(name).value_or(std::uint16_t{0}), {}};
}

Guid ManifestNames::task_guid(std::string_view name) const noexcept {
    const auto own = tasks_.find(name);
    return own != tasks_.end() ? own->second.guid : Guid();
}

Named<std::uint8_t> ManifestNames::opcode(std::string_view name,
                                          std::string_view task) const noexcept {
    if (name.empty()) {
        return {};
    }
    if (const auto around = tasks_.find(task); around != tasks_.end()) {
        const Opcodes& local = around->second.opcodes;
        if (const auto own = local.find(name); own != local.end()) {
            return own->second;
        }
    }
    if (const auto own = opcodes_.find(name); own != opcodes_.end()) {
        return own->second;
    }
    if (const auto predefined = winmeta::opcode(name)) {
        return {*predefined, local_name(name)};
    }
    return {narrowed<std::uint8_t>(name).value_or(std::uint8_t{0}), {}};
}

std::uint64_t ManifestNames::keywords(std::string_view names) const noexcept {
    std::uint64_t all = 0;
    while (!(names = trimmed(names)).empty()) {
        const std::string_view name = names.substr(0, names.find_first_of(" \t\r\n"));
        names.remove_prefix(name.size());
        if (const auto own = keywords_.find(name); own != keywords_.end()) {
            all |= own->second;
        } else if (const auto predefined = winmeta::keyword(name)) {
            all |= *predefined;
        } else {
            all |= parse_number(name).value_or(0);
        }
    }
    return all;
}

} // namespace etl::schema
