#include "sql/words.hpp"

#include <array>

namespace etl::sql {

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

} // namespace etl::sql
