#include "sql/collations.hpp"

#include "sql/numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>

namespace etl::sql {

namespace {

// `2024-05-17T04:00:00.0000000Z`: most times, all that columns have of the years 0 to 9999.
constexpr std::string_view usual_form = "0000-00-00T00:00:00.0000000Z";

bool has_usual_form(std::string_view text) noexcept {
    return text.size() == usual_form.size() && text[4] == '-' && text[10] == 'T' &&
           text[19] == '.' && text[27] == 'Z' && text[0] >= '0' && text[0] <= '9';
}

int sign_of(std::strong_ordering order) noexcept {
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

/// The nearest time whose year has four digits: other years are not in the order of their texts.
Filetime with_usual_year(Filetime time) noexcept {
    static constexpr std::string_view first = "0000-01-01T00:00:00Z",
                                      last = "9999-12-31T23:59:59.9999999Z";
    return std::clamp(time, *parse_rfc3339(first), *parse_rfc3339(last));
}

/// The text whose bytes are compared: times in one form, large numbers with as many digits.
std::string comparable_text(std::string_view text, const std::optional<WrittenTime>& time) {
    std::string form;
    if (time) {
        append_rfc3339(form, with_usual_year(time->ticks), "");
        form += time->finer;
    } else {
        constexpr std::size_t max_digits = 20;
        form = is_large_number(text) && text.size() < max_digits ? "0" : "";
        form += text;
    }
    return form;
}

/// What a collation compares otherwise than as bytes.
enum class Compared : bool { numbers, numbers_and_times };

int compare(std::string_view one, std::string_view other, Compared what) {
    if (has_usual_form(one) && has_usual_form(other)) [[likely]] {
        return sign_of(one <=> other);
    }
    const bool has_times = what == Compared::numbers_and_times;
    const auto time = has_times ? time_of_text(one) : std::nullopt;
    const auto other_time = has_times ? time_of_text(other) : std::nullopt;
    if (time && other_time) {
        return sign_of(*time <=> *other_time);
    }
    const bool is_plain = !time && !other_time && !is_large_number(one) && !is_large_number(other);
    if (is_plain) {
        return sign_of(one <=> other);
    }
    const auto order = comparable_text(one, time) <=> comparable_text(other, other_time);
    return sign_of(order == 0 ? one <=> other : order); // digits after a zero are another text
}

std::string_view text_at(const void* text, int size) noexcept {
    return {static_cast<const char*>(text), static_cast<std::size_t>(size)};
}

// SQLite is C. Without memory, the texts are compared as they are.
int compare_safely(std::string_view one, std::string_view other, Compared what) noexcept {
    try {
        return compare(one, other, what);
    } catch (...) {
        return sign_of(one <=> other);
    }
}

int compare_large(void*, int size, const void* one, int other_size, const void* other) {
    return compare_safely(text_at(one, size), text_at(other, other_size), Compared::numbers);
}

int compare_values(void*, int size, const void* one, int other_size, const void* other) {
    return compare_safely(text_at(one, size), text_at(other, other_size),
                          Compared::numbers_and_times);
}

/// Keeps the first problem: `find` returns it, or an empty text. Without memory, the query ends
/// because of that.
template <typename Find>
void note(void* watch, Find&& find) noexcept {
    auto& noted = static_cast<Watch*>(watch)->problem;
    if (!noted.empty()) {
        return;
    }
    try {
        noted = find();
    } catch (...) {
        noted = "?";
    }
}

int compare_times(void* watch, int size, const void* one, int other_size, const void* other) {
    for (const std::string_view text : {text_at(one, size), text_at(other, other_size)}) {
        if (!has_usual_form(text)) {
            note(watch, [&] { return time_of_text(text) ? std::string() : time_problem(text); });
        }
    }
    return compare_safely(text_at(one, size), text_at(other, other_size),
                          Compared::numbers_and_times);
}

/// SQLite writes a REAL with 15 digits.
bool may_be_rounded(const Number& number) noexcept {
    constexpr double exact = 1e15;
    const auto* const real = std::get_if<double>(&number);
    return real != nullptr && std::isfinite(*real) && std::abs(*real) >= exact;
}

int compare_hex(void* watch, int size, const void* one, int other_size, const void* other) {
    const std::string_view text = text_at(one, size), other_text = text_at(other, other_size);
    const auto number = number_of_any(text), other_number = number_of_any(other_text);
    if (!number || !other_number) {
        return number ? -1 : other_number ? 1 : sign_of(text <=> other_text);
    }
    if (may_be_rounded(*number) || may_be_rounded(*other_number)) {
        note(watch, [] {
            return std::string("a REAL of 1e15 or more is compared with a hexadecimal number, and "
                               "SQLite rounds it; use an integer");
        });
    }
    return sign_of(compare_numbers(*number, *other_number));
}

/// The digits of a fraction beyond 100 ns.
std::string_view finer_digits(std::string_view text) noexcept {
    constexpr std::size_t digits_of_ticks = 7;
    const std::size_t point = text.find('.');
    if (point == text.npos) {
        return {};
    }
    std::string_view digits = text.substr(point + 1);
    digits = digits.substr(0, digits.find_first_not_of("0123456789"));
    digits.remove_prefix(std::min(digits.size(), digits_of_ticks));
    return digits.substr(0, digits.find_last_not_of('0') + 1); // npos + 1 is 0
}

std::optional<WrittenTime> written_time(std::string_view text) noexcept {
    const auto ticks = parse_rfc3339(text);
    return ticks ? std::optional<WrittenTime>({*ticks, finer_digits(text)}) : std::nullopt;
}

} // namespace

std::optional<WrittenTime> time_of_text(std::string_view text) noexcept {
    if (text.size() < std::string_view("0000-00-00").size() ||
        !((text[0] >= '0' && text[0] <= '9') || text[0] == '+' || text[0] == '-')) {
        return std::nullopt;
    }
    constexpr std::string_view to_hours = "0000-00-00T00", to_minutes = "0000-00-00T00:00";
    const bool ends_early = text.size() == to_hours.size() || text.size() == to_minutes.size();
    if (!ends_early || text[4] != '-') {
        return written_time(text);
    }
    std::array<char, 19> whole{}; // with what is missing
    const auto end = std::ranges::copy(text, whole.begin()).out;
    std::ranges::copy(std::string_view(":00:00").substr(0, whole.size() - text.size()), end);
    const auto ticks = parse_rfc3339({whole.data(), whole.size()});
    return ticks ? std::optional<WrittenTime>({*ticks, {}}) : std::nullopt;
}

std::string time_problem(std::string_view text) {
    constexpr std::size_t max = 80;
    return "'" + std::string(text.substr(0, max)) +
           "' is compared with times, but is not a valid time; use RFC 3339, such as "
           "2024-05-17T04:00:00Z";
}

int register_collations(sqlite3* database, Watch& watch) {
    struct Collation {
        const char* name;
        int (*compare)(void*, int, const void*, int, const void*);
    };

    constexpr std::array collations{
        Collation{number_collation, compare_large}, Collation{value_collation, compare_values},
        Collation{time_collation, compare_times}, Collation{hex_collation, compare_hex}};
    int code = SQLITE_OK;
    for (const auto& [name, compare] : collations) {
        code = code == SQLITE_OK ? sqlite3_create_collation_v2(database, name, SQLITE_UTF8, &watch,
                                                               compare, nullptr)
                                 : code;
    }
    return code;
}

} // namespace etl::sql
