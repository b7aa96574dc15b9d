// Notations in text: a scanner that takes numbers and words from the front, and internet addresses.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace etl {

/// Takes a text from front to back, for base and encode. After a failure all that follows fails.
class TextScanner {
public:
    explicit TextScanner(std::string_view text) noexcept : left_(text) {}

    bool is_at_end() const noexcept { return left_.empty(); }

    bool take(std::string_view text) noexcept {
        const bool is_there = left_.starts_with(text);
        left_.remove_prefix(is_there ? text.size() : 0);
        return is_there;
    }

    std::optional<std::uint64_t> number(std::uint64_t max, int base = 10) noexcept {
        std::uint64_t value = 0;
        const char* const end = left_.data() + left_.size();
        const auto [at, error] = std::from_chars(left_.data(), end, value, base);
        if (error != std::errc{} || value > max) {
            return std::nullopt;
        }
        left_.remove_prefix(static_cast<std::size_t>(at - left_.data()));
        return value;
    }

    std::string_view digits() noexcept {
        const std::string_view taken =
            left_.substr(0, std::min(left_.find_first_not_of("0123456789"), left_.size()));
        left_.remove_prefix(taken.size());
        return taken;
    }

private:
    std::string_view left_;
};

// Parsing of internet addresses. Each function writes to `to` and returns the end of the output;
// null if the text is not such an address (the output is then undefined). Pure; thread-safe.

/// Parses `10.0.0.1`: four bytes.
std::byte* put_ipv4(std::byte* to, std::string_view text) noexcept;

/// Parses all notations of RFC 4291: sixteen bytes.
std::byte* put_ipv6(std::byte* to, std::string_view text) noexcept;

} // namespace etl
