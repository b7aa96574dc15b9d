// What a field, or a named value in a text, holds. Private to anonymize.
// docs/anonymize.md#fields
#pragma once

#include <cstdint>
#include <string_view>

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

} // namespace etl::anonymize
