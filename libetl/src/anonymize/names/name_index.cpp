#include "anonymize/names/name_index.hpp"

#include <algorithm>
#include <functional>

namespace etl::anonymize {

namespace {

constexpr auto fold = [](char16_t c) noexcept { return folded(c); };

// FNV-1a over folded units.
std::uint64_t hash_of(Text text) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char16_t c : text) {
        hash = (hash ^ folded(c)) * 0x100000001B3U;
    }
    return hash;
}

Text first_word(Text text) noexcept {
    return text.substr(
        0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_wordy) - text.begin()));
}

// All of the first four units.
constexpr std::size_t beginning_size = 4;

std::uint64_t beginning_of(Text text) noexcept {
    std::uint64_t units = 0;
    for (const char16_t c : text.substr(0, beginning_size)) {
        units = units << 16U | folded(c);
    }
    return units;
}

void append_utf8(std::u16string& to, std::uint32_t code) {
    const auto put = [&to](std::uint32_t byte) {
        to.push_back(folded(static_cast<char16_t>(byte)));
    };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0U | code >> 6U);
        put(0x80U | (code & 0x3FU));
    } else if (code < 0x10000) {
        put(0xE0U | code >> 12U);
        put(0x80U | (code >> 6U & 0x3FU));
        put(0x80U | (code & 0x3FU));
    } else {
        put(0xF0U | code >> 18U);
        put(0x80U | (code >> 12U & 0x3FU));
        put(0x80U | (code >> 6U & 0x3FU));
        put(0x80U | (code & 0x3FU));
    }
}

// The bytes that a name has in UTF-8, as units of an 8-bit text are folded.
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

} // namespace

NameIndex::NameIndex(const anonymize::Names& names) : windows_files_(names.windows_files()) {
    for (const std::u16string& name : names.computers()) {
        add(name, Kind::computer);
    }
    for (const std::u16string& name : names.users()) {
        add(name, Kind::user);
    }
}

std::size_t NameIndex::Hash::operator()(Text text) const noexcept {
    return static_cast<std::size_t>(hash_of(text));
}

bool NameIndex::Equal::operator()(Text a, Text b) const noexcept {
    return std::ranges::equal(a, b, {}, fold, fold);
}

void NameIndex::insert(Sizes& sizes, std::size_t size) {
    const auto place = std::ranges::lower_bound(sizes, size, std::greater{});
    if (place == sizes.end() || *place != size) {
        sizes.insert(place, static_cast<std::uint32_t>(size));
    }
}

void NameIndex::add(const std::u16string& name, Kind kind) {
    if (name.empty() || !is_wordy(name.front())) {
        return;
    }
    const auto add_form = [&](const std::u16string& form) {
        names_.try_emplace(form, kind);
        insert(by_first_word_[hash_of(first_word(form))], form.size());
        if (form.size() >= beginning_size) {
            insert(by_beginning_[beginning_of(form)], form.size());
        }
    };
    add_form(name);
    if (std::ranges::any_of(name, [](char16_t c) { return c >= 0x80; })) {
        add_form(as_utf8_units(name));
    }
}

template <typename Permits>
NameIndex::Found NameIndex::longest(const Sizes& sizes, Text text, std::size_t at,
                                    Permits permits) const noexcept {
    for (const std::uint32_t size : sizes) {
        if (size > text.size() - at || !permits(at + size)) {
            continue;
        }
        if (const auto name = names_.find(text.substr(at, size)); name != names_.end()) {
            return {size, name->second};
        }
    }
    return {};
}

NameIndex::Found NameIndex::at(Text text, std::size_t at) const noexcept {
    const auto sizes = by_first_word_.find(hash_of(first_word(text.substr(at))));
    return sizes == by_first_word_.end()
               ? Found{}
               : longest(sizes->second, text, at, [text](std::size_t end) {
                     return end == text.size() || !is_wordy(text[end]);
                 });
}

NameIndex::Found NameIndex::within_word(Text text, std::size_t at) const noexcept {
    if (text.size() - at < beginning_size) {
        return {};
    }
    const auto sizes = by_beginning_.find(beginning_of(text.substr(at)));
    return sizes == by_beginning_.end()
               ? Found{}
               : longest(sizes->second, text, at, [](std::size_t) { return true; });
}

} // namespace etl::anonymize
