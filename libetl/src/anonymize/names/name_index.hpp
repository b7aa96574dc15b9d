// Learned names, found where they stand as whole words in any text. Private to anonymize.
// docs/anonymize.md#names
#pragma once

#include <etl/anonymize/anonymize.hpp>

#include "anonymize/names/units.hpp"

#include <unordered_map>
#include <vector>

namespace etl::anonymize {

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

    bool empty() const noexcept { return by_first_word_.empty(); }

private:
    struct Name {
        std::u16string text;
        Kind kind = Kind::user;
    };

    using Names = std::vector<Name>; // longest first

    static void insert(Names& names, const Name& name, std::size_t most);
    void add(const std::u16string& name, Kind kind);

    std::set<std::u16string, CaseInsensitiveLess> windows_files_;
    std::unordered_map<std::uint64_t, Names> by_first_word_; // by its hash
    std::unordered_map<std::uint64_t, Names> by_beginning_;  // by the first units
};

} // namespace etl::anonymize
