#include "compat/windows/format_scanner.hpp"

#include <algorithm>
#include <array>

namespace etl::compat {

std::u16string_view FormatScanner::text() noexcept {
    const std::size_t length = std::min(rest_.find(u'%'), rest_.size());
    const auto found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
}

FormatConversion FormatScanner::conversion() {
    FormatConversion found;
    rest_.remove_prefix(1);
    while (!rest_.empty() && std::u16string_view(u"-+ #0").contains(rest_.front())) {
        const char flag = static_cast<char>(next());
        if (!found.flags.contains(flag)) {
            found.flags.push_back(flag);
        }
    }
    found.width = number();
    if (take(u".")) {
        found.precision = number();
    }
    found.size = size();
    found.kind = next();
    return found;
}

char16_t FormatScanner::next() noexcept {
    if (rest_.empty()) {
        return 0;
    }
    const char16_t unit = rest_.front();
    rest_.remove_prefix(1);
    return unit;
}

bool FormatScanner::take(std::u16string_view word) noexcept {
    if (!rest_.starts_with(word)) {
        return false;
    }
    rest_.remove_prefix(word.size());
    return true;
}

int FormatScanner::number() noexcept {
    if (take(u"*")) {
        return taken_from_argument;
    }
    int value = 0;
    while (!rest_.empty() && rest_.front() >= u'0' && rest_.front() <= u'9') {
        value = std::min(value * 10 + (next() - u'0'), most_padding);
    }
    return value;
}

FormatConversion::Size FormatScanner::size() noexcept {
    using Size = FormatConversion::Size;

    struct Word {
        std::u16string_view text;
        Size size;
    };

    constexpr std::array words{
        Word{u"I64", Size::wide_64}, Word{u"I32", Size::usual}, Word{u"I", Size::wide_64},
        Word{u"hh", Size::hh},       Word{u"h", Size::h},       Word{u"ll", Size::wide_64},
        Word{u"l", Size::l},         Word{u"j", Size::wide_64}, Word{u"z", Size::wide_64},
        Word{u"t", Size::wide_64},   Word{u"w", Size::w},       Word{u"L", Size::usual}};
    for (const Word& word : words) {
        if (take(word.text)) {
            return word.size;
        }
    }
    return Size::usual;
}

} // namespace etl::compat
