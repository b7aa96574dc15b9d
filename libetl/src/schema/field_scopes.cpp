#include "schema/field_scopes.hpp"

namespace etl::schema {

namespace {

constexpr bool is_noise(char c) noexcept {
    return c == ' ' || c == '\t' || c == ':';
}

bool equals_but_for_noise(std::string_view a, std::string_view b) noexcept {
    std::size_t i = 0;
    std::size_t j = 0;
    while (true) {
        while (i < a.size() && is_noise(a[i])) {
            ++i;
        }
        while (j < b.size() && is_noise(b[j])) {
            ++j;
        }
        if (i == a.size() || j == b.size()) {
            return i == a.size() && j == b.size();
        }
        if (a[i++] != b[j++]) {
            return false;
        }
    }
}

} // namespace

bool is_countable(InType type) noexcept {
    const auto code = static_cast<std::uint16_t>(type);
    const bool integer = code >= static_cast<std::uint16_t>(InType::int8) &&
                         code <= static_cast<std::uint16_t>(InType::uint64);
    return integer || type == InType::hex_int32 || type == InType::hex_int64 ||
           type == InType::pointer || type == InType::size_t_;
}

void FieldScopes::leave() noexcept {
    const std::size_t first = begins_.back();
    begins_.pop_back();
    fields_[first - 1].members = static_cast<std::uint16_t>(fields_.size() - first);
}

template <typename Matches>
std::optional<std::size_t> FieldScopes::find_if(Matches matches) const noexcept {
    std::size_t end = fields_.size();
    for (std::size_t scope = begins_.size(); scope-- > 0;) {
        std::optional<std::size_t> last;
        for (std::size_t i = begins_[scope]; i < end; i += 1U + fields_[i].members) {
            if (is_countable(fields_[i].in_type) &&
                fields_[i].count.kind == Extent::Kind::natural && matches(fields_[i].name)) {
                last = i;
            }
        }
        if (last) {
            return last;
        }
        end = begins_[scope] == 0 ? 0 : begins_[scope] - 1; // the structure itself does not count
    }
    return std::nullopt;
}

std::optional<std::size_t> FieldScopes::find(std::string_view name) const noexcept {
    const auto exact = find_if([&](std::string_view other) { return other == name; });
    if (exact || name.empty()) {
        return exact;
    }
    return find_if([&](std::string_view other) { return equals_but_for_noise(other, name); });
}

} // namespace etl::schema
