// Names of values: Values, ValueMap, BitValues, BitMap and their kin.
// docs/format/decoding.md#mof-maps
#include "schema/mof_fields.hpp"

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/field_scopes.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace etl::schema {

namespace {

struct NamedType {
    std::string_view name;
    InType in;
    OutType out = OutType::none;
};

const NamedType* look_up(std::span<const NamedType> table, std::string_view name) noexcept {
    for (const NamedType& known : table) {
        if (equals_ignoring_case(known.name, name)) {
            return &known;
        }
    }
    return nullptr;
}

// datetime is a text of fixed form, "yyyymmddhhmmss.mmmmmmsutc".
constexpr NamedType declared_types[] = {
    {"uint8", InType::uint8},
    {"sint8", InType::int8},
    {"uint16", InType::uint16},
    {"sint16", InType::int16},
    {"uint32", InType::uint32},
    {"sint32", InType::int32},
    {"uint64", InType::uint64},
    {"sint64", InType::int64},
    {"real32", InType::float32},
    {"real64", InType::float64},
    {"boolean", InType::uint8, OutType::boolean},
    {"char8", InType::ansi_char},
    {"char16", InType::unicode_char},
    {"string", InType::ansi_string},
    {"datetime", InType::unicode_string, OutType::cim_date_time},
    {"object", InType::hex_dump},
};

// Two are ours: FileTime, a time that is not in the session's clock, and PhysicalAddr, an array of
// bytes that begins with a physical address.
constexpr NamedType extensions[] = {
    {"Sid", InType::wbem_sid},
    {"Port", InType::uint16, OutType::port},
    {"IPAddr", InType::uint32, OutType::ipv4},
    {"IPAddrV4", InType::uint32, OutType::ipv4},
    {"IPAddrV6", InType::binary, OutType::ipv6},
    {"GUID", InType::guid},
    {"WmiTime", InType::uint64, OutType::etw_time},
    {"FileTime", InType::filetime},
    {"PhysicalAddr", InType::binary, OutType::padded_mac_address},
    {"SizeT", InType::pointer_sized},
    {"Variant", InType::binary},
    {"UTF8", InType::ansi_string, OutType::utf8},
    {"RString", InType::ansi_string, OutType::reduced_string},
    {"RWString", InType::unicode_string, OutType::reduced_string},
};

struct Termination {
    std::string_view name;
    InType narrow;
    InType wide;
};

constexpr Termination terminations[] = {
    {"NullTerminated", InType::ansi_string, InType::unicode_string},
    {"Counted", InType::counted_ansi, InType::counted_string},
    {"ReverseCounted", InType::reversed_counted_ansi, InType::reversed_counted_string},
    {"NotCounted", InType::non_terminated_ansi, InType::non_terminated_string},
};

bool is_terminated_text(InType type) noexcept {
    return type == InType::ansi_string || type == InType::unicode_string;
}

// How a text ends, and of which characters it is.
void apply_termination(const MofProperty& property, MofType& type) noexcept {
    const bool is_wide = type.in == InType::unicode_string ||
                         equals_ignoring_case(text_of(property.qualifiers, "format"), "w");
    const std::string_view name = text_of(property.qualifiers, "StringTermination");
    type.in = is_wide ? InType::unicode_string : InType::ansi_string;
    for (const Termination& known : terminations) {
        if (equals_ignoring_case(known.name, name)) {
            type.in = is_wide ? known.wide : known.narrow;
            return;
        }
    }
    if (!name.empty()) {
        type.remark = "has an unknown StringTermination";
    }
}

OutType hex_of(InType type) noexcept {
    switch (fixed_size(type, 8)) {
    case 1:
        return OutType::hex_int8;
    case 2:
        return OutType::hex_int16;
    case 4:
        return OutType::hex_int32;
    default:
        return OutType::hex_int64;
    }
}

void apply_format(const MofProperty& property, MofType& type) noexcept {
    const std::string_view format = text_of(property.qualifiers, "format");
    const bool is_character = type.in == InType::unicode_char || type.in == InType::ansi_char;
    const bool is_byte = type.in == InType::uint8 || type.in == InType::int8;
    const bool asks_text = equals_ignoring_case(format, "s") || equals_ignoring_case(format, "w");
    if ((is_character || is_byte) && asks_text) {
        type.in = type.in == InType::unicode_char ? InType::unicode_string : InType::ansi_string;
        type.is_one_value = true;
    } else if (equals_ignoring_case(format, "x") && is_countable(type.in) &&
               type.out == OutType::none) {
        type.out = hex_of(type.in);
    } else if (equals_ignoring_case(format, "c") && is_countable(type.in) &&
               fixed_size(type.in, 8) <= 2) {
        type.out = OutType::string;
    }
}

MofType declared(const MofProperty& property) noexcept {
    // Texts made by tools name the type once more, sometimes better.
    const std::string_view again = text_of(property.qualifiers, "CimType");
    const NamedType* known = look_up(declared_types, again);
    if (known == nullptr) {
        known = look_up(declared_types, property.type);
    }
    return known == nullptr ? MofType{.is_known = false} : MofType{known->in, known->out};
}

} // namespace

MofType type_of(const MofProperty& property) noexcept {
    if (is_set(property.qualifiers, "pointer") || is_set(property.qualifiers, "PointerType")) {
        return {.in = InType::pointer};
    }
    MofType type = declared(property);
    const MofQualifier* extension = find(property.qualifiers, "extension");
    const std::string_view name = text_of(property.qualifiers, "extension");
    if (const NamedType* known = look_up(extensions, name)) {
        type = {.in = known->in,
                .out = known->out,
                .is_one_value = known->out == OutType::padded_mac_address};
    } else if (equals_ignoring_case(name, "NoPrint")) {
        type.out = OutType::no_print;
    } else if (extension != nullptr) {
        type.remark = "has an unknown extension";
    }
    if (is_terminated_text(type.in) && type.out != OutType::cim_date_time) {
        apply_termination(property, type);
    } else {
        apply_format(property, type);
    }
    return type;
}

namespace {

// Deeper is nothing: EventTrace, the provider, the event, its type group.
constexpr std::size_t deepest_ancestry = 16;

constexpr std::uint32_t datetime_characters = 25;

struct Numbered {
    std::int64_t id;
    std::size_t order; // of those with equal ids
    const MofProperty* property;
};

// By id; a property of a derived class takes the place of one of the same name.
std::vector<Numbered> numbered(const std::vector<const MofClass*>& ancestry, MofReading& reading) {
    std::vector<Numbered> found;
    std::unordered_map<std::string, std::size_t> by_name;
    for (auto made = ancestry.rbegin(); made != ancestry.rend(); ++made) {
        if (!reading.charge((*made)->properties.size() * sizeof(Numbered))) {
            break; // a class that many derive from
        }
        for (const MofProperty& property : (*made)->properties) {
            const auto id = integer_of(property.qualifiers, "WmiDataId");
            if (!id) {
                continue;
            }
            const auto [place, is_new] =
                by_name.try_emplace(to_lower_ascii(property.name), found.size());
            if (is_new) {
                found.push_back({*id, found.size(), &property});
            } else {
                found[place->second] = {*id, place->second, &property};
            }
        }
    }
    std::ranges::sort(found, {},
                      [](const Numbered& next) { return std::pair(next.id, next.order); });
    return found;
}

Extent fixed(std::optional<std::int64_t> count) noexcept {
    constexpr std::int64_t max = format::limits::payload_bytes; // of one byte each
    return count && *count >= 0 && *count <= max
               ? Extent{Extent::Kind::fixed, static_cast<std::uint32_t>(*count)}
               : Extent{Extent::Kind::unknown};
}

} // namespace

MofClasses::MofClasses(const std::vector<MofClass>& classes, MofReading& reading) {
    for (const MofClass& made : classes) {
        const auto [known, is_new] = by_name_.insert_or_assign(to_lower_ascii(made.name), &made);
        if (!is_new) {
            reading.note(made.offset,
                         fmt::format("class `{}` is defined twice", quoted(made.name)));
        }
    }
}

const MofClass* MofClasses::find(std::string_view name) const {
    const auto found = by_name_.find(to_lower_ascii(name));
    return found == by_name_.end() ? nullptr : found->second;
}

std::vector<const MofClass*> MofClasses::ancestry(const MofClass& made) const {
    std::vector<const MofClass*> line{&made};
    while (line.size() < deepest_ancestry) {
        const MofClass* base = find(line.back()->base);
        if (base == nullptr) {
            break;
        }
        line.push_back(base);
    }
    return line;
}

void MofFields::read(const std::vector<const MofClass*>& ancestry, EventSchema& event) {
    event_ = &event;
    scopes_ = FieldScopes();
    add_properties(ancestry, 0);
    for (const MofProperty& property : ancestry.front()->properties) {
        if (find(property.qualifiers, "WmiDataId") == nullptr) {
            note(property, "has no WmiDataId and is omitted");
        }
    }
}

void MofFields::add_properties(const std::vector<const MofClass*>& ancestry, std::uint32_t depth) {
    const std::vector<Numbered> properties = numbered(ancestry, reading_);
    const Numbered* before = nullptr;
    for (const Numbered& next : properties) {
        if (event_->fields.size() == limits::fields || reading_.exhausted()) {
            note(*next.property, "exceeds the maximum number of fields");
            return;
        }
        if (before != nullptr && next.id == before->id) {
            note(*next.property, "has the same WmiDataId as another property");
        } else if (next.id > (before != nullptr ? before->id + 1 : 1)) {
            note(*next.property, "follows a gap in WmiDataId: a field may be missing before it");
        }
        add_property(*next.property, depth);
        before = &next;
    }
}

void MofFields::add_property(const MofProperty& property, std::uint32_t depth) {
    const MofType type = type_of(property);
    const MofClass* embedded = type.is_known ? nullptr : classes_.find(property.type);
    if (!type.remark.empty()) {
        note(property, type.remark);
    }
    const std::size_t index = event_->fields.size();
    Field& field = event_->fields.emplace_back();
    reading_.charge(sizeof(Field) + property.name.size());
    field.name = property.name;
    field.in_type = embedded != nullptr ? InType::structure : type.in;
    field.out_type = type.out;
    field.count = count_of(property);
    if (type.is_one_value) {
        field.length = field.count.kind == Extent::Kind::natural ? Extent{Extent::Kind::fixed, 1}
                                                                 : field.count;
        field.count = {};
    } else if (type.out == OutType::cim_date_time) {
        field.length = {Extent::Kind::fixed, datetime_characters};
    }
    if (!type.is_known && embedded == nullptr) {
        note(property, fmt::format("has the unknown type `{}`", quoted(property.type)));
        field.count.kind = Extent::Kind::unknown;
    }
    if (const auto map = map_of(property)) {
        field.map = static_cast<std::uint16_t>(event_->maps.size());
        event_->maps.push_back(map);
        for (const auto& [value, text] : map->entries) {
            reading_.charge(sizeof(std::string) + text.size());
        }
    }
    scopes_.add(property.name, field, index);
    if (embedded != nullptr) {
        add_members(*embedded, depth + 1);
        event_->fields[index].members =
            static_cast<std::uint16_t>(event_->fields.size() - index - 1);
    }
}

void MofFields::add_members(const MofClass& made, std::uint32_t depth) {
    if (depth > format::max_struct_depth) {
        event_->fields.back().count.kind = Extent::Kind::unknown;
        reading_.note(made.offset, "objects are nested too deep");
        return;
    }
    scopes_.enter();
    add_properties(classes_.ancestry(made), depth);
    scopes_.leave();
}

// WmiSizeIs, else a number, else, for an array, all that is left.
Extent MofFields::count_of(const MofProperty& property) {
    const MofQualifiers& qualifiers = property.qualifiers;
    if (const std::string_view name = text_of(qualifiers, "WmiSizeIs"); !name.empty()) {
        return size_from(name, property.offset);
    }
    const bool is_string = equals_ignoring_case(property.type, "string");
    const bool counts = property.is_array || !is_string; // MAX of a string bounds its length
    if (property.array_size) {
        return fixed(property.array_size);
    }
    if (find(qualifiers, "MAX") != nullptr && counts) {
        return fixed(integer_of(qualifiers, "MAX"));
    }
    return {property.is_array ? Extent::Kind::rest : Extent::Kind::natural};
}

Extent MofFields::size_from(std::string_view name, std::size_t offset) {
    const auto found = scopes_.find(name);
    if (!found) {
        reading_.note(offset, fmt::format("WmiSizeIs does not refer to an earlier field: `{}`",
                                          quoted(name)));
        return {Extent::Kind::unknown};
    }
    event_->fields[*found].referenced = true;
    return {Extent::Kind::field, static_cast<std::uint32_t>(*found)};
}

void MofFields::note(const MofProperty& property, std::string_view text) {
    reading_.note(property.offset, fmt::format("property `{}` {}", quoted(property.name), text));
}

namespace {

using Values = std::vector<MofValue>;

const Values* values_of(const MofProperty& property, std::string_view name) noexcept {
    const MofQualifier* qualifier = find(property.qualifiers, name);
    return qualifier != nullptr && !qualifier->values.empty() ? &qualifier->values : nullptr;
}

bool is_hexadecimal(const MofValue& value) noexcept {
    return value.text.starts_with("0x") || value.text.starts_with("0X");
}

// BitMap lists positions, as in all of WMI, or masks, as some event classes do: masks are written
// in hexadecimal, or are powers of two without the 0 and the 3 that positions have.
bool holds_positions(const Values& bits) noexcept {
    return std::ranges::none_of(bits, is_hexadecimal) &&
           std::ranges::all_of(bits,
                               [](const MofValue& bit) {
                                   const auto number = integer_of(bit);
                                   return number && *number >= 0 && *number < 32;
                               }) &&
           std::ranges::any_of(bits, [](const MofValue& bit) {
               return !std::has_single_bit(static_cast<std::uint64_t>(*integer_of(bit)));
           });
}

std::uint32_t bit_at(std::size_t position) noexcept {
    return position < 32 ? std::uint32_t{1} << position : 0;
}

// Entries without a number of their own go by their place in the list.
std::shared_ptr<const ValueMap> build(const MofProperty& property, ValueMap::Kind kind,
                                      const Values& texts, const Values* numbers) {
    const bool by_position = numbers == nullptr;
    const bool positions = kind == ValueMap::Kind::bits && !by_position &&
                           find(property.qualifiers, "BitMap") != nullptr &&
                           holds_positions(*numbers);
    auto map = std::make_shared<ValueMap>();
    map->name = property.name;
    map->kind = kind;
    const std::size_t count = by_position ? texts.size() : std::min(texts.size(), numbers->size());
    for (std::size_t i = 0; i < count; ++i) {
        const auto given = by_position ? std::optional<std::int64_t>(static_cast<std::int64_t>(i))
                                       : integer_of((*numbers)[i]);
        if (!given) {
            continue; // a range such as "16..31"
        }
        const bool is_position = positions || (by_position && kind == ValueMap::Kind::bits);
        const std::uint32_t value = is_position ? bit_at(static_cast<std::size_t>(*given))
                                                : static_cast<std::uint32_t>(*given);
        map->entries.emplace_back(value, texts[i].text);
    }
    return map->entries.empty() ? nullptr : map;
}

} // namespace

std::shared_ptr<const ValueMap> map_of(const MofProperty& property) {
    if (const Values* texts = values_of(property, "BitValues")) {
        return build(property, ValueMap::Kind::bits, *texts, values_of(property, "BitMap"));
    }
    const Values* texts = nullptr;
    for (const std::string_view name : {"Values", "ValueDescriptions", "DefineValues"}) {
        texts = texts != nullptr ? texts : values_of(property, name);
    }
    if (texts == nullptr) {
        return nullptr;
    }
    const bool is_flag = equals_ignoring_case(text_of(property.qualifiers, "ValueType"), "flag");
    return build(property, is_flag ? ValueMap::Kind::bits : ValueMap::Kind::value, *texts,
                 values_of(property, "ValueMap"));
}

} // namespace etl::schema
