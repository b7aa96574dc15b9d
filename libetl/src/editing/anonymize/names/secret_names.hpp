// Names of fields, and of values in texts, that say that a value is a secret or a phone number.
// Private to anonymize. docs/anonymize.md#secrets
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace etl::anonymize {

/// A name in lowercase words: `x-apiKey2` is x, api, key; `HTTPToken` is http, token. Of a name
/// that is too long, the end.
class NameWords {
public:
    explicit NameWords(std::string_view name) noexcept;

    /// All letters, without what separates the words.
    std::string_view letters() const noexcept { return {letters_.data(), size_}; }

    std::size_t count() const noexcept { return count_; }

    /// The words from `first` to before `last`, which follow each other.
    std::string_view between(std::size_t first, std::size_t last) const noexcept {
        return letters().substr(ends_[first], ends_[last] - ends_[first]);
    }

private:
    static constexpr std::size_t max_letters = 128, max_words = 32;

    std::array<char, max_letters> letters_{};
    std::array<std::size_t, max_words + 1> ends_{}; // of each word, after a 0
    std::size_t size_ = 0, count_ = 0;
};

/// `user_password`, `PwdHash`, `x-api-key`, but not `TokenElevationType`.
bool is_secret_name(const NameWords& name) noexcept;

/// Likewise, for the name of a value in a text: also `sig`.
bool is_secret_key(const NameWords& name) noexcept;

/// Likewise, for a parameter in the query of a URL: `code`, `key`.
bool is_secret_parameter(const NameWords& name) noexcept;

/// `Pin`, `cvv`: secrets with few digits.
bool is_secret_code(const NameWords& name) noexcept;

/// `CardNumber`, `HomePhone`, and the codes: a number field of this name is private.
bool is_secret_number(const NameWords& name) noexcept;

/// `HomePhone`, `phone_number`, but not `PhoneType`.
bool is_phone_name(const NameWords& name) noexcept;

/// The name of a header that has only a secret in its line.
bool is_secret_header(const NameWords& name) noexcept;

} // namespace etl::anonymize
