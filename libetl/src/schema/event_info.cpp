// TRACE_EVENT_INFO of merged traces. docs/format/decoding.md#event-info
#include <etl/base/limits.hpp>
#include <etl/base/text.hpp>
#include <etl/schema/event_info.hpp>

#include "schema/event_info_layout.hpp"
#include "schema/event_name.hpp"
#include "schema/field_scopes.hpp"

#include <bit>
#include <optional>

namespace etl::schema {

namespace {

namespace layout = event_info_layout;
namespace property = property_layout;

using Head = std::span<const std::byte, layout::size>;
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

// Brings the properties into our order: members stand behind all top-level properties, ours behind
// their structure.
class PropertyReader {
public:
    PropertyReader(Bytes blob, std::uint32_t count, Texts& texts)
        : properties_(blob.subspan(layout::size)), place_(count), texts_(texts) {}

    Result<EmbeddedEvent> read(std::uint32_t top_level) {
        if (auto error = add(0, top_level, 0)) {
            return std::unexpected(*error);
        }
        if (texts_.exhausted()) {
            return fail(ErrorCode::limit, "texts of an event");
        }
        return std::move(result_);
    }

private:
    PropertyView view(std::size_t index) const noexcept {
        return properties_.subspan(index * property::size).first<property::size>();
    }

    std::optional<Error> add(std::size_t first, std::size_t count, std::uint32_t depth) {
        if (depth > limits::struct_depth) {
            return Error{
                ErrorCode::limit, "nesting of structures", {}, limits::struct_depth, depth, 0};
        }
        if (first > place_.size() || count > place_.size() - first) {
            return Error{ErrorCode::malformed,
                         "members of a structure",
                         {},
                         first + count,
                         place_.size(),
                         0};
        }
        for (std::size_t i = first; i < first + count; ++i) {
            if (place_[i]) {
                return Error{ErrorCode::malformed, "a property in two places", {}, 0, i, 0};
            }
            if (auto error = add_one(i, depth)) {
                return error;
            }
        }
        return std::nullopt;
    }

    std::optional<Error> add_one(std::size_t index, std::uint32_t depth) {
        const PropertyView from = view(index);
        const std::uint32_t flags = load<property::flags>(from);
        std::vector<Field>& fields = result_.schema.fields;
        const std::size_t at = fields.size();
        Field field;
        field.name = texts_.at(load<property::name>(from));
        field.tags = load<property::tags>(from) & 0x0FFFFFFFU;
        field.count = count_of(from, flags);
        if ((flags & property::is_structure) != 0) {
            field.in_type = InType::structure;
            place_[index] = at;
            fields.push_back(std::move(field));
            const auto error =
                add(load<property::in_type>(from), load<property::out_type>(from), depth + 1);
            fields[at].members = static_cast<std::uint16_t>(fields.size() - at - 1);
            return error;
        }
        field.in_type = static_cast<InType>(load<property::in_type>(from));
        field.out_type = static_cast<OutType>(load<property::out_type>(from));
        field.length = length_of(from, flags, field);
        const std::uint32_t map = load<property::map_name>(from);
        if (map != 0 && (flags & property::custom_schema) == 0) {
            result_.map_of_field.emplace_back(static_cast<std::uint16_t>(at), texts_.at(map));
        }
        place_[index] = at;
        fields.push_back(std::move(field));
        return std::nullopt;
    }

    Extent count_of(PropertyView from, std::uint32_t flags) {
        const std::uint16_t count = load<property::count>(from);
        if ((flags & property::count_by_field) != 0) {
            return value_of(count);
        }
        if ((flags & property::fixed_count) != 0 || count > 1) {
            return {Extent::Kind::fixed, count};
        }
        return {};
    }

    // Types of fixed size repeat their size as their length; that says nothing.
    Extent length_of(PropertyView from, std::uint32_t flags, const Field& field) {
        const bool applies = field.in_type == InType::unicode_string ||
                             field.in_type == InType::ansi_string ||
                             field.in_type == InType::binary;
        const std::uint16_t length = load<property::length>(from);
        if (!applies) {
            return {};
        }
        if ((flags & property::length_by_field) != 0) {
            return value_of(length);
        }
        if (length != 0 || (flags & property::fixed_length) != 0) {
            return {Extent::Kind::fixed, length};
        }
        const bool is_ipv6 = field.in_type == InType::binary && field.out_type == OutType::ipv6;
        return is_ipv6 ? Extent{Extent::Kind::fixed, 16} : Extent{};
    }

