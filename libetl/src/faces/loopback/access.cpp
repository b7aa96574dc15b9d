#include "loopback/access.hpp"

#include <cstdint>
#include <random>

namespace etl::loopback {

namespace {

std::string random_text() {
    constexpr int words = 8; // of 32 bits
    constexpr std::string_view digits = "0123456789abcdef";
    std::random_device random; // of the system
    std::string text;
    for (int i = 0; i < words; ++i) {
        std::uint32_t word = random();
        for (unsigned digit = 0; digit < 2 * sizeof word; ++digit) {
            text += digits[word & 0xFU];
            word >>= 4U;
        }
    }
    return text;
}

} // namespace

Access::Access() : token_(random_text()), key_(random_text()) {}

std::optional<std::string> Access::enter(std::string_view token) const {
    return is_equal_in_constant_time(token, token_) ? std::optional(key_) : std::nullopt;
}

bool Access::admits(std::string_view key) const noexcept {
    return is_equal_in_constant_time(key, key_);
}

bool is_equal_in_constant_time(std::string_view one, std::string_view other) noexcept {
    unsigned difference = one.size() == other.size() ? 0 : 1;
    for (std::size_t i = 0; i < one.size() && i < other.size(); ++i) {
        difference |= static_cast<unsigned>(one[i]) ^ static_cast<unsigned>(other[i]);
    }
    return difference == 0;
}

} // namespace etl::loopback
