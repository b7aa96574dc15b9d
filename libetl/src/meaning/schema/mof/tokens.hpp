// MOF text cut into words, strings, numbers and punctuation. One thread.
// docs/format/decoding.md#mof-text
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::schema {

struct MofToken {
    enum class Kind : std::uint8_t {
        end,
        word, // identifiers, keywords, $aliases
        text, // a string; neighbours are still apart
        number,
        punctuation, // one character
        broken,      // `text` says why; nothing follows
    };

    Kind kind = Kind::end;
    std::size_t offset = 0;            // in the text that is read
    std::string_view spelling;         // as it stands there
    std::string text;                  // of a string, escapes undone, UTF-8
    std::optional<std::int64_t> value; // of a whole number; above 63 bits it wraps
};

class MofTokens {
public:
    /// `text` is UTF-8 and must outlive this and all tokens.
    explicit MofTokens(std::string_view text) : text_(text) {}

    /// Comments, blanks and lines of the preprocessor are passed over.
    MofToken next();

    /// Where lines of the preprocessor stand that are no #pragma, and may have been meant to do
    /// something; the first few.
    const std::vector<std::size_t>& directives() const noexcept { return directives_; }

private:
    /// False: a comment does not end.
    bool skip_blanks();
    void skip_directive();
    MofToken number();
    MofToken string(char quote);
    void unescape(std::string& to);

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::size_t> directives_;
};

/// Decimal or 0x, with a sign perhaps, blanks around it ignored. Empty: no such number, or beyond
/// 64 bits.
std::optional<std::int64_t> parse_mof_integer(std::string_view text) noexcept;

} // namespace etl::schema
