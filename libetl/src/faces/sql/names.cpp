#include "sql/names.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace etl::sql {

std::string UniqueNames::take(std::string_view name) {
    std::string clean(name);
    std::ranges::replace_if(
        clean, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, '_');
    std::string unique = clean;
    for (unsigned i = 2; !taken_.insert(to_lower_ascii(unique)).second; ++i) {
        unique = clean + "#" + std::to_string(i);
    }
    return unique;
}

bool UniqueNames::has(std::string_view name) const {
    return taken_.contains(to_lower_ascii(name));
}

std::string quoted_name(std::string_view name) {
    std::string text;
    append_csv_quoted(text, name); // the same rule: quotes are doubled
    return text;
}

} // namespace etl::sql
