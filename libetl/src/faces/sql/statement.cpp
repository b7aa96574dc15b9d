#include "sql/statement.hpp"

#include "sql/words.hpp"

#include <array>

namespace etl::sql {

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
