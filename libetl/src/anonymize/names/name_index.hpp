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

    bool empty() const noexcept { return names_.empty(); }

private:
    /// Of folded units, so that a part of a text is looked up as it is.
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(Text text) const noexcept;
    };

    struct Equal {
        using is_transparent = void;
        bool operator()(Text a, Text b) const noexcept;
    };

    /// Sizes of names that have something in common, each once, longest first.
    using Sizes = std::vector<std::uint32_t>;

    static void insert(Sizes& sizes, std::size_t size);
    void add(const std::u16string& name, Kind kind);
    /// True for a part of `text` from `at` on that may be a name.
    template <typename Permits>
    Found longest(const Sizes& sizes, Text text, std::size_t at, Permits permits) const noexcept;

    std::set<std::u16string, CaseInsensitiveLess> windows_files_;
    std::unordered_map<std::u16string, Kind, Hash, Equal> names_;
    std::unordered_map<std::uint64_t, Sizes> by_first_word_; // by its hash
    std::unordered_map<std::uint64_t, Sizes> by_beginning_;  // by the first units
};

} // namespace etl::anonymize
