#include "base/file_name.hpp"

#include "base/code_points.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace etl {

namespace {

/// Characters that terminals obey, or that change the order in which others are shown. What is only
/// invisible stays: joiners are parts of words.
bool is_unsafe_in_name(std::uint32_t code_point) noexcept {
    const auto is_within = [&](std::uint32_t first, std::uint32_t last) {
        return code_point >= first && code_point <= last;
    };
    return code_point < 0x20 || is_within(0x7F, 0x9F) || code_point == 0x061C ||
           is_within(0x200E, 0x200F) || is_within(0x202A, 0x202E) || is_within(0x2066, 0x2069);
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
        const CodePoint front = front_of_utf8(std::as_bytes(std::span(rest)).data(), rest.size());
        const bool is_separator = path_separators_and_drive.contains(rest.front());
        safe += is_separator || is_unsafe_in_name(front.value) ? "_" : rest.substr(0, front.size);
        rest.remove_prefix(front.size);
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
