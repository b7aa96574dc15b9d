// TRACE_EVENT_INFO of merged traces. docs/format/decoding.md#event-info
#include "schema/event_info.hpp"

#include "base/text.hpp"
#include "schema/binary_xml.hpp"
#include "schema/embedded/event_info_layout.hpp"
#include "schema/event_name.hpp"
#include "schema/limits.hpp"
#include "schema/property_tree.hpp"

#include <bit>

namespace etl::schema {

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
    if (count > limits::schema_fields) {
        return fail(ErrorCode::limit, "properties of an event", {}, limits::schema_fields, count);
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
    schema.id = source == from_class ? schema.opcode : load<info_layout::id>(head);
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
