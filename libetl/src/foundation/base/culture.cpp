#include "base/culture.hpp"

#include "base/text.hpp"

#include <unicode/uloc.h>

#include <algorithm>
#include <array>

namespace etl {

namespace {

constexpr std::size_t max_name = 64; // ULOC_FULLNAME_CAPACITY is for names with keywords

constexpr bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool is_separator(char c) noexcept {
    return c == '-' || c == '_';
}

constexpr char folded(char c) noexcept {
    return c == '_' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_same(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, {}, folded, folded);
}

std::string_view parent_of(std::string_view culture) noexcept {
    const std::size_t end = culture.find_last_of("-_");
    return end == std::string_view::npos ? std::string_view{} : culture.substr(0, end);
}

std::string_view primary_of(std::string_view culture) noexcept {
    return culture.substr(0, culture.find_first_of("-_"));
}

} // namespace

std::string culture_of(LanguageId language) {
    if (language == neutral_language) {
        return {};
    }
    std::array<char, max_name> locale{};
    UErrorCode status = U_ZERO_ERROR;
    uloc_getLocaleForLCID(language, locale.data(), max_name, &status);
    std::array<char, max_name> tag{};
    const bool is_known = U_SUCCESS(status) && locale[0] != '\0';
    const std::int32_t size =
        is_known ? uloc_toLanguageTag(locale.data(), tag.data(), max_name, 1, &status) : 0;
    if (U_FAILURE(status) || size <= 0 || static_cast<std::size_t>(size) >= max_name) {
        return {};
    }
    const std::string_view name(tag.data(), static_cast<std::size_t>(size));
    return primary_of(name) == "und" ? std::string() : std::string(name);
}

LanguageId language_of(std::string_view culture) {
    if (!is_culture_name(culture)) {
        return neutral_language;
    }
    std::string tag(culture);
    std::ranges::replace(tag, '_', '-');
    std::array<char, max_name> locale{};
    UErrorCode status = U_ZERO_ERROR;
    uloc_forLanguageTag(tag.c_str(), locale.data(), max_name, nullptr, &status);
    const std::uint32_t number = U_SUCCESS(status) ? uloc_getLCID(locale.data()) : 0U;
    return number > 0xFFFFU ? neutral_language : static_cast<LanguageId>(number);
}

bool is_culture_name(std::string_view name) noexcept {
    constexpr std::size_t max_group = 8;
    const std::size_t first = primary_of(name).size();
    if (first < 2 || first > 3 || name.size() >= max_name ||
        !std::ranges::all_of(name.substr(0, first), is_letter)) {
        return false;
    }
    std::size_t group = 0;
    for (const char c : name) {
        if (is_separator(c)) {
            if (group == 0) {
                return false;
            }
            group = 0;
        } else if ((!is_letter(c) && (c < '0' || c > '9')) || ++group > max_group) {
            return false;
        }
    }
    return group > 0;
}

CultureChain::CultureChain(std::string_view wanted) {
    const auto add = [&](std::string_view name) {
        if (!std::ranges::any_of(names_, [&](const auto& known) { return is_same(known, name); })) {
            names_.emplace_back(name);
        }
    };
    std::string_view name = wanted.empty() ? std::string_view("en-US") : wanted;
    for (; !name.empty(); name = parent_of(name)) {
        add(name);
    }
    own_ = names_.size();
    add("en-US");
    add("en");
}

std::size_t CultureChain::rank(std::string_view culture) const noexcept {
    // Behind the wanted one and its parents: others of the language, the neutral language.
    constexpr std::size_t between = 2;
    if (culture.empty()) {
        return own_ + 1;
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (is_same(names_[i], culture)) {
            return i < own_ ? i : i + between;
        }
    }
    if (is_same(primary_of(names_.front()), primary_of(culture))) {
        return own_;
    }
    return names_.size() + between + (is_same(primary_of(culture), "en") ? 0U : 1U);
}

std::size_t CultureChain::rank(LanguageId language) const {
    return rank(culture_of(language));
}

} // namespace etl
