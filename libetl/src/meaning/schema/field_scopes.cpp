#include "schema/field_scopes.hpp"

#include <algorithm>

namespace etl::schema {

std::string bare_name(std::string_view name) {
    std::string letters;
    std::ranges::copy_if(name, std::back_inserter(letters),
                         [](char c) { return c != ' ' && c != '\t' && c != ':'; });
    return letters;
}

bool is_countable(InType type) noexcept {
    const auto code = static_cast<std::uint16_t>(type);
    const bool integer = code >= static_cast<std::uint16_t>(InType::int8) &&
                         code <= static_cast<std::uint16_t>(InType::uint64);
    return integer || type == InType::hex_int32 || type == InType::hex_int64 ||
           type == InType::pointer || type == InType::pointer_sized;
}

void FieldScopes::add(std::string_view name, const Field& field, std::size_t index) {
    if (is_countable(field.in_type) && field.count.kind == Extent::Kind::natural && !name.empty()) {
        scopes_.back().by_name.insert_or_assign(name, index);
        scopes_.back().by_bare_name.insert_or_assign(bare_name(name), index);
    }
}

std::optional<std::size_t> FieldScopes::find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto found = scope->by_name.find(name); found != scope->by_name.end()) {
            return found->second;
        }
    }
    const std::string letters = bare_name(name);
    if (letters.empty()) {
        return std::nullopt;
    }
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto found = scope->by_bare_name.find(letters);
        if (found != scope->by_bare_name.end()) {
            return found->second;
        }
    }
    return std::nullopt;
}

} // namespace etl::schema
