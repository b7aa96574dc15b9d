// Fields in words.
#include "authoring/field_text.hpp"

#include "authoring/compare.hpp"

#include <fmt/format.h>

namespace etl::authoring {

namespace {

std::string extent_text(const schema::Extent& extent, const FieldWords& words) {
    switch (extent.kind) {
    case schema::Extent::Kind::natural:
        return {};
    case schema::Extent::Kind::fixed:
        return std::to_string(extent.value);
    case schema::Extent::Kind::field:
        return words.reference(extent.value);
    case schema::Extent::Kind::prefixed:
        return "u16 before it";
    case schema::Extent::Kind::rest:
        return "*";
    case schema::Extent::Kind::unknown:
        break;
    }
    return "?";
}

std::string in_type_word(schema::InType type) {
    const std::string_view known = name(type);
    return known.empty() ? fmt::format("type {}", static_cast<unsigned>(type)) : std::string(known);
}

std::string out_type_word(schema::OutType type) {
    const std::string_view known = name(type);
    return known.empty() ? fmt::format("out type {}", static_cast<unsigned>(type))
                         : std::string(known);
}

} // namespace

std::string type_text(const schema::EventSchema& event, std::size_t field,
                      const FieldWords& words) {
    const schema::Field& of = event.fields[field];
    std::string text = in_type_word(of.in_type);
    if (of.length.kind != schema::Extent::Kind::natural) {
        text += fmt::format("({})", extent_text(of.length, words));
    }
    if (of.count.kind != schema::Extent::Kind::natural) {
        text += fmt::format("[{}]", extent_text(of.count, words));
    }
    if (of.out_type != schema::OutType::none) {
        text += fmt::format(" as {}", out_type_word(of.out_type));
    }
    if (of.map < event.maps.size() && event.maps[of.map]) {
        text += fmt::format(" by map {}", words.map(*event.maps[of.map]));
    }
    if (of.tags != 0) {
        text += fmt::format(" tags 0x{:x}", of.tags);
    }
    return text;
}

std::string type_text(const schema::EventSchema& event, std::size_t field) {
    const auto map = [](const schema::ValueMap& of) { return of.name; };
    const auto reference = [&](std::size_t to) {
        return to < event.fields.size() ? event.fields[to].name : std::string("?");
    };
    return type_text(event, field, {map, reference});
}

} // namespace etl::authoring
