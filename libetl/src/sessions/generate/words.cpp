#include "generate/words.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace etl::generate {

namespace {

constexpr std::array<std::string_view, 16> ascii_words{
    "signal", "points",   "platform", "siding", "express", "freight",   "junction", "whistle",
    "buffer", "carriage", "tunnel",   "ticket", "guard",   "timetable", "lever",    "boiler"};

// Two, three and four bytes of UTF-8; the last ones are surrogate pairs in UTF-16.
constexpr std::array<std::string_view, 16> unicode_words{
    "Fahrstraße", "Brücke", "gare", "évitement", "ferrovía", "pociąg", "вокзал", "стрелка",
    "σταθμός",    "駅",     "信号", "列車",      "기차역",   "محطة",   "🚂",     "🚦🛤"};

std::span<const std::string_view> words_of(Recipe::Text text) noexcept {
    return text == Recipe::Text::ascii ? std::span<const std::string_view>(ascii_words)
                                       : std::span<const std::string_view>(unicode_words);
}

std::u16string_view word16(Recipe::Text text, std::uint64_t number) {
    const auto converted = [](Recipe::Text which) {
        std::array<std::u16string, 16> all;
        std::ranges::transform(words_of(which), all.begin(), to_utf16);
        return all;
    };
    static const std::array words{converted(Recipe::Text::ascii), converted(Recipe::Text::unicode)};
    const auto& those = words[text == Recipe::Text::ascii ? 0 : 1];
    return those[number % those.size()];
}

} // namespace

std::string_view word(Recipe::Text text, std::uint64_t number) noexcept {
    const auto words = words_of(text);
    return words[number % words.size()];
}

std::string remark(Recipe::Text text, std::size_t bytes, Random& random) {
    std::string result;
    result.reserve(bytes);
    while (result.size() < bytes) {
        const std::string_view next = word(text, random.next());
        const std::size_t gap = result.empty() ? 0 : 1;
        if (result.size() + gap + next.size() > bytes) {
            break;
        }
        result.append(gap, ' ');
        result.append(next);
    }
    result.append(bytes - result.size(), '.'); // too small for a word
    return result;
}

std::u16string remark16(Recipe::Text text, std::size_t units, Random& random) {
    std::u16string result;
    result.reserve(units);
    while (result.size() < units) {
        const std::u16string_view next = word16(text, random.next());
        const std::size_t gap = result.empty() ? 0 : 1;
        if (result.size() + gap + next.size() > units) {
            break;
        }
        result.append(gap, u' ');
        result.append(next);
    }
    result.append(units - result.size(), u'.');
    return result;
}

} // namespace etl::generate
