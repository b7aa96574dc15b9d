#include <etl/base/json_numbers.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <system_error>

namespace etl {

namespace {

bool is_of_number(char c) noexcept {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

bool is_large(std::string_view number, std::uint64_t largest) noexcept {
    constexpr std::size_t fewest_digits = 16; // of a number beyond 2^53
    if (number.size() < fewest_digits || number.find_first_of(".eE") != number.npos) {
        return false;
    }
    number.remove_prefix(number.front() == '-' ? 1 : 0);
    std::uint64_t magnitude = 0;
    const auto [end, code] =
        std::from_chars(number.data(), number.data() + number.size(), magnitude);
    return code != std::errc{} || magnitude > largest;
}

/// Returns the end of the text whose quote is at `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) noexcept {
    for (++at; at < json.size() && json[at] != '"'; ++at) {
        at += json[at] == '\\' ? 1U : 0U;
    }
    return std::min(at + 1, json.size());
}

} // namespace

void quote_large_integers(std::string& json, std::size_t begin, std::uint64_t largest) {
    std::string quoted;
    std::size_t kept = begin; // up to here, `quoted` has what is before
    for (std::size_t at = begin; at < json.size();) {
        if (json[at] == '"') {
            at = end_of_text(json, at);
        } else if (json[at] == '-' || (json[at] >= '0' && json[at] <= '9')) {
            const std::size_t first = at;
            while (at < json.size() && is_of_number(json[at])) {
                ++at;
            }
            if (is_large(std::string_view(json).substr(first, at - first), largest)) {
                quoted.append(json, kept, first - kept).append(1, '"');
                quoted.append(json, first, at - first).append(1, '"');
                kept = at;
            }
        } else {
            ++at;
        }
    }
    if (kept != begin) {
        quoted.append(json, kept);
        json.replace(begin, json.npos, quoted);
    }
}

} // namespace etl
