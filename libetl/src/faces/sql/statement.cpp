#include "sql/statement.hpp"

#include <algorithm>
#include <array>

namespace etl::sql {

namespace {

using TokenKind = Token::Kind;

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool is_of_word(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

class Reader {
public:
    explicit Reader(std::string_view query) : query_(query) {}

    std::vector<Token> statement() {
        std::vector<Token> tokens;
        bool has_begun = false; // semicolons before it belong to it, as SQLite sees it
        for (skip_blanks(); at_ < query_.size(); skip_blanks()) {
            Token token{.kind = TokenKind::mark, .begin = at_};
            token.kind = read();
            token.end = at_;
            token.text = query_.substr(token.begin, token.end - token.begin);
            tokens.push_back(token);
            const bool is_end = token.text == ";";
            if (is_end && has_begun) {
                break;
            }
            has_begun = has_begun || !is_end;
        }
        return tokens;
    }

private:
    char peek(std::size_t ahead = 0) const noexcept {
        return at_ + ahead < query_.size() ? query_[at_ + ahead] : '\0';
    }

    void skip_to(std::string_view end) noexcept {
        const std::size_t found = query_.find(end, at_);
        at_ = found == query_.npos ? query_.size() : found + end.size();
    }

    void skip_blanks() noexcept {
        for (;;) {
            if (query_.substr(at_).starts_with("--")) {
                skip_to("\n");
            } else if (query_.substr(at_).starts_with("/*")) {
                at_ += 2;
                skip_to("*/");
            } else if (peek() == ' ' || (peek() >= '\t' && peek() <= '\r')) {
                ++at_;
            } else {
                return;
            }
        }
    }

    TokenKind read() noexcept {
        const char c = peek();
        if (c == '\'' || ((c == 'x' || c == 'X') && peek(1) == '\'')) {
            at_ += c == '\'' ? 0U : 1U;
            quoted('\'');
            return c == '\'' ? TokenKind::text : TokenKind::mark; // bytes compare as they are
        }
        if (c == '"' || c == '`') {
            quoted(c);
            return TokenKind::name;
        }
        if (c == '[') {
            skip_to("]");
            return TokenKind::name;
        }
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
            number();
            return TokenKind::number;
        }
        if (is_of_word(c)) {
            while (at_ < query_.size() && is_of_word(query_[at_])) {
                ++at_;
            }
            return TokenKind::word;
        }
        mark();
        return TokenKind::mark;
    }

    /// A quote inside is doubled.
    void quoted(char quote) noexcept {
        do {
            ++at_;
            skip_to({&quote, 1});
        } while (peek() == quote);
    }

    void number() noexcept {
        const bool is_hex = peek() == '0' && (peek(1) == 'x' || peek(1) == 'X');
        while (at_ < query_.size() && (is_of_word(query_[at_]) || query_[at_] == '.')) {
            const bool has_exponent = !is_hex && (query_[at_] == 'e' || query_[at_] == 'E');
            ++at_;
            at_ += has_exponent && (peek() == '-' || peek() == '+') && is_digit(peek(1)) ? 1U : 0U;
        }
    }

    void mark() noexcept {
        constexpr std::string_view long_marks[] = {"->>", "->", "<=", ">=", "<>",
                                                   "!=",  "==", "<<", ">>", "||"};
        const auto* const known = std::ranges::find_if(long_marks, [&](std::string_view mark) {
            return query_.substr(at_).starts_with(mark);
        });
        at_ += known == std::end(long_marks) ? 1 : known->size();
    }

    std::string_view query_;
    std::size_t at_ = 0;
};

} // namespace

std::vector<Token> tokens_of(std::string_view query) {
    return Reader(query).statement();
}

namespace {

constexpr std::array<std::string_view, 59> reserved_words{
    "add",        "all",     "alter",      "and",         "as",      "autoincrement",
    "between",    "case",    "cast",       "check",       "collate", "commit",
    "constraint", "create",  "default",    "deferrable",  "delete",  "distinct",
    "drop",       "else",    "escape",     "except",      "exists",  "foreign",
    "from",       "group",   "having",     "in",          "index",   "insert",
    "intersect",  "into",    "is",         "isnull",      "join",    "limit",
    "not",        "notnull", "null",       "on",          "or",      "order",
    "primary",    "raise",   "references", "returning",   "select",  "set",
    "table",      "then",    "to",         "transaction", "union",   "unique",
    "update",     "using",   "values",     "when",        "where"};

/// Those of https://sqlite.org/lang_corefunc.html, lang_mathfunc.html, and lang_datefunc.html.
constexpr std::array<std::string_view, 42> number_functions{
    "abs",        "acos",    "acosh",   "asin",     "asinh",     "atan",      "atan2",
    "atanh",      "ceil",    "ceiling", "char",     "cos",       "cosh",      "date",
    "datetime",   "degrees", "exp",     "floor",    "julianday", "ln",        "log",
    "log10",      "log2",    "mod",     "ntile",    "pow",       "power",     "radians",
    "randomblob", "round",   "sign",    "sin",      "sinh",      "sqrt",      "strftime",
    "tan",        "tanh",    "time",    "timediff", "trunc",     "unixepoch", "zeroblob"};

/// Also those that compare their arguments.
constexpr std::array<std::string_view, 12> passing_functions{
    "max", "min", "coalesce", "ifnull",      "nullif",     "iif",
    "sum", "lag", "lead",     "first_value", "last_value", "nth_value"};

/// The conversions of a format, in the order of the arguments they take.
std::string conversions_of(std::string_view format) {
    std::string conversions;
    for (std::size_t i = 0; i < format.size(); ++i) {
        if (format[i] != '%') {
            continue;
        }
        for (++i; i < format.size() && std::string_view("-+ !#,.*l0123456789").contains(format[i]);
             ++i) {
            conversions += format[i] == '*' ? "d" : "";
        }
        if (i < format.size() && format[i] != '%') {
            conversions += format[i];
        }
    }
    return conversions;
}

} // namespace

bool is_reserved(const Token& token) noexcept {
    return is_word_of(token, reserved_words);
}

bool is_name(const Token& token) noexcept {
    return token.kind == Token::Kind::name ||
           (token.kind == Token::Kind::word && !is_reserved(token));
}

std::string unquoted(std::string_view token) {
    std::string value;
    for (std::size_t i = 1; i + 1 < token.size(); ++i) {
        value += token[i];
        i += token[i] == token.front() ? 1U : 0U;
    }
    return value;
}

std::string name_of(const Token& token) {
    return token.kind == Token::Kind::word ? std::string(token.text) : unquoted(token.text);
}

bool takes_numbers(const Token& function) noexcept {
    return is_word_of(function, number_functions);
}

bool passes_argument(const Token& function) noexcept {
    return is_word_of(function, passing_functions);
}

bool is_number_type(std::string_view type) {
    const std::string lower = to_lower_ascii(type);
    const auto has = [&](std::string_view part) { return lower.find(part) != lower.npos; };
    return has("int") || !(has("char") || has("clob") || has("text") || has("blob"));
}

bool is_formatted_as_number(const Token& format, std::size_t argument) {
    if (format.kind != Token::Kind::text) {
        return true; // not known
    }
    const std::string conversions = conversions_of(unquoted(format.text));
    constexpr std::string_view of_texts = "sqQwzc";
    return argument <= conversions.size() && !of_texts.contains(conversions[argument - 1]);
}

namespace {

/// Names that another name may follow, which is not an alias.
constexpr std::array<std::string_view, 8> leading_names{"by",    "offset", "like",      "glob",
                                                        "match", "regexp", "recursive", "with"};

/// Names that follow an operand, and are not aliases.
constexpr std::array<std::string_view, 9> following_names{
    "like", "glob", "match", "regexp", "offset", "over", "filter", "asc", "desc"};

bool is_operand_end(const Token& token) noexcept {
    const bool is_value = token.kind == Token::Kind::number || token.kind == Token::Kind::text;
    return is_value || is_mark(token, ")") || (is_name(token) && !is_word_of(token, leading_names));
}

} // namespace

Statement::Statement(std::string_view query) : tokens_(tokens_of(query)) {
    match_brackets();
    find_aliases();
}

const Token& Statement::token(std::size_t i) const noexcept {
    static constexpr Token no_token{};
    return i < tokens_.size() ? tokens_[i] : no_token;
}

std::size_t Statement::partner_of(std::size_t i) const noexcept {
    return i < partners_.size() ? partners_[i] : none;
}

void Statement::match_brackets() {
    partners_.assign(tokens_.size(), none);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (is_mark(tokens_[i], "(")) {
            open.push_back(i);
        } else if (is_mark(tokens_[i], ")") && !open.empty()) {
            partners_[i] = open.back();
            partners_[open.back()] = i;
            open.pop_back();
        }
    }
}

