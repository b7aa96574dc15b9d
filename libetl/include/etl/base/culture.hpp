// Languages by name (`de-AT`) and by Windows' number (LANGID), and which of several to take.
// Immutable; any thread. docs/format/decoding.md#cultures
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

/// Windows' number of a language: primary language in bits 0-9, sublanguage above.
using LanguageId = std::uint16_t;

inline constexpr LanguageId neutral_language = 0;

/// `de-AT` for 0x0C07; empty for the neutral language and for numbers that mean nothing.
std::string culture_of(LanguageId language);

/// The number of a culture, case and `_` for `-` ignored; neutral_language when there is none.
LanguageId language_of(std::string_view culture);

/// Whether a name has the shape of a culture: letters and digits in groups of one to eight, joined
/// by `-` or `_`, the first of two or three letters. What folders of .mui files are called.
bool is_culture_name(std::string_view name) noexcept;

/// The order in which one looks for texts: the culture asked for, its parents (`de-AT`, `de`), any
/// other of its language, what has no language at all, en-US, en, any other English, the first that
/// there is.
class CultureChain {
public:
    /// `wanted` empty: as en-US.
    explicit CultureChain(std::string_view wanted);

    /// How good a culture is: 0 is best, equal ones are equally good. An empty name is that of the
    /// neutral language.
    std::size_t rank(std::string_view culture) const noexcept;
    std::size_t rank(LanguageId language) const;

    /// The cultures that are looked for by name, best first: what to call folders.
    std::span<const std::string> names() const noexcept { return names_; }

private:
    std::vector<std::string> names_; // wanted, its parents, en-US, en; none twice
    std::size_t own_ = 0;            // how many of them are the wanted one and its parents
};

} // namespace etl
