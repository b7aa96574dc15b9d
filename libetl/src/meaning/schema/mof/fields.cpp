#include "schema/mof/fields.hpp"

#include "base/text.hpp"
#include "format/limits.hpp"
#include "schema/limits.hpp"
#include "schema/mof/types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace etl::schema {

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
    constexpr std::int64_t most = limits::payload_bytes; // of one byte each
    return count && *count >= 0 && *count <= most
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
        if (event_->fields.size() == limits::schema_fields || reading_.exhausted()) {
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
    if (depth > limits::struct_depth) {
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

} // namespace etl::schema
