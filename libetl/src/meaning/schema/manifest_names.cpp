#include "schema/manifest_names.hpp"

#include "base/culture.hpp"
#include "base/text.hpp"
#include "schema/event_name.hpp"
#include "schema/manifest_reading.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <bitset>
#include <limits>
#include <unordered_set>
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

namespace {

// The kind of element that a message belongs to: the upper four bits of its ID.
enum class MessageKind : std::uint8_t {
    classic_event = 0x0, // of a channel that Windows owns
    keyword = 0x1,
    opcode = 0x3,
    level = 0x5,
    task = 0x7,
    provider = 0x9, // and channels
    event = 0xB,
    value_map = 0xD,
    bit_map = 0xF,
};

// Only the first providers of a file get IDs; more do not fit into four bits.
constexpr std::size_t max_numbered_providers = 16;

// Channels below are those of Windows.
constexpr std::uint8_t first_provider_channel = 16;

class CodeNamesReader {
public:
    CodeNamesReader(const pugi::xml_node& provider, std::size_t index, const ManifestNames& names,
                    ManifestReading& reading)
        : provider_(provider), index_(index), names_(names), reading_(reading) {}

    CodeNames read() {
        result_.provider = names_.provider()->guid;
        result_.symbol = reading_.copy(attribute(provider_, "symbol"));
        result_.control_guid = guid(provider_, "controlGuid");
        result_.group_guid = guid(provider_, "groupGuid");
        result_.traits_have_name =
            equals_ignoring_case(trimmed(attribute(provider_, "includeNameInTraits")), "true");
        if (provider_.attribute("message")) {
            add_message(provider_, MessageKind::provider, next_generated_++);
        }
        read_channels();
        read_list(provider_, "levels", "level", "value", MessageKind::level, result_.levels);
        read_list(provider_, "tasks", "task", "value", MessageKind::task, result_.tasks);
        read_opcodes(provider_, 0);
        for_each_child(provider_, "tasks", [&](const pugi::xml_node& list) {
            for_each_child(list, "task", [&](const pugi::xml_node& task) {
                read_opcodes(task, parse_number(attribute(task, "value")).value_or(0));
            });
        });
        read_list(provider_, "keywords", "keyword", "mask", MessageKind::keyword, result_.keywords);
        read_events();
        read_maps("valueMap", MessageKind::value_map);
        read_maps("bitMap", MessageKind::bit_map);
        return std::move(result_);
    }

private:
    static Guid guid(const pugi::xml_node& node, const char* name) {
        return parse_guid(trimmed(attribute(node, name))).value_or(Guid());
    }

