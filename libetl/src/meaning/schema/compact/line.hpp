// One line of the compact form as names, numbers, and marks. One thread. schemas/README.md
#pragma once

#include "schema/schema_set.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace etl::schema {

/// Takes the next line off a text, without its end.
std::string_view take_compact_line(std::string_view& text) noexcept;

/// The next piece of a line.
struct CompactToken {
    enum class Kind : std::uint8_t {
        end,  // of the line, or a comment
        word, // without quotes
        text, // in quotes; escapes are replaced
        mark, // one of ()[]=
    };

    Kind kind = Kind::end;
    std::string text;
    std::size_t column = 1; // in bytes

    bool is_mark(char mark) const noexcept { return kind == Kind::mark && text[0] == mark; }

    bool is_word(std::string_view word) const noexcept {
        return kind == Kind::word && text == word;
    }
};

/// After the first failure every function returns defaults, and at_end() is true.
class CompactLine {
public:
    /// `text` is one line without its end, and must outlive this.
    CompactLine(std::string_view text, std::size_t number);

    std::size_t indent() const noexcept { return indent_; }

    bool at_end() const noexcept { return token_.kind == CompactToken::Kind::end; }

    const CompactToken& token() const noexcept { return token_; }

    void next();

    bool take_mark(char mark);
    bool take_word(std::string_view word);
    void expect_mark(char mark);
    void expect_word(std::string_view word);

    /// A word or a text.
    std::string name();

    template <typename Value>
    Value number() {
        return static_cast<Value>(number_up_to(std::numeric_limits<Value>::max()));
    }

    /// Keeps the first reason, with the place of the current token.
    void fail(std::string reason);

    const std::optional<FileError>& error() const noexcept { return error_; }

private:
    std::uint64_t number_up_to(std::uint64_t most);
    void read_text();
    void read_escape();

    std::string_view text_;
    std::size_t number_;
    std::size_t indent_ = 0;
    std::size_t at_ = 0;
    CompactToken token_;
    std::optional<FileError> error_;
};

} // namespace etl::schema
