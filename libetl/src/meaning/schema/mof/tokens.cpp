#include "schema/mof/tokens.hpp"

#include "base/text.hpp"
#include "base/trimmed.hpp"

#include <algorithm>
#include <charconv>

namespace etl::schema {

namespace {

constexpr std::size_t most_directives = 100;

bool is_mof_blank(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\x1A'; // 0x1A ends files of DOS
}

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

// Of an identifier; bytes of UTF-8 are letters.
bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & '\x80') != 0;
}

std::optional<std::uint64_t> digits_of(std::string_view digits, int base) noexcept {
    std::uint64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> with_sign(std::optional<std::uint64_t> size, bool negative) noexcept {
    if (!size) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(negative ? std::uint64_t{0} - *size : *size);
}

// A number as the grammar spells it: 0x1F, 017, 101b, 12.
std::optional<std::uint64_t> number_of(std::string_view digits) noexcept {
    if (digits.starts_with("0x") || digits.starts_with("0X")) {
        return digits_of(digits.substr(2), 16);
    }
    if (digits.ends_with('b') || digits.ends_with('B')) {
        return digits_of(digits.substr(0, digits.size() - 1), 2);
    }
    return digits_of(digits, digits.size() > 1 && digits.front() == '0' ? 8 : 10);
}

} // namespace

std::optional<std::int64_t> parse_mof_integer(std::string_view text) noexcept {
    text = trimmed(text);
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) {
        text.remove_prefix(1);
    }
    return with_sign(etl::parse_number(trimmed(text)), negative);
}

MofToken MofTokens::next() {
    MofToken token;
    if (!skip_blanks()) {
        token = {MofToken::Kind::broken, at_, {}, "unterminated comment", {}};
        at_ = text_.size();
        return token;
    }
    token.offset = at_;
    if (at_ == text_.size()) {
        return token;
    }
    const char c = text_[at_];
    if (c == '"' || c == '\'') {
        return string(c);
    }
    const bool is_signed =
        (c == '-' || c == '+') && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
    if (is_digit(c) || is_signed) {
        return number();
    }
    std::size_t end = at_ + 1;
    if (is_letter(c) || c == '$') {
        token.kind = MofToken::Kind::word;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) {
            ++end;
        }
    } else {
        token.kind = MofToken::Kind::punctuation;
    }
    token.spelling = text_.substr(at_, end - at_);
    at_ = end;
    return token;
}

bool MofTokens::skip_blanks() {
    while (at_ < text_.size()) {
        const std::string_view rest = text_.substr(at_);
        if (is_mof_blank(rest.front())) {
            ++at_;
        } else if (rest.front() == '#') {
            skip_directive();
        } else if (rest.starts_with("//")) {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else if (rest.starts_with("/*")) {
            const std::size_t end = text_.find("*/", at_ + 2);
            if (end == text_.npos) {
                return false;
            }
            at_ = end + 2;
        } else {
            break;
        }
    }
    return true;
}

void MofTokens::skip_directive() {
    const std::size_t begin = at_;
    at_ = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(begin + 1, at_ - begin - 1);
    line = trimmed(line);
    if (!equals_ignoring_case(line.substr(0, 6), "pragma") &&
        directives_.size() < most_directives) {
        directives_.push_back(begin);
    }
}

MofToken MofTokens::number() {
    const std::size_t begin = at_;
    const bool has_sign = !is_digit(text_[at_]);
    at_ += has_sign ? 1 : 0;
    while (at_ < text_.size() &&
           (is_digit(text_[at_]) || is_letter(text_[at_]) || text_[at_] == '.')) {
        ++at_;
    }
    MofToken token{MofToken::Kind::number, begin, text_.substr(begin, at_ - begin), {}, {}};
    token.value = with_sign(number_of(token.spelling.substr(has_sign ? 1 : 0)),
                            token.spelling.front() == '-');
    return token;
}

MofToken MofTokens::string(char quote) {
    MofToken token{MofToken::Kind::text, at_, {}, {}, {}};
    ++at_;
    while (at_ < text_.size() && text_[at_] != quote) {
        if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
            unescape(token.text);
            continue;
        }
        const std::size_t end =
            std::min(text_.find_first_of(quote == '"' ? "\"\\" : "'\\", at_ + 1), text_.size());
        token.text.append(text_.substr(at_, end - at_));
        at_ = end;
    }
    if (at_ == text_.size()) {
        return {MofToken::Kind::broken, token.offset, {}, "unterminated string", {}};
    }
    ++at_;
    token.spelling = text_.substr(token.offset, at_ - token.offset);
    return token;
}

// at_ is at a backslash that something follows.
void MofTokens::unescape(std::string& to) {
    const char c = text_[at_ + 1];
    at_ += 2;
    constexpr std::string_view names = "btnfr";
    if (const std::size_t known = names.find(c); known != names.npos) {
        to.push_back("\b\t\n\f\r"[known]);
        return;
    }
    if (c != 'x' && c != 'X') {
        to.push_back(c);
        return;
    }
    std::size_t end = at_;
    while (end < text_.size() && end < at_ + 4 && digits_of(text_.substr(end, 1), 16)) {
        ++end;
    }
    const auto code_point = digits_of(text_.substr(at_, end - at_), 16);
    at_ = end;
    if (code_point) {
        append_code_point(to, static_cast<std::uint32_t>(*code_point));
    }
}

} // namespace etl::schema
