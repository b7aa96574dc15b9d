// Members of the JSON objects of events (docs/output.md) as values of columns: what a query returns
// is what `etl dump` writes. Private to sql.
#pragma once

#include "rows/values.hpp"

#include <cstddef>
#include <cstdint>
#include <sqlite3.h>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sql {

/// Finds members of an object of sink::JsonLines. Only for text that an encoder has written.
class Members {
public:
    /// Adds a member to look for, in `data` or in the object itself. Returns its number.
    std::size_t add(std::string_view name, bool is_in_data);

    bool is_empty() const noexcept { return wanted_.empty(); }

    std::size_t size() const noexcept { return wanted_.size(); }

    /// Finds them in an object, which must outlive the calls of value().
    void find(std::string_view object);

    /// Returns the value of a member as JSON; empty: the object does not have it, or there is no
    /// such number.
    std::string_view value(std::size_t number) const noexcept {
        return number < wanted_.size() ? wanted_[number].value : std::string_view();
    }

private:
    struct Wanted {
        std::string key; // escaped, with quotes
        bool is_in_data = false;
        std::string_view value{};
    };

    /// A member of the previous object: most objects have the same ones in the same order.
    struct Seen {
        std::string key;
        bool is_in_data = false, is_data = false;
        std::size_t number = not_wanted;
    };

    static constexpr std::size_t not_wanted = SIZE_MAX;

    std::size_t find_in(std::string_view text, std::size_t begin, bool is_data);
    const Seen& next_member(std::string_view text, std::size_t at, bool is_data);

    std::vector<Wanted> wanted_;
    bool has_data_ = false; // some are in `data`
    std::vector<Seen> seen_;
    std::size_t place_ = 0; // in seen_
};

/// Passes a text, which is copied.
void pass_text(sqlite3_context* to, std::string_view text) noexcept;

/// Passes INTEGER, or the digits of a number that it cannot hold as a text.
void pass_integer(sqlite3_context* to, std::uint64_t number) noexcept;

/// Returns what a JSON value is for SQLite: integers, or texts if INTEGER cannot hold them; REAL;
/// Booleans as 1 and 0; text without quotes; arrays and objects as texts, with numbers that INTEGER
/// cannot hold as texts; empty as NULL. A view of `json` or `scratch`.
rows::Value value_of_json(std::string_view json, std::string& scratch);

/// Passes such a value to SQLite.
void pass_value(sqlite3_context* to, const rows::Value& value);

} // namespace etl::sql
