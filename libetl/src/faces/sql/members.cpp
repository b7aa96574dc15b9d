#include "sql/members.hpp"

#include "base/json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace etl::sql {

namespace {

/// Returns the end of the text that begins with a quote at `at`.
std::size_t end_of_text(std::string_view json, std::size_t at) noexcept {
    const std::size_t quote = json.find('"', at + 1);
    if (quote != json.npos && json[quote - 1] != '\\') { // almost all
        return quote + 1;
    }
    for (++at; at < json.size() && json[at] != '"'; ++at) {
        at += json[at] == '\\' ? 1U : 0U;
    }
    return std::min(at + 1, json.size());
}

std::size_t end_of_number(std::string_view json, std::size_t at) noexcept {
    while (at < json.size() && json[at] != ',' && json[at] != '}' && json[at] != ']') {
        ++at;
    }
    return at;
}

/// Of a text, a number, or a word; or of an array or object.
std::size_t end_of_value(std::string_view json, std::size_t at) noexcept {
    const char first = at < json.size() ? json[at] : '\0';
    if (first != '{' && first != '[') {
        return first == '"' ? end_of_text(json, at) : end_of_number(json, at);
    }
    std::size_t depth = 0;
    while (at < json.size()) {
        const char c = json[at];
        if (c == '"') {
            at = end_of_text(json, at);
            continue;
        }
        const bool is_end = c == '}' || c == ']';
        ++at;
        depth += c == '{' || c == '[' ? 1U : 0U;
        depth -= is_end ? 1U : 0U;
        if (is_end && depth == 0) {
            return at;
        }
    }
    return at;
}

/// The largest integer that INTEGER holds.
constexpr std::string_view max_integer = "9223372036854775807";

bool is_decimal(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// Whether as many digits follow each other as a number has that INTEGER cannot hold. One of so
/// many characters is looked at, unless it is a digit.
bool may_have_large_integer(std::string_view json) noexcept {
    constexpr std::size_t size = max_integer.size();
    for (std::size_t at = size - 1; at < json.size(); at += size) {
        std::size_t begin = at, end = at;
        while (is_decimal(json[begin]) && begin > 0 && is_decimal(json[begin - 1])) {
            --begin;
        }
        while (end < json.size() && is_decimal(json[end])) {
            ++end;
        }
        if (end - begin >= size) {
            return true;
        }
    }
    return false;
}

rows::Value value_of_number(std::string_view json) noexcept {
    const auto is_real = [](char c) { return c == '.' || c == 'e' || c == 'E'; };
    if (std::ranges::any_of(json, is_real)) {
        double number = 0;
        std::from_chars(json.data(), json.data() + json.size(), number);
        return number;
    }
    const bool is_beyond = json.front() != '-' && json.size() >= max_integer.size() &&
                           (json.size() > max_integer.size() || json > max_integer);
    return is_beyond ? rows::Value(json) : rows::Digits{json};
}

} // namespace

void pass_text(sqlite3_context* to, std::string_view text) noexcept {
    sqlite3_result_text64(to, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void pass_integer(sqlite3_context* to, std::uint64_t number) noexcept {
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return sqlite3_result_int64(to, static_cast<std::int64_t>(number));
    }
    std::array<char, 20> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    pass_text(to, {digits.data(), end});
}

std::size_t Members::add(std::string_view name, bool is_in_data) {
    Wanted wanted{.key = {}, .is_in_data = is_in_data};
    append_json_string(wanted.key, name);
    has_data_ = has_data_ || is_in_data;
    wanted_.push_back(std::move(wanted));
    return wanted_.size() - 1;
}

void Members::find(std::string_view object) {
    for (Wanted& wanted : wanted_) {
        wanted.value = {};
    }
    place_ = 0;
    find_in(object, 1, false);
}

/// The next member of an object, whose key begins at `at`.
const Members::Seen& Members::next_member(std::string_view text, std::size_t at, bool is_data) {
    if (place_ == seen_.size()) {
        seen_.emplace_back();
    }
    Seen& seen = seen_[place_++];
    const bool is_same =
        !seen.key.empty() && seen.is_in_data == is_data && text.substr(at).starts_with(seen.key);
    if (!is_same) {
        const std::string_view key = text.substr(at, end_of_text(text, at) - at);
        const auto found = std::ranges::find_if(wanted_, [&](const Wanted& wanted) {
            return wanted.is_in_data == is_data && wanted.key == key;
        });
        seen.key = key;
        seen.is_in_data = is_data;
        seen.number =
            found == wanted_.end() ? not_wanted : static_cast<std::size_t>(found - wanted_.begin());
        seen.is_data = !is_data && key == "\"data\"";
    }
    return seen;
}

/// Returns the end of the object whose first member begins at `at`.
std::size_t Members::find_in(std::string_view text, std::size_t at, bool is_data) {
    while (at < text.size() && text[at] == '"') {
        const Seen& seen = next_member(text, at, is_data);
        const std::size_t number = seen.number;
        const std::size_t begin = at + seen.key.size() + 1; // after the colon
        const bool is_object = begin < text.size() && text[begin] == '{';
        at = has_data_ && seen.is_data && is_object ? find_in(text, begin + 1, true)
                                                    : end_of_value(text, begin);
        if (number != not_wanted) {
            wanted_[number].value = text.substr(begin, at - begin);
        }
        at += at < text.size() && text[at] == ',' ? 1U : 0U;
    }
    return at + 1; // the brace
}

rows::Value value_of_json(std::string_view json, std::string& scratch) {
    switch (json.empty() ? 'n' : json.front()) {
    case 'n':
        return {};
    case 't':
        return rows::Digits{"1"};
    case 'f':
        return rows::Digits{"0"};
    case '{':
    case '[':
        if (!may_have_large_integer(json)) {
            return json;
        }
        scratch = json;
        quote_large_integers(scratch, 0, std::numeric_limits<std::int64_t>::max());
        return std::string_view(scratch);
    case '"': {
        const std::string_view inner = json.substr(1, json.size() - 2);
        if (inner.find('\\') == inner.npos) {
            return inner;
        }
        scratch.clear();
        append_json_unescaped(scratch, inner);
        return std::string_view(scratch);
    }
    default:
        return value_of_number(json);
    }
}

void pass_value(sqlite3_context* to, const rows::Value& value) {
    if (const auto* const text = std::get_if<std::string_view>(&value)) {
        return pass_text(to, *text);
    }
    if (const auto* const digits = std::get_if<rows::Digits>(&value)) {
        std::int64_t number = 0;
        std::from_chars(digits->text.data(), digits->text.data() + digits->text.size(), number);
        return sqlite3_result_int64(to, number);
    }
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
        return sqlite3_result_int64(to, *number);
    }
    if (const auto* const real = std::get_if<double>(&value)) {
        return sqlite3_result_double(to, *real);
    }
    sqlite3_result_null(to);
}

} // namespace etl::sql
