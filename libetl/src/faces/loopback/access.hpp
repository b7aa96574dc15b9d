// Access: the secrets by which a server knows its page. Free of ETW terms.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace etl::loopback {

/// A token, which the address of the page contains after `#`, and a key, which the page gets for
/// it and sends with each request. Thread-safe.
class Access {
public:
    /// Both are 256 random bits.
    Access();

    /// In hexadecimal.
    const std::string& token() const noexcept { return token_; }

    /// Returns the key for the token; nothing: it is not the token.
    std::optional<std::string> enter(std::string_view token) const;

    /// Whether this is the key. The time it takes does not depend on where it differs.
    bool admits(std::string_view key) const noexcept;

private:
    std::string token_, key_;
};

/// Whether texts are equal, in a time that depends on their lengths alone.
bool is_equal_in_constant_time(std::string_view one, std::string_view other) noexcept;

} // namespace etl::loopback
