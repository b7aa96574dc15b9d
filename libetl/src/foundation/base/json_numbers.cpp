#include "base/json_numbers.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>

namespace etl {

namespace {

bool is_of_number(char c) noexcept {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/// Integers that need no quotes.
class Range {
public:
    explicit Range(std::uint64_t largest) noexcept
        : largest_(largest), digits_(std::to_string(largest).size()),
          of_negative_(largest == std::numeric_limits<std::int64_t>::max() ? largest + 1
                                                                           : largest) {}

    bool has(std::string_view number) const noexcept {
        if (number.size() < digits_ || number.find_first_of(".eE") != number.npos) {
            return true;
        }
        const bool is_negative = number.front() == '-';
        number.remove_prefix(is_negative ? 1 : 0);
        std::uint64_t magnitude = 0;
        const auto [end, code] =
            std::from_chars(number.data(), number.data() + number.size(), magnitude);
        return code == std::errc{} && magnitude <= (is_negative ? of_negative_ : largest_);
    }

private:
    std::uint64_t largest_;
    std::size_t digits_; // shorter numbers are smaller
    std::uint64_t of_negative_;
};

/// Returns the end of the text whose quote is at `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) noexcept {
    for (++at; at < json.size() && json[at] != '"'; ++at) {
        at += json[at] == '\\' ? 1U : 0U;
    }
    return std::min(at + 1, json.size());
}

} // namespace

void quote_large_integers(std::string& json, std::size_t begin, std::uint64_t largest) {
    const Range range(largest);
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
            if (!range.has(std::string_view(json).substr(first, at - first))) {
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
