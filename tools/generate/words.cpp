#include "generate/words.hpp"

#include <etl/base/text.hpp>

#include <array>
#include <span>

namespace cli::generate {

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
    result.append(bytes - result.size(), '.'); // what no word fits into
    return result;
}

std::u16string remark16(Recipe::Text text, std::size_t units, Random& random) {
    std::u16string result;
    result.reserve(units);
    while (result.size() < units) {
        const std::u16string next = etl::to_utf16(word(text, random.next()));
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

} // namespace cli::generate
