#include "authoring/cpp/events.hpp"

#include <fmt/format.h>

namespace etl::authoring {

namespace {

std::string entries_of(const schema::ValueMap& map) {
    const bool is_flags = map.kind == schema::ValueMap::Kind::bits;
    std::string text;
    CppScope names;
    for (const auto& [value, meaning] : map.entries) {
        const std::string name = names.take(snake_name(meaning), fmt::format("value_{}", value));
        text += is_flags ? fmt::format("inline constexpr std::uint32_t {} = 0x{:X}; // {}\n", name,
                                       value, comment_text(meaning))
                         : fmt::format("    {} = {}, // {}\n", name, value, comment_text(meaning));
    }
    return text;
}

} // namespace

const std::string& CppTypes::map(const std::shared_ptr<const schema::ValueMap>& map) {
    const auto [known, is_new] = maps_.try_emplace(map);
    if (!is_new) {
        return known->second;
    }
    const bool is_flags = map->kind == schema::ValueMap::Kind::bits;
    const std::string entries = entries_of(*map);
    const auto [equal, is_news] =
        by_content_.try_emplace(fmt::format("{}{}\n{}", is_flags ? 'f' : 'e', map->name, entries));
    if (is_news && is_flags) {
        equal->second = scope_.take(snake_name(map->name), "flags");
        text_ += fmt::format("/// Flags {}\nnamespace {} {{\n{}}} // namespace {}\n\n",
                             comment_text(map->name), equal->second, entries, equal->second);
    } else if (is_news) {
        equal->second = scope_.take(pascal_name(map->name), "Map");
        text_ += fmt::format("/// {}\nenum class {} : std::uint32_t {{\n{}}};\n\n",
                             comment_text(map->name), equal->second, entries);
    }
    return known->second = equal->second;
}

const std::string& CppTypes::structure(std::string_view wished, const std::string& body) {
    const auto [equal, is_new] = by_content_.try_emplace(fmt::format("s{}\n{}", wished, body));
    if (is_new) {
        equal->second = scope_.take(pascal_name(wished), "Structure");
        text_ += fmt::format("/// {}\nstruct {} {{\n{}}};\n\n", comment_text(wished), equal->second,
                             body);
    }
    return equal->second;
}

} // namespace etl::authoring