bool Statement::is_column_list(std::size_t i) const noexcept {
    const std::size_t end = partner_of(i);
    if (end == none || i == 0 || !is_name(token(i - 1)) || !is_word(token(end + 1), "as")) {
        return false;
    }
    const Token& next = token(end + 2);
    return is_mark(next, "(") || is_word(next, "not") || is_word(next, "materialized");
}

void Statement::add_alias(const Token& name, Alias alias) {
    Alias& known = aliases_[to_lower_ascii(name_of(name))];
    known = known == Alias::none || known == alias ? alias : Alias::column;
}

void Statement::find_aliases() {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        if (is_mark(tokens_[i], "(") && is_column_list(i)) {
            for (std::size_t at = i + 1; at < partners_[i]; ++at) {
                if (is_name(tokens_[at])) {
                    add_alias(tokens_[at], Alias::column);
                }
            }
            i = partners_[i];
            continue;
        }
        const bool is_named = is_word(before(i), "as");
        const Token& last = is_named && i > 1 ? token(i - 2) : before(i);
        const bool may_be_name = is_name(tokens_[i]) || tokens_[i].kind == Token::Kind::text;
        if (!may_be_name || is_word_of(tokens_[i], following_names) || !is_operand_end(last) ||
            (is_name(last) && name_of(last) == name_of(tokens_[i]))) {
            continue;
        }
        const std::size_t opener = is_mark(last, ")") ? partner_of(is_named ? i - 2 : i - 1) : none;
        const bool is_call = opener != none && is_name(before(opener));
        add_alias(tokens_[i], is_call || is_word(last, "end") ? Alias::expression : Alias::column);
    }
}

Alias Statement::alias_of(std::string_view name) const {
    const auto found = aliases_.find(to_lower_ascii(name));
    return found == aliases_.end() ? Alias::none : found->second;
}

} // namespace etl::sql
