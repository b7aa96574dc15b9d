#include "schema/mof_syntax.hpp"

#include "base/text.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace etl::schema {

namespace {

constexpr std::size_t max_directives = 100;

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
    if (!equals_ignoring_case(line.substr(0, 6), "pragma") && directives_.size() < max_directives) {
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

namespace {

using Kind = MofToken::Kind;

// Of one class or property, which is searched for each; real ones have up to 15.
constexpr std::size_t max_qualifiers = 64;

/// Recursive descent without recursion: classes hold properties, and nothing nests deeper but what
/// is passed over.
class Parser {
public:
    Parser(std::string_view text, MofReading& reading) : tokens_(text), reading_(reading) {
        advance();
    }

    std::expected<std::vector<MofClass>, FileError> run() {
        std::vector<MofClass> classes;
        while (token_.kind != Kind::end && !error_) {
            declaration(classes);
        }
        for (const std::size_t offset : tokens_.directives()) {
            reading_.note(offset, "ignored a preprocessor line");
        }
        if (error_) {
            return std::unexpected(std::move(*error_));
        }
        return classes;
    }

private:
    void declaration(std::vector<MofClass>& classes) {
        MofQualifiers list = qualifiers();
        const std::size_t offset = token_.offset;
        if (accept_word("class")) {
            reading_.charge(sizeof(MofClass) + list.size() * sizeof(MofQualifier));
            classes.push_back({std::move(list), {}, {}, {}, offset});
            class_body(classes.back());
        } else if (accept_word("instance")) {
            reading_.note(offset, "ignored an instance");
            skip_statement();
        } else if (accept_word("qualifier")) {
            skip_statement();
        } else if (!accept(";")) {
            reject("a class");
        }
        if (reading_.exhausted()) {
            fail(offset,
                 fmt::format("its schemas exceed {} MB", limits::manifest_schema_bytes >> 20U));
        }
    }

    void class_body(MofClass& made) {
        made.offset = token_.offset;
        made.name = word("the name of a class");
        if (accept_word("as")) {
            word("an alias");
        }
        if (accept(":")) {
            made.base = word("the name of a base class");
        }
        if (accept("{")) {
            while (!error_ && !accept("}")) {
                feature(made);
            }
        }
        accept(";");
    }

    // A property, or a method, which is passed over.
    void feature(MofClass& made) {
        MofProperty property;
        property.qualifiers = qualifiers();
        property.type = word("the type of a property");
        if (equals_ignoring_case(property.type, "object") && accept(":")) {
            property.type = word("the class of an object");
        }
        accept_word("ref");
        property.offset = token_.offset;
        property.name = word("the name of a property");
        if (token_.spelling == "(") {
            skip_statement();
            return;
        }
        if (accept("[")) {
            property.is_array = true;
            if (token_.kind == Kind::number) {
                property.array_size = token_.value;
                advance();
            }
            expect("]");
        }
        if (token_.spelling == "=") {
            skip_statement();
        } else {
            expect(";");
        }
        reading_.charge(sizeof(MofProperty) + property.qualifiers.size() * sizeof(MofQualifier));
        if (!reading_.exhausted()) {
            made.properties.push_back(std::move(property));
        } else {
            fail(property.offset, "too large");
        }
    }

    MofQualifiers qualifiers() {
        MofQualifiers list;
        while (accept("[")) {
            do {
                if (reading_.exhausted()) {
                    return list;
                }
                MofQualifier next = qualifier();
                if (list.size() < max_qualifiers) {
                    list.push_back(std::move(next));
                }
            } while (!error_ && accept(","));
            expect("]");
        }
        return list;
    }

    MofQualifier qualifier() {
        MofQualifier made;
        made.offset = token_.offset;
        made.name = word("the name of a qualifier");
        if (token_.spelling == "(" || token_.spelling == "{") {
            values(made.values);
        }
        if (accept(":")) {
            while (token_.kind == Kind::word) {
                advance(); // flavors say how WMI hands the qualifier on
            }
        }
        return made;
    }

    // In parentheses, braces, or braces within parentheses.
    void values(std::vector<MofValue>& list) {
        std::size_t depth = 0;
        do {
            if (token_.spelling == "(" || token_.spelling == "{") {
                ++depth;
                advance();
            } else if (token_.spelling == ")" || token_.spelling == "}") {
                --depth;
                advance();
            } else if (!accept(",")) {
                list.push_back(value());
                reading_.charge(sizeof(MofValue) + list.back().text.size());
            }
        } while (depth > 0 && !error_ && !reading_.exhausted());
    }

    MofValue value() {
        MofValue made;
        if (token_.kind == Kind::text) {
            while (token_.kind == Kind::text && !error_) {
                made.text += token_.text; // neighbours are one
                advance();
            }
        } else if (token_.kind == Kind::number) {
            made.number = token_.value;
            made.text = token_.spelling;
            advance();
        } else {
            made.text = word("a value");
        }
        return made;
    }

    /// Up to the semicolon or the closing brace that is inside of no braces or parentheses; not
    /// past the brace that closes what is around.
    void skip_statement() {
        std::size_t depth = 0;
        while (token_.kind != Kind::end && !error_) {
            const std::string_view spelling =
                token_.kind == Kind::punctuation ? token_.spelling : std::string_view{};
            if (spelling == "}" && depth == 0) {
                return;
            }
            if (spelling == "{" || spelling == "(") {
                ++depth;
            } else if ((spelling == "}" || spelling == ")") && depth > 0) {
                --depth;
            }
            advance();
            if (depth == 0 && (spelling == ";" || (spelling == "}" && token_.spelling != ";"))) {
                return;
            }
        }
    }

    std::string_view word(std::string_view what) {
        const std::string_view spelling = token_.spelling;
        if (token_.kind == Kind::word) {
            advance();
            return spelling;
        }
        reject(what);
        return {};
    }

    bool accept(std::string_view punctuation) {
        const bool is_there =
            token_.kind == Kind::punctuation && token_.spelling == punctuation && !error_;
        if (is_there) {
            advance();
        }
        return is_there;
    }

    bool accept_word(std::string_view keyword) {
        const bool is_there =
            token_.kind == Kind::word && equals_ignoring_case(token_.spelling, keyword) && !error_;
        if (is_there) {
            advance();
        }
        return is_there;
    }

    void expect(std::string_view punctuation) {
        if (!accept(punctuation)) {
            reject(fmt::format("`{}`", punctuation));
        }
    }

    void reject(std::string_view expected) {
        fail(token_.offset,
             token_.kind == Kind::end
                 ? fmt::format("expected {}, found the end", expected)
                 : fmt::format("found `{}`, expected {}", clipped(token_.spelling, 40), expected));
    }

    void fail(std::size_t offset, std::string why) {
        if (!error_) {
            error_ = reading_.error(offset, std::move(why));
        }
    }

    void advance() {
        if (error_) {
            token_ = {};
            return;
        }
        token_ = tokens_.next();
        if (token_.kind == Kind::broken) {
            fail(token_.offset, token_.text);
        }
    }

    MofTokens tokens_;
    MofReading& reading_;
    MofToken token_;
    std::optional<FileError> error_;
};

} // namespace

const MofQualifier* find(const MofQualifiers& qualifiers, std::string_view name) noexcept {
    for (const MofQualifier& qualifier : qualifiers) {
        if (equals_ignoring_case(qualifier.name, name)) {
            return &qualifier;
        }
    }
    return nullptr;
}

std::string_view text_of(const MofQualifiers& qualifiers, std::string_view name) noexcept {
    const MofQualifier* found = find(qualifiers, name);
    return found != nullptr && !found->values.empty() ? std::string_view(found->values.front().text)
                                                      : std::string_view{};
}

bool is_set(const MofQualifiers& qualifiers, std::string_view name) noexcept {
    return find(qualifiers, name) != nullptr &&
           !equals_ignoring_case(text_of(qualifiers, name), "false");
}

std::optional<std::int64_t> integer_of(const MofValue& value) noexcept {
    return value.number ? value.number : parse_mof_integer(value.text);
}

std::optional<std::int64_t> integer_of(const MofQualifiers& qualifiers,
                                       std::string_view name) noexcept {
    const MofQualifier* found = find(qualifiers, name);
    return found != nullptr && !found->values.empty() ? integer_of(found->values.front())
                                                      : std::nullopt;
}

std::expected<std::vector<MofClass>, FileError> parse_mof_classes(std::string_view text,
                                                                  MofReading& reading) {
    return Parser(text, reading).run();
}

} // namespace etl::schema
