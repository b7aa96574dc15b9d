// Regular expressions of ICU on UTF-8; case is ignored unless the expression begins with `(?-i)`.
// Immutable and thread-safe. docs/filters.md#values
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace etl::match {

class Regex {
public:
    /// Compiles an expression. Errors: what is wrong with it, and where.
    static std::expected<std::shared_ptr<const Regex>, std::string>
    compile(std::string_view pattern);
    ~Regex();
    Regex(const Regex&) = delete;
    Regex& operator=(const Regex&) = delete;

    /// Returns whether a part of the text matches. Time and memory are bounded: a text that takes
    /// more does not match.
    bool finds(std::string_view text) const;

private:
    struct State;
    explicit Regex(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

} // namespace etl::match
