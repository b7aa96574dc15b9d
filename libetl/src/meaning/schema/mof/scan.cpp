// Which classes a MOF file defines, without parsing it: a catalog asks this of hundreds of files.
#include "base/text.hpp"
#include "base/trimmed.hpp"
#include "schema/file_text.hpp"
#include "schema/guarded.hpp"
#include "schema/mof.hpp"

#include <algorithm>
#include <unordered_set>

namespace etl::schema {

namespace {

bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A file of MOF begins with a comment, a directive, a qualifier list or a word of the language.
bool may_begin_mof(std::string_view text) noexcept {
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (text.starts_with(mark)) {
        text.remove_prefix(mark.size());
    }
    const std::size_t begin = text.find_first_not_of(blanks);
    return begin != text.npos && std::string_view("/#[cCiIqQ").find(text[begin]) != text.npos &&
           text.substr(0, 1024).find('\0') == text.npos;
}

// Where `word` stands on its own from `from` on, case ignored; npos: nowhere.
std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) noexcept {
    const char letters[] = {word.front(), static_cast<char>(word.front() - 'a' + 'A')};
    const std::string_view either(letters, 2);
    for (std::size_t at = text.find_first_of(either, from); at != text.npos;
         at = text.find_first_of(either, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end >= text.size() || !is_word(text[end])) &&
            equals_ignoring_case(text.substr(at, word.size()), word)) {
            return at;
        }
    }
    return text.npos;
}

// The GUID in `("{...}")`; `text` begins behind the qualifier's name.
std::optional<Guid> guid_of_qualifier(std::string_view text) noexcept {
    for (const char wanted : {'(', '"'}) {
        const std::size_t at = text.find_first_not_of(blanks);
        if (at == text.npos || text[at] != wanted) {
            return std::nullopt;
        }
        text.remove_prefix(at + 1);
    }
    return parse_guid(text.substr(0, text.find('"')));
}

std::vector<Guid> scan_classes(std::string_view text) {
    constexpr std::string_view qualifier = "guid";
    std::vector<Guid> guids;
    if (!may_begin_mof(text) || find_word(text, "class", 0) == text.npos) {
        return guids;
    }
    std::unordered_set<Guid> seen;
    for (std::size_t at = find_word(text, qualifier, 0); at != text.npos;
         at = find_word(text, qualifier, at + qualifier.size())) {
        constexpr std::size_t longest = 256;
        const auto guid = guid_of_qualifier(text.substr(at + qualifier.size(), longest));
        if (guid && seen.insert(*guid).second) {
            guids.push_back(*guid);
        }
    }
    return guids;
}

} // namespace

std::vector<Guid> scan_mof_classes(Bytes text) {
    return guarded_scan([&] {
        return looks_like_utf16(text) ? scan_classes(decode_text(text).utf8)
                                      : scan_classes(as_text(text));
    });
}

} // namespace etl::schema
