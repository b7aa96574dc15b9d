#include "schema/field_facts.hpp"

#include "base/text.hpp"
#include "schema/field_scopes.hpp"

#include <algorithm>
#include <optional>

namespace etl::schema {

namespace {

// Dumps of manifests drop the blanks of names.
bool is_same_name(std::string_view known, std::string_view name) {
    return equals_ignoring_case(bare_name(known), bare_name(name));
}

bool is_unstated(const Field& field) noexcept {
    return field.out_type == OutType::none || field.out_type == default_out_type(field.in_type);
}

bool is_binary(InType type) noexcept {
    return type == InType::binary || type == InType::counted_binary;
}

bool is_integer64(InType type) noexcept {
    return type == InType::uint64 || type == InType::int64 || type == InType::hex_int64;
}

// Out types that say hexadecimal count as unstated: they say nothing of what the number is.
bool is_plain_integer64(const Field& field) noexcept {
    return is_integer64(field.in_type) &&
           (is_unstated(field) || field.out_type == OutType::hex_int64);
}

bool is_hex_number(OutType type) noexcept {
    return type == OutType::hex_int8 || type == OutType::hex_int16 || type == OutType::hex_int32 ||
           type == OutType::hex_int64;
}

// A number, whatever its type and format say.
std::optional<OutType> identifier(const Field& field, OutType kind) noexcept {
    return is_countable(field.in_type) && (is_unstated(field) || is_hex_number(field.out_type))
               ? std::optional(kind)
               : std::nullopt;
}

std::optional<OutType> out_type_of(const Field& field, Fact fact) noexcept {
    const auto only_if = [&](bool fits, OutType type) {
        return fits ? std::optional(type) : std::nullopt;
    };
    switch (fact) {
    case Fact::port:
        return only_if(field.in_type == InType::uint16 && is_unstated(field), OutType::port);
    case Fact::ipv4:
        return only_if(field.in_type == InType::uint32 && is_unstated(field), OutType::ipv4);
    case Fact::ipv6:
        return only_if(is_binary(field.in_type) && is_unstated(field), OutType::ipv6);
    case Fact::socket_address:
        return only_if(is_binary(field.in_type) && is_unstated(field), OutType::socket_address);
    case Fact::mac:
        return is_binary(field.in_type)
                   ? only_if(is_unstated(field), OutType::mac_address)
                   : only_if(is_plain_integer64(field), OutType::padded_mac_address);
    case Fact::filetime:
        return only_if(is_plain_integer64(field), OutType::date_time);
    case Fact::process_id:
        return identifier(field, OutType::pid);
    case Fact::pointer:
    case Fact::count:
        break;
    }
    return std::nullopt;
}

// The field before `index` that has the count; it must be a scalar of the top level.
bool set_count(EventSchema& schema, std::size_t index, std::string_view name) {
    Field& field = schema.fields[index];
    // Dumps of manifests lose constant counts.
    if (field.count.kind != Extent::Kind::fixed && field.count.kind != Extent::Kind::natural) {
        return false;
    }
    std::optional<std::size_t> found;
    std::size_t i = 0;
    for (; i < index; i += 1U + schema.fields[i].members) { // the top level
        const Field& counter = schema.fields[i];
        if (!found && is_same_name(name, counter.name) && is_countable(counter.in_type) &&
            counter.count.kind == Extent::Kind::natural) {
            found = i;
        }
    }
    if (!found || i != index) {
        return false;
    }
    schema.fields[*found].referenced = true;
    field.count = {Extent::Kind::field, static_cast<std::uint32_t>(*found)};
    return true;
}

bool apply(EventSchema& schema, std::size_t index, const FieldFact& known) {
    Field& field = schema.fields[index];
    if (known.fact == Fact::count) {
        return set_count(schema, index, known.argument);
    }
    if (known.fact == Fact::pointer) {
        const bool fits = field.in_type == InType::uint32 && is_unstated(field);
        field.in_type = fits ? InType::pointer : field.in_type;
        field.out_type = fits ? OutType::none : field.out_type;
        return fits;
    }
    const auto out = out_type_of(field, known.fact);
    if (!out || *out == field.out_type) {
        return false;
    }
    field.out_type = *out;
    return true;
}

bool ends_with_word(std::string_view name, std::string_view word) noexcept {
    return name.size() >= word.size() &&
           equals_ignoring_case(name.substr(name.size() - word.size()), word);
}

// `Pid` and `Tid` are words only where they begin one: `UserModePid`, but not `IPID`, `EventId`.
bool ends_with_short_word(std::string_view name, std::string_view camel,
                          std::string_view upper) noexcept {
    if (!name.ends_with(camel) && !name.ends_with(upper)) {
        return equals_ignoring_case(name, camel);
    }
    const std::string_view before = name.substr(0, name.size() - camel.size());
    return before.empty() || (before.back() >= 'a' && before.back() <= 'z');
}

// What a name says. The managed thread id of the CLR is an address.
std::optional<OutType> identifier_by_name(std::string_view name) noexcept {
    if (ends_with_word(name, "ProcessId") || ends_with_word(name, "process_id") ||
        ends_with_word(name, "_pid") || ends_with_short_word(name, "Pid", "PID")) {
        return OutType::pid;
    }
    if (equals_ignoring_case(name, "ManagedThreadID")) {
        return std::nullopt;
    }
    if (ends_with_word(name, "ThreadId") || ends_with_word(name, "thread_id") ||
        ends_with_word(name, "_tid") || equals_ignoring_case(name, "TTID") ||
        ends_with_short_word(name, "Tid", "TID")) {
        return OutType::tid;
    }
    return std::nullopt;
}

bool is_shown_in_hex(const Field& field) noexcept {
    return is_hex_number(field.out_type) ||
           (is_unstated(field) && is_hex_number(default_out_type(field.in_type)));
}

// The out type of an identifier that would be shown in hexadecimal.
std::optional<OutType> identifier_out_type(const Field& field) noexcept {
    if (!is_shown_in_hex(field) || field.map != Field::no_map) {
        return std::nullopt;
    }
    const auto kind = identifier_by_name(field.name);
    return kind ? identifier(field, *kind) : std::nullopt;
}

bool is_about(const FieldFact& fact, const EventSchema& schema) noexcept {
    return schema.provider && fact.provider == schema.provider->guid && fact.first <= schema.id &&
           schema.id <= fact.last;
}

} // namespace

bool apply_field_facts(EventSchema& schema) {
    bool has_changed = false;
    for (const FieldFact& fact : field_facts()) {
        for (std::size_t i = 0; is_about(fact, schema) && i < schema.fields.size(); ++i) {
            if (is_same_name(fact.field, schema.fields[i].name)) {
                has_changed = apply(schema, i, fact) || has_changed;
            }
        }
    }
    for (Field& field : schema.fields) {
        if (const auto out = identifier_out_type(field)) {
            field.out_type = *out;
            has_changed = true;
        }
    }
    return has_changed;
}

std::shared_ptr<const EventSchema> with_field_facts(std::shared_ptr<const EventSchema> schema) {
    const bool may_change =
        std::ranges::any_of(field_facts(),
                            [&](const FieldFact& fact) { return is_about(fact, *schema); }) ||
        std::ranges::any_of(schema->fields, [](const Field& field) {
            return identifier_out_type(field).has_value();
        });
    if (!may_change) {
        return schema;
    }
    auto corrected = std::make_shared<EventSchema>(*schema);
    return apply_field_facts(*corrected) ? std::move(corrected) : std::move(schema);
}

} // namespace etl::schema
