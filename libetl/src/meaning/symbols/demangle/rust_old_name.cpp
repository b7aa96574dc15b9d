#include "base/text.hpp"
#include "symbols/demangle/limits.hpp"
#include "symbols/demangle/rust_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace etl::symbols {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 8> rust_escapes{{{"SP", '@'},
                                                                         {"BP", '*'},
                                                                         {"RF", '&'},
                                                                         {"LT", '<'},
                                                                         {"GT", '>'},
                                                                         {"LP", '('},
                                                                         {"RP", ')'},
                                                                         {"C", ','}}};

bool is_hexadecimal(std::string_view text) noexcept {
    return !text.empty() && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Appends what is between two `$`.
bool append_rust_escape(std::string& to, std::string_view code) {
    const auto* known =
        std::ranges::find(rust_escapes, code, [](const auto& escape) { return escape.first; });
    if (known != rust_escapes.end()) {
        to += known->second;
        return true;
    }
    const std::string_view digits = code.substr(std::min<std::size_t>(1, code.size()));
    if (!code.starts_with('u') || digits.size() > 6 || !is_hexadecimal(digits)) {
        return false;
    }
    std::uint32_t point = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), point, 16);
    append_code_point(to, point);
    return true;
}

bool append_old_identifier(std::string& to, std::string_view text) {
    if (text.starts_with("_$")) { // so that it begins with a letter
        text.remove_prefix(1);
    }
    while (!text.empty()) {
        if (text.starts_with("..")) {
            to += "::";
            text.remove_prefix(2);
        } else if (text.front() != '$') {
            to += text.front();
            text.remove_prefix(1);
        } else {
            const std::size_t end = text.find('$', 1);
            if (end == std::string_view::npos || !append_rust_escape(to, text.substr(1, end - 1))) {
                return false;
            }
            text.remove_prefix(end + 1);
        }
    }
    return true;
}

// Takes the length of an identifier and the identifier.
std::string_view take_old_identifier(std::string_view& rest) noexcept {
    std::size_t length = 0;
    const char* const begin = rest.data();
    const auto [end, error] = std::from_chars(begin, begin + rest.size(), length);
    const auto digits = static_cast<std::size_t>(end - begin);
    if (error != std::errc{} || length == 0 || length > rest.size() - digits) {
        return {};
    }
    const std::string_view text = rest.substr(digits, length);
    rest.remove_prefix(digits + length);
    return text;
}

} // namespace

std::size_t append_old_rust_name(std::string& to, std::string_view name) {
    const std::size_t start = to.size();
    std::string_view rest = name;
    while (true) {
        const std::string_view text = take_old_identifier(rest);
        if (text.empty()) {
            return 0;
        }
        if (rest.starts_with('E')) { // Other languages have no hash at the end.
            const bool is_hash =
                text.size() == 17 && text.front() == 'h' && is_hexadecimal(text.substr(1));
            return is_hash && to.size() > start ? name.size() - rest.size() + 1 : 0;
        }
        to += to.size() > start ? "::" : "";
        if (!append_old_identifier(to, text)) {
            return 0;
        }
    }
}

} // namespace etl::symbols
