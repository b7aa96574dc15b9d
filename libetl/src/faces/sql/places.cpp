#include "sql/places.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace etl::sql {

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
