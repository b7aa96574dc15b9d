// TRACE_EVENT_INFO of merged traces. docs/format/decoding.md#event-info
#include "schema/event_info.hpp"

#include "base/text.hpp"
#include "schema/binary_xml.hpp"
#include "schema/event_info_layout.hpp"
#include "schema/event_name.hpp"
#include "schema/limits.hpp"
#include "schema/property_tree.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

namespace etl::schema {

// EVENT_MAP_INFO of merged traces. docs/format/decoding.md#map-info

namespace {

bool is_bits(std::uint32_t flag) noexcept {
    return (flag & (map_info_layout::bit_map | map_info_layout::wbem_bits)) != 0 ||
           ((flag & map_info_layout::wbem_values) != 0 && (flag & map_info_layout::wbem_flag) != 0);
}

// The value of an entry whose position is all that says it.
std::uint32_t value_of_position(std::uint32_t position, ValueMap::Kind kind) noexcept {
    if (kind == ValueMap::Kind::value) {
        return position;
    }
    return position < 32 ? std::uint32_t{1} << position : 0;
}

} // namespace

Bytes text16_at(Bytes blob, std::size_t offset) noexcept {
    if (offset == 0 || offset >= blob.size()) {
        return {};
    }
    const Bytes rest = blob.subspan(offset);
    std::size_t size = 0;
    while (rest.size() - size >= 2 &&
           (rest[size] != std::byte{0} || rest[size + 1] != std::byte{0})) {
        size += 2;
    }
    return rest.first(size);
}

std::string string_at(Bytes blob, std::size_t offset) {
    std::string text;
    append_utf16le(text, text16_at(blob, offset));
    return text;
}

Result<EmbeddedMap> parse_map_info(Bytes blob) {
    if (blob.size() < map_info_layout::size) {
        return fail(ErrorCode::truncated, "map information", {}, map_info_layout::size,
                    blob.size());
    }
    const auto head = blob.first<map_info_layout::size>();
    const std::uint32_t flag = load<map_info_layout::flag>(head);
    const std::uint32_t count = load<map_info_layout::entries>(head);
    if ((flag & map_info_layout::pattern_map) != 0 ||
        load<map_info_layout::value_type>(head) != 0) {
        return fail(ErrorCode::unsupported, "map of patterns or strings");
    }
    if (count > (blob.size() - map_info_layout::size) / map_info_layout::entry_size) {
        return fail(ErrorCode::truncated, "entries of a map", FileOffset{map_info_layout::size},
                    std::uint64_t{count} * map_info_layout::entry_size,
                    blob.size() - map_info_layout::size);
    }
    const Bytes info = blob.subspan(map_info_layout::origin);
    auto map = std::make_shared<ValueMap>();
    map->name = string_at(info, load<map_info_layout::name>(head));
    map->kind = is_bits(flag) ? ValueMap::Kind::bits : ValueMap::Kind::value;
    std::size_t text_left =
        blob.size() * overlap; // texts may be shared, but must not multiply without end
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::byte* entry =
            blob.data() + map_info_layout::size + i * map_info_layout::entry_size;
        const Bytes text = text16_at(info, load_le<std::uint32_t>(entry));
        if (text.size() > text_left) {
            return fail(ErrorCode::limit, "texts of a map", {}, blob.size() * overlap);
        }
        text_left -= text.size();
        std::string shown;
        append_utf16le(shown, text);
        shown.resize(without_message_end(shown).size());
        const bool by_position = (flag & map_info_layout::wbem_no_map) != 0;
        const std::uint32_t value =
            by_position ? value_of_position(i, map->kind) : load_le<std::uint32_t>(entry + 4);
        map->entries.emplace_back(value, std::move(shown));
    }
    return EmbeddedMap{load<map_info_layout::provider>(head), std::move(map)};
}

namespace {

template <typename List>
void merge(List& into, const List& from) {
    for (const auto& entry : from) {
        const auto same = [&](const auto& known) { return known.first == entry.first; };
        if (std::ranges::none_of(into, same)) {
            into.push_back(entry);
        }
    }
}

using Providers = std::unordered_map<Guid, std::shared_ptr<ProviderNames>>;

// Each event knows only the names that it uses itself; together they are what is known of the
// provider.
Providers united(const std::vector<EmbeddedEvent>& events) {
    Providers providers;
    for (const EmbeddedEvent& event : events) {
        const ProviderNames& names = *event.schema.provider;
        auto& known = providers[names.guid];
        if (!known) {
            known = std::make_shared<ProviderNames>(names);
            continue;
        }
        merge(known->levels, names.levels);
        merge(known->keywords, names.keywords);
        merge(known->channels, names.channels);
    }
    return providers;
}

} // namespace

