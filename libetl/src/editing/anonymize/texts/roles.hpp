// What a field, or a named value in a text, holds. Private to anonymize.
// docs/anonymize.md#fields
#pragma once

#include "anonymize/names/units.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace etl::anonymize {

/// What a field holds.
enum class Role : std::uint8_t {
    nothing, // that could be private
    text,    // anything: what stands within is looked for
    version, // likewise, but numbers with dots are no addresses
    user,
    computer,
    command_line,
    script, // of any language
    path,
    registry, // a path of keys, or the name of a key or value
    url,
    secret,         // nothing of it stays
    phone,          // its digits
    account_number, // likewise
    title,          // of a window
    sid,
    ipv4,
    ipv6,
    socket_address,
    mac,
    mac_in_number, // its bytes from the lowest on
    secret_number, // its decimal digits
    address,       // binary: by its size
    binary,        // that nobody can look into
};

/// What the rewriter knows; the others are binary, or nothing.
constexpr bool is_text(Role role) noexcept {
    return role >= Role::text && role <= Role::title;
}

/// What a text field of this name holds; `otherwise` if the name does not say.
Role role_of_text(std::string_view name, Role otherwise) noexcept;

// What the names of values tell of the values. docs/anonymize.md#secrets

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
