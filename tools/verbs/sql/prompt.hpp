// The prompt of `etl sql`: lines with a history. docs/sql.md#prompt
#pragma once

#include <optional>
#include <string>

namespace cli {

/// Reads a line, without its end, from the terminal; nothing at the end of the input.
std::optional<std::string> read_prompt(const char* prompt);

/// What can be recalled with the arrow keys, also from earlier sessions.
class PromptHistory {
public:
    /// `path`: of the file that stores it, whose directory is created; empty: nothing is stored.
    explicit PromptHistory(std::string path);

    /// Stores it at once. Prints a warning, once, if that fails.
    void add(const std::string& text);

private:
    std::string path_;
};

/// Returns where the history is stored: ETL_SQL_HISTORY if it is set, even if empty; else
/// `etl/sql_history` in the user's state directory; empty: nowhere.
std::string history_path();

} // namespace cli
