// Languages by name (`de-AT`) and by Windows number (LANGID), and selection of the best one.
// Immutable; thread-safe. docs/format/decoding.md#cultures
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace etl {

/// Windows' number of a language: primary language in bits 0 to 9, sublanguage above.
using LanguageId = std::uint16_t;

inline constexpr LanguageId neutral_language = 0;

/// Returns `de-AT` for 0x0C07; empty for the neutral language and for unknown numbers.
std::string culture_of(LanguageId language);

/// Returns the number of a culture, ignoring case and accepting `_` for `-`; neutral_language if
/// unknown.
LanguageId language_of(std::string_view culture);

/// Returns whether a name has the form of a culture: groups of 1 to 8 letters and digits, joined by
/// `-` or `_`, the first with two or three letters. Directories of .mui files have such names.
bool is_culture_name(std::string_view name) noexcept;

/// The search order for texts: the requested culture, its parents (`de-AT`, `de`), other cultures
/// of its language, the neutral language, en-US, en, other English cultures, then the first
/// available.
class CultureChain {
public:
    /// If `wanted` is empty, en-US is used.
    explicit CultureChain(std::string_view wanted);

    /// Returns the rank of a culture: 0 is best. An empty name is the neutral language.
    std::size_t rank(std::string_view culture) const noexcept;
    std::size_t rank(LanguageId language) const;

    /// Returns the cultures searched by name, best first, for use as directory names.
    std::span<const std::string> names() const noexcept { return names_; }

private:
    std::vector<std::string> names_; // requested culture, its parents, en-US, en; no duplicates
    std::size_t own_ = 0;            // number of entries for the requested culture and its parents
};

} // namespace etl
