#include "anonymize/names/name_index.hpp"

#include <algorithm>
#include <random>

namespace etl::anonymize {

namespace {

// All of the first four units.
constexpr std::size_t beginning_size = 4;

constexpr bool is_lead(char16_t c) noexcept {
    return c >= 0xC3 && c <= 0xDF;
}

constexpr bool is_continuation(char16_t c) noexcept {
    return c >= 0x80 && c <= 0xBF;
}

constexpr std::uint32_t lead_of(std::uint32_t code) noexcept {
    return 0xC0U | code >> 6U;
}

constexpr std::uint32_t continuation_of(std::uint32_t code) noexcept {
    return 0x80U | (code & 0x3FU);
}

constexpr char16_t folded_pair(char16_t lead, char16_t continuation) noexcept {
    return folded(static_cast<char16_t>((lead & 0x1FU) << 6U | (continuation & 0x3FU)));
}

// Letters with a case have two bytes in UTF-8, and so have those that they fold to.
constexpr char16_t folded_byte(Text text, std::size_t i) noexcept {
    const char16_t c = text[i];
    if (c < 0x80) {
        return folded(c);
    }
    if (is_lead(c) && i + 1 < text.size() && is_continuation(text[i + 1])) {
        return static_cast<char16_t>(lead_of(folded_pair(c, text[i + 1])));
    }
    if (is_continuation(c) && i > 0 && is_lead(text[i - 1])) {
        return static_cast<char16_t>(continuation_of(folded_pair(text[i - 1], c)));
    }
    return c;
}

void append_utf8(std::u16string& to, std::uint32_t code) {
    const auto put = [&to](std::uint32_t byte) { to.push_back(static_cast<char16_t>(byte)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(lead_of(code));
        put(continuation_of(code));
    } else if (code < 0x10000) {
        put(0xE0U | code >> 12U);
        put(continuation_of(code >> 6U));
        put(continuation_of(code));
    } else {
        put(0xF0U | code >> 18U);
        put(continuation_of(code >> 12U));
        put(continuation_of(code >> 6U));
        put(continuation_of(code));
    }
}

// The bytes that a name has in UTF-8, as the units of an 8-bit text.
std::u16string as_utf8_units(Text name) {
    std::u16string units;
    for (std::size_t i = 0; i < name.size(); ++i) {
        std::uint32_t code = name[i];
        if (code >= 0xD800 && code < 0xDC00 && i + 1 < name.size()) {
            code = 0x10000 + ((code - 0xD800) << 10U) + ((name[++i] - 0xDC00U) & 0x3FFU);
        }
        append_utf8(units, code);
    }
    return units;
}

Text first_word(Text text) noexcept {
    const auto end = std::ranges::find_if_not(text, is_wordy);
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

constexpr std::uint64_t extended(std::uint64_t hash, char16_t unit) noexcept {
    return (hash ^ unit) * 0x100000001B3U; // FNV-1a
}

std::uint64_t random_seed() {
    std::random_device random;
    return std::uint64_t{random()} << 32U | random();
}

template <Encoding encoding>
constexpr char16_t folded_at(Text text, std::size_t i) noexcept {
    return encoding == Encoding::utf8 ? folded_byte(text, i) : folded(text[i]);
}

/// Of the first `size` units.
template <Encoding encoding>
std::uint64_t hash_of(std::uint64_t seed, Text text, std::size_t size) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
        seed = extended(seed, folded_at<encoding>(text, i));
    }
    return seed;
}

} // namespace

NameIndex::NameIndex(const anonymize::Names& names)
    : seed_(random_seed()), windows_files_(names.windows_files()) {
    for (const std::u16string& name : names.computers()) {
        add(name, Kind::computer);
    }
    for (const std::u16string& name : names.users()) {
        add(name, Kind::user);
    }
}

void NameIndex::add(Text name, Kind kind) {
    if (name.empty() || !is_wordy(name.front())) {
        return;
    }
    add_form<Encoding::utf16>(name, kind, utf16_);
    if (std::ranges::any_of(name, [](char16_t c) { return c >= 0x80; })) {
        add_form<Encoding::utf8>(as_utf8_units(name), kind, utf8_);
    }
}

template <Encoding encoding>
void NameIndex::add_form(Text form, Kind kind, Forms& to) {
    std::u16string text;
    for (std::size_t i = 0; i < form.size(); ++i) {
        text.push_back(folded_at<encoding>(form, i));
    }
    std::vector<Name>& alike = to.names[hash_of<encoding>(seed_, form, form.size())];
    if (std::ranges::find(alike, text, &Name::text) != alike.end()) {
        return;
    }
    alike.push_back({std::move(text), kind});
    const auto insert = [&](Sizes& sizes) {
        const auto place = std::ranges::lower_bound(sizes, form.size());
        if (place == sizes.end() || *place != form.size()) {
            sizes.insert(place, static_cast<std::uint32_t>(form.size()));
        }
    };
    insert(to.by_first_word[hash_of<encoding>(seed_, form, first_word(form).size())]);
    if (form.size() >= beginning_size) {
        insert(to.by_beginning[hash_of<encoding>(seed_, form, beginning_size)]);
    }
}

/// One pass over the text, however many names begin alike.
template <Encoding encoding, typename Permits>
NameIndex::Found NameIndex::longest(const Forms& forms, const Sizes& sizes, Text text,
                                    Permits permits) const noexcept {
    Found found;
    std::uint64_t hash = seed_;
    std::size_t hashed = 0;
    for (const std::uint32_t size : sizes) {
        if (size > text.size()) {
            break;
        }
        for (; hashed < size; ++hashed) {
            hash = extended(hash, folded_at<encoding>(text, hashed));
        }
        const auto alike = permits(size) ? forms.names.find(hash) : forms.names.end();
        if (alike == forms.names.end()) {
            continue;
        }
        for (const Name& name : alike->second) {
            bool is_equal = name.text.size() == size;
            for (std::size_t i = 0; is_equal && i < size; ++i) {
                is_equal = folded_at<encoding>(text, i) == name.text[i];
            }
            if (is_equal) {
                found = {size, name.kind};
            }
        }
    }
    return found;
}

template <Encoding encoding>
NameIndex::Found NameIndex::whole_word(const Forms& forms, Text text) const noexcept {
    const auto sizes =
        forms.by_first_word.find(hash_of<encoding>(seed_, text, first_word(text).size()));
    return sizes == forms.by_first_word.end()
               ? Found{}
               : longest<encoding>(forms, sizes->second, text, [text](std::size_t end) {
                     return end == text.size() || !is_wordy(text[end]);
                 });
}

template <Encoding encoding>
NameIndex::Found NameIndex::anywhere(const Forms& forms, Text text) const noexcept {
    if (text.size() < beginning_size) {
        return {};
    }
    const auto sizes = forms.by_beginning.find(hash_of<encoding>(seed_, text, beginning_size));
    return sizes == forms.by_beginning.end()
               ? Found{}
               : longest<encoding>(forms, sizes->second, text, [](std::size_t) { return true; });
}

NameIndex::Found NameIndex::at(Text text, std::size_t at) const noexcept {
    const Text rest = text.substr(at);
    const Found found = whole_word<Encoding::utf16>(utf16_, rest);
    return found.size > 0 || utf8_.names.empty() ? found : whole_word<Encoding::utf8>(utf8_, rest);
}

NameIndex::Found NameIndex::within_word(Text text, std::size_t at) const noexcept {
    const Text rest = text.substr(at);
    const Found found = anywhere<Encoding::utf16>(utf16_, rest);
    return found.size > 0 || utf8_.names.empty() ? found : anywhere<Encoding::utf8>(utf8_, rest);
}

} // namespace etl::anonymize