std::vector<std::shared_ptr<const EventSchema>> bind_maps(std::vector<EmbeddedEvent> events,
                                                          const std::vector<EmbeddedMap>& maps) {
    std::map<std::pair<Guid, std::string_view>, std::shared_ptr<const ValueMap>> map_of;
    for (const EmbeddedMap& map : maps) {
        map_of.try_emplace({map.provider, map.map->name}, map.map);
    }
    const Providers providers = united(events);
    std::vector<std::shared_ptr<const EventSchema>> schemas;
    schemas.reserve(events.size());
    for (EmbeddedEvent& event : events) {
        auto schema = std::make_shared<EventSchema>(std::move(event.schema));
        schema->provider = providers.at(schema->provider->guid);
        for (const auto& [field, name] : event.map_of_field) {
            const auto found = map_of.find({schema->provider->guid, name});
            if (found == map_of.end()) {
                continue;
            }
            const auto known = std::ranges::find(schema->maps, found->second);
            schema->fields[field].map = static_cast<std::uint16_t>(known - schema->maps.begin());
            if (known == schema->maps.end()) {
                schema->maps.push_back(found->second);
            }
        }
        schemas.push_back(std::move(schema));
    }
    return schemas;
}

namespace {

namespace info_layout = event_info_layout;
namespace property = property_layout;

using Head = std::span<const std::byte, info_layout::size>;
using PropertyView = std::span<const std::byte, property::size>;

// DecodingSource
constexpr std::uint32_t from_manifest = 0;
constexpr std::uint32_t from_class = 1; // WBEM

// Copies texts, up to a bound for all of them together.
class Texts {
public:
    explicit Texts(Bytes blob) : blob_(blob), left_(blob.size() * overlap) {}

    std::string at(std::size_t offset) {
        const Bytes text = text16_at(blob_, offset);
        if (text.size() > left_) {
            exhausted_ = true;
            return {};
        }
        left_ -= text.size();
        std::string copy;
        append_utf16le(copy, text);
        return copy;
    }

    // Texts one after the other, an empty one ends them.
    std::vector<std::string> list_at(std::size_t offset) {
        std::vector<std::string> all;
        for (Bytes text = text16_at(blob_, offset); !text.empty() && !exhausted_;
             text = text16_at(blob_, offset)) {
            all.push_back(at(offset));
            offset += text.size() + 2;
        }
        return all;
    }

    bool exhausted() const noexcept { return exhausted_; }

private:
    Bytes blob_;
    std::size_t left_;
    bool exhausted_ = false;
};

std::vector<Property> read_properties(Bytes blob, std::size_t count, Texts& texts) {
    std::vector<Property> properties;
    properties.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const PropertyView from =
            blob.subspan(info_layout::size + i * property::size).first<property::size>();
        Property& to = properties.emplace_back();
        to.name = texts.at(load<property::name>(from));
        to.flags = load<property::flags>(from);
        to.in_type = load<property::in_type>(from);
        to.out_type = load<property::out_type>(from);
        to.count = load<property::count>(from);
        to.length = load<property::length>(from);
        to.tags = load<property::tags>(from) & 0x0FFFFFFFU;
        constexpr std::uint32_t without_map =
            property_flags::is_structure | property_flags::custom_schema;
        to.map = (to.flags & without_map) == 0 ? load<property::map_name>(from) : 0;
    }
    return properties;
}

Result<EmbeddedEvent> read_fields(Bytes blob, std::size_t count, std::size_t top_level,
                                  Texts& texts) {
    auto tree = arrange(read_properties(blob, count, texts), top_level);
    if (!tree) {
        return std::unexpected(tree.error());
    }
    EmbeddedEvent event;
    for (const auto& [field, map] : tree->map_of_field) {
        event.map_of_field.emplace_back(field, texts.at(map));
    }
    event.schema.fields = std::move(tree->fields);
    return event;
}

// The names of the event's keywords stand in ascending order of their bits; they can be told apart
// when each bit of the provider has one.
void add_keywords(ProviderNames& names, std::uint64_t keyword,
                  const std::vector<std::string>& texts) {
    constexpr std::uint64_t own_bits = (std::uint64_t{1} << 48U) - 1;
    std::uint64_t bits = keyword & own_bits;
    if (static_cast<std::size_t>(std::popcount(bits)) != texts.size()) {
        return;
    }
    for (const std::string& text : texts) {
        const std::uint64_t lowest = bits & (~bits + 1);
        names.keywords.emplace_back(lowest, std::string(without_message_end(text)));
        bits ^= lowest;
    }
}

