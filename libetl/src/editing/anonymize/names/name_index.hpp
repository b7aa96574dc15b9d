// Learned names, found where they stand as whole words in any text. Private to anonymize.
// docs/anonymize.md#names
#pragma once

#include "anonymize/anonymize.hpp"
#include "anonymize/names/units.hpp"

#include <unordered_map>
#include <vector>

namespace etl::anonymize {

/// How a name stands in a text, whose case is folded accordingly.
enum class Encoding : std::uint8_t { utf16, utf8 };

/// Immutable; any thread.
class NameIndex {
public:
    explicit NameIndex(const anonymize::Names& names);

    struct Found {
        std::size_t size = 0; // units; 0: none
        Kind kind = Kind::user;
    };

    /// The longest name that stands in `text` from `at` on, where a word begins, and is followed by
    /// no letter or digit.
    Found at(Text text, std::size_t at) const noexcept;

    /// The longest name that stands in `text` from `at` on, whatever surrounds it. Short names are
    /// not found: they stand there by chance.
    Found within_word(Text text, std::size_t at) const noexcept;

    /// Files that stay.
    const std::set<std::u16string, CaseInsensitiveLess>& windows_files() const noexcept {
        return windows_files_;
    }

    bool empty() const noexcept { return utf16_.names.empty(); }

private:
    struct Name {
        std::u16string text; // folded
        Kind kind = Kind::user;
    };

    /// Sizes of names that begin alike, ascending.
    using Sizes = std::vector<std::uint32_t>;

    /// The names as they stand in texts of one encoding. Keys are hashes of folded units.
    struct Forms {
        std::unordered_map<std::uint64_t, std::vector<Name>> names;
        std::unordered_map<std::uint64_t, Sizes> by_first_word;
        std::unordered_map<std::uint64_t, Sizes> by_beginning; // by the first units
    };

    void add(Text name, Kind kind);
    template <Encoding encoding>
    void add_form(Text form, Kind kind, Forms& to);
    template <Encoding encoding>
    Found whole_word(const Forms& forms, Text text) const noexcept;
    template <Encoding encoding>
    Found anywhere(const Forms& forms, Text text) const noexcept;
    template <Encoding encoding, typename Permits>
    Found longest(const Forms& forms, const Sizes& sizes, Text text,
                  Permits permits) const noexcept;

    std::uint64_t seed_; // so that nobody can compute names that collide
    std::set<std::u16string, CaseInsensitiveLess> windows_files_;
    Forms utf16_, utf8_; // utf8_: of names that are not ASCII
};

} // namespace etl::anonymize