    // $(string.ID): the first element that refers to a string determines its number.
    void add_message(const pugi::xml_node& node, MessageKind kind, std::uint64_t value) {
        constexpr std::string_view prefix = "$(string.";
        const std::string_view text = trimmed(attribute(node, "message"));
        const std::size_t end = text.rfind(')');
        if (!text.starts_with(prefix) || end == text.npos || index_ >= max_numbered_providers) {
            return;
        }
        const std::string_view id = text.substr(prefix.size(), end - prefix.size());
        if (known_strings_.insert(id).second && reading_.charge(sizeof(CodeNames::Message))) {
            result_.messages.push_back(
                {reading_.copy(id), static_cast<std::uint32_t>(kind) << 28U |
                                        static_cast<std::uint32_t>(index_) << 24U |
                                        (static_cast<std::uint32_t>(value) & 0xFF'FFFFU)});
        }
    }

    void add(const pugi::xml_node& node, std::string_view name, std::uint64_t value,
             std::vector<CodeNames::Constant>& to) {
        if (reading_.charge(sizeof(CodeNames::Constant))) {
            to.push_back({reading_.copy(name), reading_.copy(attribute(node, "symbol")), value,
                          guid(node, "eventGUID")});
        }
    }

    void read_channels() {
        for_each_child(provider_, "channels", [&](const pugi::xml_node& list) {
            for (const pugi::xml_node& channel : list.children()) {
                if (local_name(channel) != "channel" && local_name(channel) != "importChannel") {
                    continue;
                }
                const std::string_view id = attribute(channel, "chid");
                const std::string_view name = id.empty() ? attribute(channel, "name") : id;
                add(channel, name, names_.channel(name), result_.channels);
                if (channel.attribute("message")) {
                    add_message(channel, MessageKind::provider, next_generated_++);
                }
            }
        });
    }

    void read_list(const pugi::xml_node& parent, std::string_view list_name,
                   std::string_view element_name, const char* value_name, MessageKind kind,
                   std::vector<CodeNames::Constant>& to) {
        for_each_child(parent, list_name, [&](const pugi::xml_node& list) {
            for_each_child(list, element_name, [&](const pugi::xml_node& node) {
                if (const auto value = parse_number(attribute(node, value_name))) {
                    add(node, attribute(node, "name"), *value, to);
                    // A keyword counts its bit from 1.
                    add_message(node, kind,
                                kind == MessageKind::keyword
                                    ? static_cast<std::uint64_t>(std::bit_width(*value))
                                    : *value);
                }
            });
        });
    }

    void read_opcodes(const pugi::xml_node& parent, std::uint64_t task) {
        for_each_child(parent, "opcodes", [&](const pugi::xml_node& list) {
            for_each_child(list, "opcode", [&](const pugi::xml_node& node) {
                if (const auto value = parse_number(attribute(node, "value"))) {
                    add(node, attribute(node, "name"), *value, result_.opcodes);
                    add_message(node, MessageKind::opcode,
                                (task & 0xFFU) << 16U | (*value & 0xFFFFU));
                }
            });
        });
    }

    void read_events() {
        for_each_child(provider_, "events", [&](const pugi::xml_node& list) {
            for_each_child(list, "event", [&](const pugi::xml_node& event) {
                const std::uint8_t channel = names_.channel(attribute(event, "channel"));
                const bool is_classic = channel != 0 && channel < first_provider_channel;
                const std::uint64_t version = parse_number(attribute(event, "version")).value_or(0);
                const std::uint64_t id = parse_number(attribute(event, "value")).value_or(0);
                add_message(event, is_classic ? MessageKind::classic_event : MessageKind::event,
                            (version & 0xFFU) << 16U | (id & 0xFFFFU));
            });
        });
    }

    void read_maps(std::string_view element_name, MessageKind kind) {
        std::uint64_t number = 1;
        for_each_child(provider_, "maps", [&](const pugi::xml_node& list) {
            for_each_child(list, element_name, [&](const pugi::xml_node& node) {
                CodeNames::Map map;
                map.symbol = reading_.copy(attribute(node, "symbol"));
                map.is_bits = kind == MessageKind::bit_map;
                for_each_child(node, "map", [&](const pugi::xml_node& entry) {
                    const auto value = parse_number(attribute(entry, "value"));
                    if (value && *value <= std::numeric_limits<std::uint32_t>::max() &&
                        reading_.charge(sizeof(map.entries.front()))) {
                        map.entries.emplace_back(static_cast<std::uint32_t>(*value),
                                                 reading_.copy(attribute(entry, "symbol")));
                    }
                    add_message(entry, kind, number++);
                });
                if (reading_.charge(sizeof(map))) {
                    result_.maps.push_back(std::move(map));
                }
            });
        });
    }

    pugi::xml_node provider_;
    std::size_t index_;
    const ManifestNames& names_;
    ManifestReading& reading_;
    CodeNames result_;
    std::unordered_set<std::string_view> known_strings_;
    std::uint64_t next_generated_ = 1;
};

} // namespace

CodeNames read_code_names(const pugi::xml_node& provider, std::size_t index,
                          const ManifestNames& names, ManifestReading& reading) {
    return CodeNamesReader(provider, index, names, reading).read();
}

} // namespace etl::schema
