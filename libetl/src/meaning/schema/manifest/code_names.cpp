#include "schema/manifest/code_names.hpp"

#include "base/text.hpp"

#include <bit>
#include <limits>
#include <unordered_set>

namespace etl::schema {

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
constexpr std::size_t most_numbered_providers = 16;

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
        if (!text.starts_with(prefix) || end == text.npos || index_ >= most_numbered_providers) {
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
