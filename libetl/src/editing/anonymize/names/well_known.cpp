#include "anonymize/names/well_known.hpp"

#include "anonymize/names/well_known_keys.hpp"
#include "anonymize/names/well_known_words.hpp"

#include <algorithm>
#include <array>

namespace etl::anonymize {

namespace {

// Longer than every word of the lists.
constexpr std::size_t longest_known = 40;

// A list is short, and few words have the length and the first letter of an entry.
template <std::size_t N>
bool contains(const std::array<Text, N>& words, Text word) noexcept {
    return word.size() <= longest_known &&
           std::ranges::any_of(words, [word](Text known) { return equals_folded(word, known); });
}

Text without_number(Text name) noexcept {
    while (!name.empty() && is_digit(name.back())) {
        name.remove_suffix(1);
    }
    return name;
}

} // namespace

bool is_well_known_account(Text name) noexcept {
    const bool is_session = name.size() > 4 && (equals_folded(name.substr(0, 4), u"dwm-") ||
                                                equals_folded(name.substr(0, 4), u"umfd"));
    return is_session || contains(words::accounts, name);
}

bool is_well_known_host(Text name) noexcept {
    return contains(words::hosts, name);
}

bool is_shared_profile(Text name) noexcept {
    return contains(words::profiles, name);
}

namespace {

// `(null)`, `N/A`, `[multiple files]`.
bool is_word_for_nothing(Text value) noexcept {
    constexpr Text brackets = u"[]()<>{}";
    const bool is_bracketed = value.size() > 2 && value.size() <= longest_known &&
                              (value.front() == u'[' || value.front() == u'(' ||
                               value.front() == u'<' || value.front() == u'{') &&
                              brackets.find(value.back()) == brackets.find(value.front()) + 1;
    if (!is_bracketed) {
        return contains(words::placeholders, value);
    }
    value = value.substr(1, value.size() - 2);
    return contains(words::placeholders, value) || equals_folded(value, u"multiple files");
}

} // namespace

bool is_placeholder(Text value) noexcept {
    return is_word_for_nothing(value) ||
           std::ranges::all_of(value, [](char16_t c) { return !is_wordy(c); });
}

bool says_nothing(Text value) noexcept {
    constexpr Text truths[] = {u"true", u"false", u"yes", u"no"};
    constexpr Text masks = u"xX*.-\u2022\u25CF ";
    constexpr std::size_t fewest_signs = 4; // fewer are `%s`, `?`, `{}`
    const auto is_mask = [&](char16_t c) { return masks.find(c) != Text::npos; };
    return is_word_for_nothing(value) ||
           std::ranges::any_of(truths, [&](Text truth) { return equals_folded(value, truth); }) ||
           std::ranges::all_of(value, is_mask) ||
           (value.size() < fewest_signs && is_placeholder(value));
}

bool is_common_word(Text name) noexcept {
    return contains(words::common_words, name);
}

bool is_well_known_folder(Text name) noexcept {
    return contains(words::folders, name);
}

bool is_well_known_key(Text name) noexcept {
    return contains(words::keys, name);
}

bool is_device_prefix(Text name) noexcept {
    constexpr Text volume = u"volume{";
    const bool is_volume =
        name.size() > volume.size() && equals_folded(name.substr(0, volume.size()), volume);
    return is_volume || contains(words::devices, without_number(name));
}

bool is_well_known_file(Text name) noexcept {
    const std::size_t end = extension_of(name);
    return contains(words::files, name.substr(0, end));
}

bool is_extension(Text name) noexcept {
    return contains(words::extensions, name);
}

std::size_t extension_of(Text name) noexcept {
    const std::size_t dot = name.rfind(u'.');
    return dot != Text::npos && dot > 0 && is_extension(name.substr(dot)) ? dot : name.size();
}

} // namespace etl::anonymize
