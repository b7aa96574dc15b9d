// Names of tables and columns. Private to sql.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace etl::sql {

/// The column with the time of an event in nanoseconds since 1970.
inline constexpr std::string_view time_as_number = "time_ns";

/// Makes names unique as SQLite compares them: ignoring the case of ASCII letters.
class UniqueNames {
public:
    /// Returns `name`, or if that is taken `name#2`, `name#3`, ... Control characters become `_`.
    std::string take(std::string_view name);

    bool has(std::string_view name) const;

private:
    std::unordered_set<std::string> taken_; // lowercase
};

/// Returns the name as an identifier in double quotes.
std::string quoted_name(std::string_view name);

} // namespace etl::sql
