// Regular expressions on UTF-8, ASCII and other case ignored unless `(?-i)`. Immutable; any thread
// may make a matcher of its own. Private to match.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace etl::match {

class Regex {
public:
    /// Errors: what is wrong with the pattern.
    static std::expected<std::shared_ptr<const Regex>, std::string>
    compile(std::string_view pattern);
    ~Regex();
    Regex(const Regex&) = delete;
    Regex& operator=(const Regex&) = delete;

    /// Whether a part of the text matches. Bounded in time and memory: a text that takes more does
    /// not match. Any thread.
    bool finds(std::string_view text) const;

private:
    struct State;
    explicit Regex(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

} // namespace etl::match
