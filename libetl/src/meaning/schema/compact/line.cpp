#include "schema/compact/line.hpp"

#include "base/text.hpp"
#include "schema/clipped.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::schema {

namespace {

constexpr std::string_view marks = "()[]=";
constexpr std::string_view word_ends = " \t()[]=\"#";
constexpr std::size_t quoted_bytes = 100; // of a token in a reason

// Below 0x80 only: other characters need no escape.
std::optional<char> hex_character(std::string_view digits) noexcept {
    if (digits.size() != 2) {
        return std::nullopt;
    }
    unsigned value = 0;
    for (const char c : digits) {
        const std::size_t digit = std::string_view("0123456789abcdef").find(c);
        if (digit == std::string_view::npos) {
            return std::nullopt;
        }
        value = value * 16 + static_cast<unsigned>(digit);
    }
    return value < 0x80 ? std::optional(static_cast<char>(value)) : std::nullopt;
}

} // namespace

std::string_view take_compact_line(std::string_view& text) noexcept {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    return line;
}

CompactLine::CompactLine(std::string_view text, std::size_t number) : text_(text), number_(number) {
    indent_ = std::min(text_.find_first_not_of(' '), text_.size());
    at_ = indent_;
    next();
}

void CompactLine::next() {
    token_.kind = CompactToken::Kind::end;
    token_.text.clear();
    if (error_) {
        return;
    }
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    token_.column = at_ + 1;
    if (at_ == text_.size() || text_[at_] == '#') {
        return;
    }
    if (text_[at_] == '"') {
        read_text();
    } else if (marks.find(text_[at_]) != marks.npos) {
        token_.kind = CompactToken::Kind::mark;
        token_.text = text_[at_++];
    } else {
        const std::size_t end = std::min(text_.find_first_of(word_ends, at_), text_.size());
        token_.kind = CompactToken::Kind::word;
        token_.text = text_.substr(at_, end - at_);
        at_ = end;
    }
}

void CompactLine::read_text() {
    token_.kind = CompactToken::Kind::text;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"' && !error_) {
        if (text_[at_] == '\\') {
            read_escape();
            continue;
        }
        const std::size_t end = std::min(text_.find_first_of("\"\\", at_), text_.size());
        token_.text += text_.substr(at_, end - at_);
        at_ = end;
    }
    if (at_ >= text_.size()) {
        fail("a quote is not closed");
    }
    ++at_;
}

void CompactLine::read_escape() {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    const auto coded = c == 'x' ? hex_character(text_.substr(at_ + 2, 2)) : std::nullopt;
    if (c == '"' || c == '\\') {
        token_.text += c;
        at_ += 2;
    } else if (coded) {
        token_.text += *coded;
        at_ += 4;
    } else {
        fail("not a valid escape (valid: \\\" \\\\ \\x00 to \\x7f)");
    }
}

bool CompactLine::take_mark(char mark) {
    const bool found = token_.is_mark(mark);
    if (found) {
        next();
    }
    return found;
}

bool CompactLine::take_word(std::string_view word) {
    const bool found = token_.is_word(word);
    if (found) {
        next();
    }
    return found;
}

void CompactLine::expect_mark(char mark) {
    if (!take_mark(mark)) {
        fail(fmt::format("expected `{}`", mark));
    }
}

void CompactLine::expect_word(std::string_view word) {
    if (!take_word(word)) {
        fail(fmt::format("expected `{}`", word));
    }
}

std::string CompactLine::name() {
    if (token_.kind != CompactToken::Kind::word && token_.kind != CompactToken::Kind::text) {
        fail("expected a name");
        return {};
    }
    std::string name = std::move(token_.text);
    next();
    return name;
}

std::uint64_t CompactLine::number_up_to(std::uint64_t most) {
    const auto value =
        token_.kind == CompactToken::Kind::word ? etl::parse_number(token_.text) : std::nullopt;
    if (!value || *value > most) {
        fail(fmt::format("expected a number up to {}", most));
        return 0;
    }
    next();
    return *value;
}

void CompactLine::fail(std::string reason) {
    if (error_) {
        return;
    }
    if (!token_.text.empty()) {
        reason += fmt::format(", found `{}`", clipped(token_.text, quoted_bytes));
    }
    error_ = FileError{number_, std::move(reason), token_.column};
    token_.kind = CompactToken::Kind::end;
    token_.text.clear();
}

} // namespace etl::schema
