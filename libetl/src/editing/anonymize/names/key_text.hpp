// The ASCII form of names. Private to anonymize.
#pragma once

#include "anonymize/limits.hpp"
#include "anonymize/names/units.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace etl::anonymize {

/// The ASCII form of a part of a text, for names.
class KeyText {
public:
    explicit KeyText(Text text) noexcept : size_(std::min(text.size(), limits::key_units)) {
        std::ranges::transform(text.substr(0, size_), letters_.begin(),
                               [](char16_t c) { return c < 0x80 ? static_cast<char>(c) : '?'; });
    }

    std::string_view view() const noexcept { return {letters_.data(), size_}; }

private:
    std::array<char, limits::key_units> letters_{};
    std::size_t size_;
};

} // namespace etl::anonymize
