#include "base/text.hpp"
#include "symbols/demangle/rust_name.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace etl::symbols {
namespace {

// Parameters of Punycode, RFC 3492 section 5.
constexpr std::uint32_t digit_count = 36;
constexpr std::uint32_t smallest_threshold = 1;
constexpr std::uint32_t largest_threshold = 26;
constexpr std::uint32_t skew = 38;
constexpr std::uint32_t first_damping = 700;

std::uint32_t adapted_bias(std::uint32_t delta, std::uint32_t points, bool is_first) noexcept {
    delta /= is_first ? first_damping : 2;
    delta += delta / points;
    std::uint32_t steps = 0;
    while (delta > (digit_count - smallest_threshold) * largest_threshold / 2) {
        delta /= digit_count - smallest_threshold;
        steps += digit_count;
    }
    return steps + (digit_count - smallest_threshold + 1) * delta / (delta + skew);
}

// Adds a number of variable length to `index`.
bool take_delta(std::string_view& rest, std::uint32_t bias, std::uint32_t& index) noexcept {
    std::uint64_t sum = index;
    std::uint64_t weight = 1;
    for (std::uint32_t k = digit_count; !rest.empty(); k += digit_count) {
        const char c = rest.front();
        rest.remove_prefix(1);
        const bool is_letter = c >= 'a' && c <= 'z';
        if (!is_letter && (c < '0' || c > '9')) {
            return false;
        }
        const auto digit = static_cast<std::uint32_t>(is_letter ? c - 'a' : c - '0' + 26);
        sum += digit * weight;
        if (sum > std::numeric_limits<std::uint32_t>::max()) {
            return false;
        }
        const std::uint32_t threshold =
            k <= bias ? smallest_threshold
                      : std::clamp(k - bias, smallest_threshold, largest_threshold);
        if (digit < threshold) {
            index = static_cast<std::uint32_t>(sum);
            return true;
        }
        weight *= digit_count - threshold;
        if (weight > std::numeric_limits<std::uint32_t>::max()) {
            return false;
        }
    }
    return false;
}

} // namespace

bool append_punycode(std::string& to, std::string_view stored) {
    constexpr std::size_t most_points = 256; // inserting is quadratic
    const std::size_t separator = stored.rfind('_');
    const bool has_ascii = separator != std::string_view::npos;
    std::string_view rest = has_ascii ? stored.substr(separator + 1) : stored;
    if (stored.size() > most_points || rest.empty()) {
        return false;
    }
    std::vector<std::uint32_t> points;
    if (has_ascii) {
        points.assign(stored.begin(), stored.begin() + static_cast<std::ptrdiff_t>(separator));
    }
    std::uint32_t point = 0x80;
    std::uint32_t bias = 72;
    std::uint32_t index = 0;
    for (bool is_first = true; !rest.empty(); is_first = false) {
        const std::uint32_t before = index;
        if (!take_delta(rest, bias, index)) {
            return false;
        }
        const auto count = static_cast<std::uint32_t>(points.size()) + 1;
        bias = adapted_bias(index - before, count, is_first);
        point += index / count;
        index %= count;
        if (point < 0x80 || point > 0x10FFFF) {
            return false;
        }
        points.insert(points.begin() + index++, point);
    }
    for (const std::uint32_t each : points) {
        append_code_point(to, each);
    }
    return true;
}

} // namespace etl::symbols
