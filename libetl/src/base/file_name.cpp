#include <etl/base/file_name.hpp>
#include <etl/base/text.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace etl {

namespace {

/// Characters that terminals obey, or that change the order in which others are shown, in UTF-8: a
/// first part, and the range of the last byte.
struct Invisible {
    std::string_view before;
    unsigned char first, last;
};

constexpr std::array<Invisible, 7> invisible{{{"", 0x00, 0x1F},
                                              {"", 0x7F, 0x7F},
                                              {"\xC2", 0x80, 0x9F},       // U+0080 to U+009F
                                              {"\xD8", 0x9C, 0x9C},       // U+061C
                                              {"\xE2\x80", 0x8E, 0x8F},   // U+200E, U+200F
                                              {"\xE2\x80", 0xAA, 0xAE},   // U+202A to U+202E
                                              {"\xE2\x81", 0xA6, 0xA9}}}; // U+2066 to U+2069

/// The size of the invisible character that a text begins with; 0: none.
std::size_t invisible_size(std::string_view text) noexcept {
    const auto* const found = std::ranges::find_if(invisible, [&](const Invisible& one) {
        const std::size_t at = one.before.size();
        return text.size() > at && text.starts_with(one.before) &&
               static_cast<unsigned char>(text[at]) >= one.first &&
               static_cast<unsigned char>(text[at]) <= one.last;
    });
    return found == invisible.end() ? 0 : found->before.size() + 1;
}

/// Windows opens these devices, whatever the directory, the case, and the extension are.
bool is_device(std::string_view name) {
    constexpr std::array<std::string_view, 6> devices{"con", "prn",    "aux",
                                                      "nul", "conin$", "conout$"};
    constexpr std::array<std::string_view, 3> superscripts{"\xC2\xB9", "\xC2\xB2", "\xC2\xB3"};
    std::string stem = to_lower_ascii(name.substr(0, name.find('.')));
    stem.erase(stem.find_last_not_of(' ') + 1);
    if (std::ranges::find(devices, stem) != devices.end()) {
        return true;
    }
    const bool is_port = stem.starts_with("com") || stem.starts_with("lpt");
    const std::string_view number = std::string_view(stem).substr(is_port ? 3 : stem.size());
    return (number.size() == 1 && number >= "1" && number <= "9") ||
           std::ranges::find(superscripts, number) != superscripts.end();
}

} // namespace

std::string safe_file_name(std::string_view name) {
    std::string text;
    append_utf8(text, std::as_bytes(std::span(name)));
    std::string safe;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t size = invisible_size(rest);
        const bool is_separator = path_separators_and_drive.contains(rest.front());
        safe.push_back(size != 0 || is_separator ? '_' : rest.front());
        rest.remove_prefix(std::max<std::size_t>(size, 1));
    }
    // An option of a program, or hidden.
    if (safe.starts_with('-') || safe.starts_with('.')) {
        safe.front() = '_';
    }
    // Windows removes these.
    for (auto last = safe.rbegin(); last != safe.rend() && (*last == '.' || *last == ' '); ++last) {
        *last = '_';
    }
    return safe.empty() || is_device(safe) ? safe.insert(0, "_") : safe;
}

} // namespace etl
