// What the names of values tell of the values. Private to anonymize. docs/anonymize.md#secrets
#pragma once

#include "anonymize/names/units.hpp"
#include "anonymize/texts/roles.hpp"

#include <string>
#include <vector>

namespace etl::anonymize {

/// What is searched for: all, or only what random bytes do not contain by chance.
enum class Search : std::uint8_t { text, bytes };

/// What the name of a value in a text tells of the value.
struct ValueRole {
    Role role = Role::nothing;
    bool is_code = false; // a secret with few digits
};

/// Looks names up, and keeps what it found for the latest ones: names come again and again, and a
/// look at all lists takes microseconds. One thread.
class KeyRoles {
public:
    /// `is_named`: also names that are words of a sentence if a colon follows.
    ValueRole of(Text name, bool is_named, Search search);

private:
    struct Kept {
        std::u16string name;
        bool is_named = false;
        Search search = Search::text;
        ValueRole key;
    };

    static constexpr std::size_t places = 1024;

    std::vector<Kept> kept_ = std::vector<Kept>(places);
};

} // namespace etl::anonymize
