#include "catalog/cache.hpp"

#include "base/file_name.hpp"

#include <algorithm>

namespace etl::catalog {

namespace {

constexpr std::string_view suffix = ".man";
constexpr std::size_t guid_size = 36;
constexpr std::size_t max_name = 100;

constexpr bool is_everywhere_legal(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

} // namespace

std::string portable_file_name(std::string_view name) {
    std::string portable(name);
    std::ranges::replace_if(portable, [](char c) { return !is_everywhere_legal(c); }, '_');
    return safe_file_name(portable);
}

std::string cache_member_name(const schema::ProviderNames& names) {
    const std::string name = portable_file_name(std::string_view(names.name).substr(0, max_name));
    std::string member(cache_directory);
    member += names.name.empty() ? "provider" : name;
    member += '.';
    member += to_string(names.guid);
    member += suffix;
    return member;
}

std::optional<Guid> provider_of_cache_member(std::string_view name) {
    if (!name.starts_with(cache_directory) || !name.ends_with(suffix) ||
        name.size() < cache_directory.size() + 1 + guid_size + suffix.size()) {
        return std::nullopt;
    }
    name.remove_suffix(suffix.size());
    const std::size_t dot = name.size() - guid_size - 1;
    return name[dot] == '.' ? parse_guid(name.substr(dot + 1)) : std::nullopt;
}

} // namespace etl::catalog
