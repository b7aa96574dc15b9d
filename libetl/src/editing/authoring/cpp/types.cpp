#include "authoring/cpp/events.hpp"

#include <fmt/format.h>

namespace etl::authoring {

namespace {

CppCode entries_of(const schema::ValueMap& map) {
    const bool is_flags = map.kind == schema::ValueMap::Kind::bits;
    CppCode code(is_flags ? 0 : 1);
    CppScope names;
    for (const auto& [value, meaning] : map.entries) {
        const std::string name = names.take(snake_name(meaning), fmt::format("value_{}", value));
        if (is_flags) {
            code.line("inline constexpr std::uint32_t {} = 0x{:x}; // {}", name, value,
                      comment_text(meaning));
        } else {
            code.line("{} = {}, // {}", name, value, comment_text(meaning));
        }
    }
    return code;
}

} // namespace

const std::string& CppTypes::map(const std::shared_ptr<const schema::ValueMap>& map) {
    const auto [known, is_new] = maps_.try_emplace(map);
    if (!is_new) {
        return known->second;
    }
    const bool is_flags = map->kind == schema::ValueMap::Kind::bits;
    const CppCode entries = entries_of(*map);
    const auto [equal, is_news] = by_content_.try_emplace(
        fmt::format("{}{}\n{}", is_flags ? 'f' : 'e', map->name, entries.text()));
    if (is_news && is_flags) {
        equal->second = scope_.take(snake_name(map->name), "flags");
        code_.line("/// Flags {}", comment_text(map->name)).open_namespace(equal->second);
        code_.add(entries).close_namespace(equal->second).blank();
    } else if (is_news) {
        equal->second = scope_.take(pascal_name(map->name), "Map");
        code_.line("/// {}", comment_text(map->name));
        code_.open("enum class {} : std::uint32_t", equal->second);
        code_.add(entries).close(";").blank();
    }
    return known->second = equal->second;
}

const std::string& CppTypes::structure(std::string_view wished, const CppCode& body) {
    const auto [equal, is_new] =
        by_content_.try_emplace(fmt::format("s{}\n{}", wished, body.text()));
    if (is_new) {
        equal->second = scope_.take(pascal_name(wished), "Structure");
        code_.line("/// {}", comment_text(wished)).open("struct {}", equal->second);
        code_.add(body).close(";").blank();
    }
    return equal->second;
}

} // namespace etl::authoring
