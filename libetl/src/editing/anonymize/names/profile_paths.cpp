#include "anonymize/names/profile_paths.hpp"

#include "anonymize/names/well_known.hpp"

#include <algorithm>

namespace etl::anonymize {

namespace {

constexpr std::size_t max_name = 64;

bool is_folder_at(Text text, std::size_t at, Text folder) noexcept {
    return at + folder.size() < text.size() && is_slash(text[at + folder.size()]) &&
           equals_folded(text.substr(at, folder.size()), folder);
}

// Where the names of profiles begin when this is the folder of them; 0: it is not.
std::size_t behind_profiles(Text text, std::size_t slash) noexcept {
    constexpr Text folders[] = {u"users", u"documents and settings", u"home"};
    for (const Text folder : folders) {
        if (is_folder_at(text, slash + 1, folder)) {
            return slash + 1 + folder.size() + 1;
        }
    }
    return 0;
}

} // namespace

bool ends_path(char16_t c) noexcept {
    constexpr Text ends = u"\"'<>|*?;,\r\n\t=";
    return c == 0 || ends.find(c) != Text::npos;
}

// Names of profiles may have blanks, but only a slash behind them tells.
Range profile_after(Text text, std::size_t slash) noexcept {
    std::size_t begin = behind_profiles(text, slash);
    if (begin == 0) {
        return {};
    }
    while (begin < text.size() && is_slash(text[begin])) { // escaped ones come in pairs
        ++begin;
    }
    std::size_t end = begin;
    std::size_t blank = Text::npos;
    const std::size_t last = std::min(text.size(), begin + max_name);
    while (end < last && !is_slash(text[end]) && !ends_path(text[end]) && text[end] != u':') {
        blank = is_blank(text[end]) ? std::min(blank, end) : blank;
        ++end;
    }
    const bool goes_on = end < text.size() && is_slash(text[end]);
    return {begin, goes_on || blank == Text::npos ? end : blank};
}

// \Windows\explorer.exe, \SystemRoot\system32\drivers\x.sys
Range windows_file_after(Text text, std::size_t slash) noexcept {
    constexpr Text roots[] = {u"windows", u"winnt", u"systemroot"};
    constexpr Text folders[] = {u"system32", u"syswow64", u"winsxs", u"microsoft.net",
                                u"systemapps"};
    const auto root = std::ranges::find_if(
        roots, [&](Text folder) { return is_folder_at(text, slash + 1, folder); });
    if (root == std::end(roots)) {
        return {};
    }
    std::size_t begin = slash + 1 + root->size() + 1;
    const auto folder =
        std::ranges::find_if(folders, [&](Text name) { return is_folder_at(text, begin, name); });
    std::size_t end = begin;
    while (end < text.size() && !ends_path(text[end]) && text[end] != u':') {
        if (is_slash(text[end])) {
            if (folder == std::end(folders)) {
                return {};
            }
            begin = end + 1;
        }
        ++end;
    }
    const Text name = text.substr(begin, end - begin);
    const std::size_t extension = extension_of(name);
    return {begin, extension < name.size() ? begin + extension : begin};
}

Range mail_around(Text text, std::size_t at) noexcept {
    constexpr std::size_t max_mail = 64;
    const auto in_name = [](char16_t c) {
        return is_wordy(c) || c == u'.' || c == u'-' || c == u'_' || c == u'+';
    };
    std::size_t begin = at;
    while (begin > 0 && at - begin < max_mail && in_name(text[begin - 1])) {
        --begin;
    }
    std::size_t end = at + 1;
    std::size_t dot = 0;
    while (end < text.size() && end - at < 4 * max_mail &&
           (is_wordy(text[end]) || text[end] == u'-' || text[end] == u'.')) {
        const bool ends_label = text[end] == u'.';
        if (ends_label && (end + 1 == text.size() || !is_wordy(text[end + 1]))) {
            break; // of a sentence
        }
        dot = ends_label ? end : dot;
        ++end;
    }
    const Text top = dot == 0 ? Text() : text.substr(dot + 1, end - dot - 1);
    const Text host = text.substr(at + 1, end - at - 1);
    const bool is_file = extension_of(host) < host.size() && !equals_folded(top, u"com");
    const bool is_one = !is_file && begin < at && is_wordy(text[begin]) && at + 1 < text.size() &&
                        is_wordy(text[at + 1]) && top.size() >= 2 &&
                        std::ranges::all_of(top, is_ascii_letter);
    return is_one ? Range{begin, end} : Range{};
}

Range server_after(Text text, std::size_t slash) noexcept {
    const bool begins = text[slash] == u'\\' && slash + 2 < text.size() &&
                        text[slash + 1] == u'\\' && is_wordy(text[slash + 2]) &&
                        (slash == 0 || !(is_wordy(text[slash - 1]) || text[slash - 1] == u':' ||
                                         text[slash - 1] == u'\\'));
    if (!begins) {
        return {};
    }
    std::size_t end = slash + 2;
    while (end < text.size() &&
           (is_wordy(text[end]) || text[end] == u'.' || text[end] == u'-' || text[end] == u'_')) {
        ++end;
    }
    return {slash + 2, end};
}

} // namespace etl::anonymize