    // The value of an earlier property.
    Extent value_of(std::size_t index) {
        if (index >= place_.size() || !place_[index]) {
            return {Extent::Kind::unknown, 0};
        }
        Field& target = result_.schema.fields[*place_[index]];
        if (!is_countable(target.in_type) || target.count.kind != Extent::Kind::natural) {
            return {Extent::Kind::unknown, 0};
        }
        target.referenced = true;
        return {Extent::Kind::field, static_cast<std::uint32_t>(*place_[index])};
    }

    Bytes properties_;
    std::vector<std::optional<std::size_t>> place_; // of each property among the fields
    Texts& texts_;
    EmbeddedEvent result_;
};

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
    const bool classic = load<layout::source>(head) == from_class;
    names->guid = classic ? load<layout::event_class>(head) : load<layout::provider>(head);
    names->name = texts.at(load<layout::provider_name>(head));
    const std::string level = texts.at(load<layout::level_name>(head));
    if (!level.empty() && !level.starts_with("win:")) {
        names->levels.emplace_back(schema.level, without_message_end(level));
    }
    const std::string channel = texts.at(load<layout::channel_name>(head));
    if (!channel.empty()) {
        names->channels.emplace_back(schema.channel, without_message_end(channel));
    }
    add_keywords(*names, schema.keyword, texts.list_at(load<layout::keywords_name>(head)));
    schema.provider = std::move(names);

    schema.task_name = without_message_end(without_win(texts.at(load<layout::task_name>(head))));
    schema.opcode_name =
        without_message_end(without_win(texts.at(load<layout::opcode_name>(head))));
    schema.message = texts.at(load<layout::message>(head));
    schema.message.resize(without_message_end(schema.message).size());
    const std::string name = classic ? std::string() : texts.at(load<layout::event_name>(head));
    schema.event_name =
        compose_event_name(schema.task_name, schema.opcode, schema.opcode_name, name);
}

} // namespace

Result<EmbeddedEvent> parse_event_info(Bytes blob) {
    if (blob.size() < layout::size) {
        return fail(ErrorCode::truncated, "event information", {}, layout::size, blob.size());
    }
    const Head head = blob.first<layout::size>();
    const std::uint32_t source = load<layout::source>(head);
    if (source != from_manifest && source != from_class) {
        return fail(ErrorCode::unsupported, "event information of WPP or TraceLogging", {}, 0,
                    source);
    }
    const std::uint32_t count = load<layout::properties>(head);
    const std::uint32_t top_level = load<layout::top_level>(head);
    if (count > limits::schema_fields) {
        return fail(ErrorCode::limit, "properties of an event", {}, limits::schema_fields, count);
    }
    if (count > (blob.size() - layout::size) / property::size) {
        return fail(ErrorCode::truncated, "properties of an event", FileOffset{layout::size},
                    std::uint64_t{count} * property::size, blob.size() - layout::size);
    }
    if (top_level > count) {
        return fail(ErrorCode::malformed, "top-level properties of an event", {}, count, top_level);
    }
    Texts texts(blob);
    auto event = PropertyReader(blob, count, texts).read(top_level);
    if (!event) {
        return event;
    }
    EventSchema& schema = event->schema;
    schema.origin = Origin::event_info;
    schema.version = load<layout::version>(head);
    schema.channel = load<layout::channel>(head);
    schema.level = load<layout::level>(head);
    schema.opcode = load<layout::opcode>(head);
    schema.id = source == from_class ? schema.opcode : load<layout::id>(head);
    schema.task = load<layout::task>(head);
    schema.keyword = load<layout::keyword>(head);
    schema.tags = load<layout::flags_and_tags>(head) >> 4U;
    read_names(head, texts, schema);
    if (texts.exhausted()) {
        return fail(ErrorCode::limit, "texts of an event", {}, blob.size() * overlap);
    }
    return event;
}

} // namespace etl::schema
