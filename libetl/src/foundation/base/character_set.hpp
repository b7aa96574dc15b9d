// A set of 8-bit characters.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace etl {

class CharacterSet {
public:
    constexpr explicit CharacterSet(std::string_view members) {
        for (const char c : members) {
            add(static_cast<unsigned char>(c));
        }
    }

    constexpr CharacterSet& add(unsigned char c) {
        has_[c] = true;
        return *this;
    }

    constexpr bool has(char c) const noexcept { return has_[static_cast<unsigned char>(c)]; }

    /// Returns the position of the first member in `text` from `at` on; the size of the text if it
    /// has none.
    constexpr std::size_t find_in(std::string_view text, std::size_t at = 0) const noexcept {
        while (at < text.size() && !has(text[at])) {
            ++at;
        }
        return at;
    }

private:
    std::array<bool, 256> has_{};
};

} // namespace etl
