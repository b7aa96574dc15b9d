// Text that may go to a terminal or into a table. Private to sink.
#pragma once

#include <etl/base/bytes.hpp>

#include <array>
#include <string>
#include <string_view>

namespace etl::sink {

/// A set of characters, asked once for each character of a text.
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

    /// The place of the first member in `text` from `at` on; the text's size when there is none.
    constexpr std::size_t find_in(std::string_view text, std::size_t at = 0) const noexcept {
        while (at < text.size() && !has_[static_cast<unsigned char>(text[at])]) {
            ++at;
        }
        return at;
    }

private:
    std::array<bool, 256> has_{};
};

/// Appends text with its control characters escaped, so that it stays on its line and gives a
/// terminal no orders.
void append_escaped(std::string& to, std::string_view text);

/// The same, in quotes when it is empty or holds blanks, quotes or brackets.
void append_readable(std::string& to, std::string_view text);

/// Appends hex digits; of more than 32 bytes those at the front, and how many there are.
void append_shortened(std::string& to, Bytes bytes);

} // namespace etl::sink
