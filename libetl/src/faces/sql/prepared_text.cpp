#include "sql/prepared_text.hpp"

#include "sql/insertions.hpp"
#include "sql/limits.hpp"
#include "sql/statement.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace etl::sql {

std::vector<std::string> names_in(std::string_view query) {
    std::vector<std::string> names;
    for (const Token& token : tokens_of(query)) {
        if (is_name(token)) {
            names.push_back(name_of(token));
        }
    }
    return names;
}

PreparedText::PreparedText(std::string_view query, const FindColumn& find_column,
                           const IsEventTable& is_event_table) {
    Insertions found = insertions_into(query, find_column, is_event_table);
    counted_ = found.counted;
    refusal_ = std::move(found.refusal);
    insertions_ = std::move(found.list);
    std::size_t size = found.end;
    for (const Insertion& insertion : insertions_) {
        size += insertion.text.size();
    }
    if (size > static_cast<std::size_t>(limits::prepared_query_bytes)) {
        refusal_ = {"the query is too long: with the functions that are put around its operands, "
                    "it has more than 16 MB",
                    0};
    }
    if (refusal_) {
        return;
    }
    std::size_t from = 0;
    for (Insertion& insertion : insertions_) {
        text_.append(query, from, insertion.at - from);
        from = std::exchange(insertion.at, text_.size());
        text_ += insertion.text;
    }
    text_.append(query, from, found.end - from);
}

std::size_t PreparedText::place_of(std::size_t place) const noexcept {
    std::size_t before = 0; // what was put in
    for (const Insertion& insertion : insertions_) {
        if (insertion.at >= place) {
            break;
        }
        before += std::min(insertion.text.size(), place - insertion.at);
    }
    return place - before;
}

namespace {

std::string quoted_text(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) {
        quoted.append(c == '\'' ? 2 : 1, c);
    }
    return quoted + "'";
}

} // namespace

std::string collate(std::string_view collation) {
    return " COLLATE " + std::string(collation);
}

void Places::put_before(std::size_t first, std::string text) {
    places_.push_back({token(first).begin, true, 0, std::move(text)}); // next to the token
}

void Places::put_after(std::size_t last, std::string text) {
    places_.push_back({token(last).end, false, ++depth_, std::move(text)});
}

void Places::put_inside(std::size_t last, std::string text) {
    places_.push_back({token(last).end, false, 0, std::move(text)});
}

void Places::wrap(std::size_t first, std::size_t last, std::string_view function, std::string end) {
    put_after(last, std::move(end));
    places_.push_back({token(first).begin, true, depth_, std::string(function) + "("});
}

void Places::wrap_literal(std::size_t i, std::string_view function, std::string after) {
    const bool is_number = token(i).kind == Token::Kind::number;
    put_inside(i, (is_number ? "')" : ")") + std::move(after));
    places_.push_back({token(i).begin, true, 0, std::string(function) + (is_number ? "('" : "(")});
}

void Places::wrap_number(std::size_t first, std::size_t last, std::string_view function) {
    constexpr std::size_t max = 40;
    const std::size_t begin = token(first).begin, size = token(last).end - begin;
    wrap(first, last, function,
         size <= max ? ", " + quoted_text(query_.substr(begin, size)) + ")" : ")");
}

std::vector<Insertion> Places::take() {
    std::ranges::stable_sort(places_, {}, [](const Place& place) {
        return std::tuple(place.at, place.is_before, place.is_before ? -place.depth : place.depth);
    });
    std::vector<Insertion> list;
    for (Place& place : places_) {
        list.push_back({place.at, std::move(place.text)});
    }
    places_.clear();
    return list;
}

} // namespace etl::sql