void read_names(Head head, Texts& texts, EventSchema& schema) {
    auto names = std::make_shared<ProviderNames>();
    // A classic event is known by its class.
    const bool classic = load<info_layout::source>(head) == from_class;
    names->guid =
        classic ? load<info_layout::event_class>(head) : load<info_layout::provider>(head);
    names->name = texts.at(load<info_layout::provider_name>(head));
    names->message = texts.at(load<info_layout::provider_message>(head));
    names->message.resize(without_message_end(names->message).size());
    const std::string level = texts.at(load<info_layout::level_name>(head));
    if (!level.empty() && !level.starts_with("win:")) {
        names->levels.emplace_back(schema.level, without_message_end(level));
    }
    const std::string channel = texts.at(load<info_layout::channel_name>(head));
    if (!channel.empty()) {
        names->channels.emplace_back(schema.channel, without_message_end(channel));
    }
    add_keywords(*names, schema.keyword, texts.list_at(load<info_layout::keywords_name>(head)));
    schema.provider = std::move(names);

    schema.task_name =
        without_message_end(without_win(texts.at(load<info_layout::task_name>(head))));
    schema.task_guid = classic ? Guid() : load<info_layout::event_class>(head);
    schema.opcode_name =
        without_message_end(without_win(texts.at(load<info_layout::opcode_name>(head))));
    schema.message = texts.at(load<info_layout::message>(head));
    schema.message.resize(without_message_end(schema.message).size());
    const std::string name =
        classic ? std::string() : texts.at(load<info_layout::event_name>(head));
    schema.event_name =
        compose_event_name(schema.task_name, schema.opcode, schema.opcode_name, name);
}

// Of a template whose fields make up an element of the provider's own. One that cannot be read is
// shown field by field.
std::string read_own_element(Bytes blob, Head head) {
    constexpr std::uint32_t kind_bits = 15;
    constexpr std::uint32_t user_data = 2;
    const std::uint32_t at = load<info_layout::binary_xml>(head);
    const std::uint32_t size = load<info_layout::binary_xml_size>(head);
    if ((load<info_layout::flags_and_tags>(head) & kind_bits) != user_data ||
        !has_range(blob, at, size)) {
        return {};
    }
    auto element = read_user_data(blob.subspan(at, size), FileOffset{at});
    return element ? std::move(*element) : std::string();
}

} // namespace

Result<EmbeddedEvent> parse_event_info(Bytes blob) {
    if (blob.size() < info_layout::size) {
        return fail(ErrorCode::truncated, "event information", {}, info_layout::size, blob.size());
    }
    const Head head = blob.first<info_layout::size>();
    const std::uint32_t source = load<info_layout::source>(head);
    if (source != from_manifest && source != from_class) {
        return fail(ErrorCode::unsupported, "event information of WPP or TraceLogging", {}, 0,
                    source);
    }
    const std::uint32_t count = load<info_layout::properties>(head);
    const std::uint32_t top_level = load<info_layout::top_level>(head);
    if (count > limits::fields) {
        return fail(ErrorCode::limit, "properties of an event", {}, limits::fields, count);
    }
    if (count > (blob.size() - info_layout::size) / property::size) {
        return fail(ErrorCode::truncated, "properties of an event", FileOffset{info_layout::size},
                    std::uint64_t{count} * property::size, blob.size() - info_layout::size);
    }
    if (top_level > count) {
        return fail(ErrorCode::malformed, "top-level properties of an event", {}, count, top_level);
    }
    Texts texts(blob);
    auto event = read_fields(blob, count, top_level, texts);
    if (!event) {
        return event;
    }
    EventSchema& schema = event->schema;
    schema.origin = Origin::event_info;
    schema.version = load<info_layout::version>(head);
    schema.channel = load<info_layout::channel>(head);
    schema.level = load<info_layout::level>(head);
    schema.opcode = load<info_layout::opcode>(head);
    schema.is_class = source == from_class;
    schema.id = schema.is_class ? schema.opcode : load<info_layout::id>(head);
    schema.task = load<info_layout::task>(head);
    schema.keyword = load<info_layout::keyword>(head);
    schema.tags = load<info_layout::flags_and_tags>(head) >> 4U;
    schema.user_data = read_own_element(blob, head);
    read_names(head, texts, schema);
    if (texts.exhausted()) {
        return fail(ErrorCode::limit, "texts of an event", {}, blob.size() * overlap);
    }
    return event;
}

} // namespace etl::schema
