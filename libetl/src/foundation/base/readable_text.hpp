// Text that fits into a line and is safe for a terminal, and sets of characters.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace etl {

/// Appends the first character of a text that is not empty, escaped if it is unsafe (it controls a
/// terminal, separates lines, is invisible, or changes the direction of text: `\x1b`, `\u{202e}`)
/// or not UTF-8 (`\xff`). Returns the number of its bytes.
std::size_t append_visible_front(std::string& to, std::string_view text);

/// Appends UTF-8 text with unsafe characters escaped (`\n`, `\x1b`, `\u{202e}`), so that it stays
/// on its line and can neither control a terminal nor look like another text.
void append_escaped(std::string& to, std::string_view text);

/// Escapes text that arrives in pieces and is shown on a terminal: as append_escaped(), but lines
/// and tabs stay. One thread.
class VisibleText {
public:
    /// Returns what can be shown, without an incomplete character at the end. Valid until the next
    /// call.
    std::string_view add(std::string_view piece);

    /// Returns the rest: an incomplete character, escaped. Valid until the next call.
    std::string_view finish();

private:
    std::string text_, shown_; // with an incomplete character in front; result
};

/// The same as append_escaped(), in quotes if the text is empty or contains blanks, commas, quotes,
/// or brackets.
void append_readable(std::string& to, std::string_view text);

/// Gives the end of `text`, from `begin` on, the form that append_readable() gives it.
void make_readable(std::string& text, std::size_t begin);

/// A set of 8-bit characters.
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

/// Returns a text whose unsafe characters, line ends, and bytes that are not UTF-8 are escaped as
/// append_visible_front() does.
inline std::string printable(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        text.remove_prefix(append_visible_front(result, text));
    }
    return result;
}

} // namespace etl
