#include "authoring/unique_names.hpp"

#include <algorithm>

namespace etl::authoring {

namespace {

constexpr std::size_t max_size = 256;

// All that is not ASCII passes: near enough to XML's rules.
constexpr bool may_begin(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80;
}

constexpr bool may_follow(char c) noexcept {
    return may_begin(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

} // namespace

bool is_plain_name(std::string_view name) noexcept {
    return !name.empty() && name.size() <= max_size && may_begin(name.front()) &&
           std::ranges::all_of(name, may_follow) && name.find("\xEF\xBF") == name.npos;
}

std::string plain_name(std::string_view text) {
    std::string name(text.substr(0, max_size));
    std::ranges::replace_if(
        name, [](char c) { return !may_follow(c) || static_cast<unsigned char>(c) >= 0x80; }, '_');
    if (name.empty() || !may_begin(name.front())) {
        name.insert(name.begin(), '_');
    }
    return name;
}

} // namespace etl::authoring
