#include "anonymize/names/name_index.hpp"

#include <etl/anonymize/limits.hpp>

#include <algorithm>

namespace etl::anonymize {

namespace {

// FNV-1a over the folded units of the word that begins at `at`.
std::uint64_t hash_of_word(Text text, std::size_t at) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (; at < text.size() && is_wordy(text[at]); ++at) {
        hash = (hash ^ folded(text[at])) * 0x100000001B3U;
    }
    return hash;
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

void NameIndex::insert(Names& names, const Name& name, std::size_t most) {
    if (names.size() < most) {
        const auto shorter = std::ranges::find_if(
            names, [&](const Name& other) { return other.text.size() < name.text.size(); });
        names.insert(shorter, name);
    }
}

void NameIndex::add(const std::u16string& name, Kind kind) {
    if (name.empty() || !is_wordy(name.front())) {
        return;
    }
    const auto add_form = [&](const std::u16string& form) {
        insert(by_first_word_[hash_of_word(form, 0)], {form, kind}, limits::names_of_one_word);
        if (form.size() >= beginning_size) {
            insert(by_beginning_[beginning_of(form)], {form, kind}, limits::names_of_one_beginning);
        }
    };
    add_form(name);
    if (std::ranges::any_of(name, [](char16_t c) { return c >= 0x80; })) {
        add_form(as_utf8_units(name));
    }
}

NameIndex::Found NameIndex::at(Text text, std::size_t at) const noexcept {
    const auto names = by_first_word_.find(hash_of_word(text, at));
    if (names == by_first_word_.end()) {
        return {};
    }
    for (const Name& name : names->second) {
        const std::size_t end = at + name.text.size();
        if (end <= text.size() && equals_folded(text.substr(at, name.text.size()), name.text) &&
            (end == text.size() || !is_wordy(text[end]))) {
            return {name.text.size(), name.kind};
        }
    }
    return {};
}

NameIndex::Found NameIndex::within_word(Text text, std::size_t at) const noexcept {
    if (text.size() - at < beginning_size) {
        return {};
    }
    const auto names = by_beginning_.find(beginning_of(text.substr(at)));
    if (names == by_beginning_.end()) {
        return {};
    }
    for (const Name& name : names->second) {
        if (equals_folded(text.substr(at, name.text.size()), name.text)) {
            return {name.text.size(), name.kind};
        }
    }
    return {};
}

} // namespace etl::anonymize
