// Which providers a manifest defines, without parsing it: a catalog asks this of hundreds of files.
#include "base/text.hpp"
#include "base/trimmed.hpp"
#include "schema/file_text.hpp"
#include "schema/manifest.hpp"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace etl::schema {

namespace {

constexpr std::string_view element = "provider";
constexpr std::size_t longest_tag = 64U << 10U; // no real one has 1 KB

// XML begins with `<`, after blanks perhaps. Looks at the first bytes only.
bool looks_like_xml(Bytes file) noexcept {
    const Bytes head = clamped(file, 0, 64);
    for (const std::byte byte : head) {
        switch (std::to_integer<unsigned>(byte)) {
        case '<':
            return true;
        case 0:
        case 0xFE:
        case 0xFF:
        case 0xEF:
        case 0xBB:
        case 0xBF:
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            break;
        default:
            return false;
        }
    }
    return false;
}

bool is_utf16(Bytes file) noexcept {
    const Bytes head = clamped(file, 0, 2);
    return head.size() == 2 && (head[0] == std::byte{0xFF} || head[0] == std::byte{0xFE} ||
                                head[0] == std::byte{0} || head[1] == std::byte{0});
}

// `at` is where "provider" begins: true when that is the local name of an opening tag.
bool opens_element(std::string_view text, std::size_t at) noexcept {
    const std::size_t end = at + element.size();
    if (at == 0 || end >= text.size() || blanks.find(text[end]) == blanks.npos) {
        return false;
    }
    std::size_t before = at - 1;
    if (text[before] == ':') {
        before = text.find_last_of("< \t\r\n\"'=>", before);
        return before != text.npos && text[before] == '<';
    }
    return text[before] == '<';
}

// The GUID of a tag's `guid` attribute; `tag` begins behind the element's name.
std::optional<Guid> guid_of_tag(std::string_view tag) noexcept {
    constexpr std::string_view name = "guid";
    for (std::size_t at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
        if (blanks.find(tag[at - 1]) == blanks.npos) {
            continue; // the end of another name
        }
        std::size_t next = tag.find_first_not_of(blanks, at + name.size());
        if (next == tag.npos || tag[next] != '=') {
            continue;
        }
        next = tag.find_first_not_of(blanks, next + 1);
        if (next == tag.npos || (tag[next] != '"' && tag[next] != '\'')) {
            continue;
        }
        const std::size_t end = tag.find(tag[next], next + 1);
        const std::string_view value = tag.substr(next + 1, end == tag.npos ? 0 : end - next - 1);
        if (const auto guid = parse_guid(trimmed(value))) {
            return guid;
        }
    }
    return std::nullopt;
}

std::vector<Guid> scan_text(std::string_view text) {
    const std::boyer_moore_horspool_searcher search(element.begin(), element.end());
    std::vector<Guid> guids;
    std::unordered_set<Guid> seen;
    for (auto hit = text.begin(); hit != text.end();) {
        hit = std::search(hit, text.end(), search);
        if (hit == text.end()) {
            break;
        }
        const auto at = static_cast<std::size_t>(hit - text.begin());
        hit += static_cast<std::ptrdiff_t>(element.size());
        if (!opens_element(text, at)) {
            continue;
        }
        std::string_view tag = text.substr(at + element.size(), longest_tag);
        tag = tag.substr(0, tag.find('<'));
        const auto guid = guid_of_tag(tag);
        if (guid && seen.insert(*guid).second) {
            guids.push_back(*guid);
        }
    }
    return guids;
}

} // namespace

std::vector<Guid> scan_manifest_providers(Bytes text) {
    if (!looks_like_xml(text)) {
        return {};
    }
    return is_utf16(text) ? scan_text(decode_text(text).utf8) : scan_text(as_text(text));
}

} // namespace etl::schema
