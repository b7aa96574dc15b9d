#include "schema/image/wevt_templates.hpp"

#include "schema/binary_xml.hpp"
#include "schema/limits.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace etl::schema {

namespace {

namespace template_parts = template_layout;
namespace item = item_layout;

// Where the XML is: behind the head, up to the properties when these follow, else to the end.
Bytes xml_of(Bytes crim, std::uint32_t offset,
             std::span<const std::byte, template_parts::size> head) {
    const std::size_t end = std::size_t{offset} + load<template_parts::total>(head);
    const std::size_t items = load<template_parts::items>(head);
    const std::size_t begin = offset + template_parts::size;
    const std::size_t stop = items >= begin && items < end ? items : end;
    return clamped(crim, begin, stop > begin ? stop - begin : 0);
}

std::uint32_t translated(std::uint32_t flags) noexcept {
    constexpr std::array<std::pair<std::uint32_t, std::uint32_t>, 5> same{
        {{item::is_structure, property_flags::is_structure},
         {item::fixed_length, property_flags::fixed_length},
         {item::length_by_field, property_flags::length_by_field},
         {item::fixed_count, property_flags::fixed_count},
         {item::count_by_field, property_flags::count_by_field}}};
    std::uint32_t result = 0;
    for (const auto& [from, to] : same) {
        result |= (flags & from) != 0 ? to : 0;
    }
    return result;
}

} // namespace

const WevtTemplate& WevtTemplates::at(std::uint32_t offset) {
    const auto [known, is_new] = templates_.try_emplace(offset);
    if (is_new) {
        known->second = read(offset);
    }
    return known->second;
}

WevtTemplate WevtTemplates::read(std::uint32_t offset) {
    WevtTemplate result;
    if (const auto read = read_into(offset, result); !read) {
        reading_.note(read.error());
        result = {};
        Field& unknown = result.fields.emplace_back();
        unknown.count.kind = Extent::Kind::unknown;
    }
    result.bytes = sizeof(EventSchema) + result.user_data.size();
    for (const Field& field : result.fields) {
        result.bytes += sizeof(Field) + field.name.size();
    }
    return result;
}

Result<void> WevtTemplates::read_into(std::uint32_t offset, WevtTemplate& to) {
    const Bytes crim = reading_.crim();
    if (!has_range(crim, offset, template_parts::size)) {
        return fail(ErrorCode::truncated, "template", FileOffset{offset}, template_parts::size,
                    clamped(crim, offset).size());
    }
    const auto head = reading_.inside<template_parts::size>(offset);
    if (load<template_parts::signature>(head) != template_parts::magic) {
        return fail(ErrorCode::malformed, "signature of a template", FileOffset{offset});
    }
    const std::size_t top_level = load<template_parts::top_level>(head);
    const std::size_t count =
        std::max<std::size_t>(load<template_parts::properties>(head), top_level);
    auto properties = read_properties(load<template_parts::items>(head), count);
    if (!properties) {
        return std::unexpected(properties.error());
    }
    auto tree = arrange(*properties, top_level);
    if (!tree) {
        tree.error().where = FileOffset{offset};
        return std::unexpected(tree.error());
    }
    bind_maps(*tree, to);
    to.fields = std::move(tree->fields);
    if (load<template_parts::kind>(head) == template_parts::user_data) {
        const Bytes fragment = xml_of(crim, offset, head);
        if (!reading_.charge(fragment.size())) { // those of many templates may overlap
            return {};
        }
        auto xml = read_user_data(fragment, FileOffset{offset + template_parts::size});
        if (xml) {
            to.user_data = std::move(*xml);
        } else {
            reading_.note(xml.error()); // the fields are good without
        }
    }
    return {};
}

Result<std::vector<Property>> WevtTemplates::read_properties(std::uint32_t first,
                                                             std::size_t count) {
    if (count > limits::schema_fields) {
        return fail(ErrorCode::limit, "fields of a template", FileOffset{first},
                    limits::schema_fields, count);
    }
    if (!has_range(reading_.crim(), first, count * item::size)) {
        return fail(ErrorCode::truncated, "fields of a template", FileOffset{first},
                    count * item::size, clamped(reading_.crim(), first).size());
    }
    std::vector<Property> properties;
    properties.reserve(count);
    for (std::size_t i = 0; i < count && reading_.charge(sizeof(Property)); ++i) {
        const auto from = reading_.inside<item::size>(first + i * item::size);
        Property& to = properties.emplace_back();
        to.name = reading_.text(load<item::name>(from), "name of a field");
        to.flags = translated(load<item::flags>(from));
        to.count = load<item::count>(from);
        to.length = load<item::length>(from);
        if ((to.flags & property_flags::is_structure) != 0) {
            to.in_type = load<item::first_member>(from);
            to.out_type = load<item::members>(from);
        } else {
            to.in_type = load<item::in_type>(from);
            to.out_type = load<item::out_type>(from);
            to.map = load<item::map>(from);
        }
    }
    return properties;
}

void WevtTemplates::bind_maps(PropertyTree& tree, WevtTemplate& to) {
    for (const auto& [field, offset] : tree.map_of_field) {
        auto map = names_.map(offset);
        if (!map) {
            continue;
        }
        const auto known = std::ranges::find(to.maps, map);
        tree.fields[field].map = static_cast<std::uint16_t>(known - to.maps.begin());
        if (known == to.maps.end()) {
            to.maps.push_back(std::move(map));
        }
    }
}

} // namespace etl::schema
