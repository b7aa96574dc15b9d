// Fields in words.
#include <etl/schema/compare.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace etl::schema {

namespace {

std::string extent_text(const EventSchema& event, const Extent& extent) {
    switch (extent.kind) {
    case Extent::Kind::natural:
        return {};
    case Extent::Kind::fixed:
        return std::to_string(extent.value);
    case Extent::Kind::field:
        return extent.value < event.fields.size() ? event.fields[extent.value].name : "?";
    case Extent::Kind::prefixed:
        return "u16 before it";
    case Extent::Kind::rest:
        return "*";
    case Extent::Kind::unknown:
        break;
    }
    return "?";
}

std::string in_type_text(InType type) {
    const std::string_view known = name(type);
    return known.empty() ? fmt::format("type {}", static_cast<unsigned>(type)) : std::string(known);
}

std::string out_type_text(OutType type) {
    const std::string_view known = name(type);
    return known.empty() ? fmt::format("out type {}", static_cast<unsigned>(type))
                         : std::string(known);
}

} // namespace

std::string type_text(const EventSchema& event, std::size_t field) {
    const Field& of = event.fields[field];
    std::string text = in_type_text(of.in_type);
    if (of.length.kind != Extent::Kind::natural) {
        text += fmt::format("({})", extent_text(event, of.length));
    }
    if (of.count.kind != Extent::Kind::natural) {
        text += fmt::format("[{}]", extent_text(event, of.count));
    }
    if (of.out_type != OutType::none) {
        text += fmt::format(" as {}", out_type_text(of.out_type));
    }
    if (of.map < event.maps.size() && event.maps[of.map]) {
        text += fmt::format(" by map {}", event.maps[of.map]->name);
    }
    if (of.tags != 0) {
        text += fmt::format(" tags 0x{:X}", of.tags);
    }
    return text;
}

std::vector<std::string> field_paths(const EventSchema& event) {
    std::vector<std::string> paths;
    std::vector<std::pair<std::size_t, std::string>> around; // where each structure ends, its path
    for (std::size_t i = 0; i < event.fields.size(); ++i) {
        while (!around.empty() && around.back().first <= i) {
            around.pop_back();
        }
        const Field& field = event.fields[i];
        paths.push_back(around.empty() ? field.name : around.back().second + '.' + field.name);
        if (field.members != 0) {
            around.emplace_back(i + 1 + field.members, paths.back());
        }
    }
    return paths;
}

} // namespace etl::schema
