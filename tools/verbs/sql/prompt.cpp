#include "verbs/sql/prompt.hpp"

#include "cli/console.hpp"
#include "io/find_files.hpp"

#include <cstdlib>
#include <utility>

#if __has_include(<editline/readline.h>)

#include <fmt/format.h>

#include <editline/readline.h>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace cli {

namespace {

namespace fs = std::filesystem;

constexpr int max_entries = 1000;

/// Creates a file that only its owner can read: queries contain names.
void create_private(const fs::path& path) {
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
        return;
    }
    if (path.has_parent_path()) {
        fs::create_directories(path.parent_path(), ignored);
    }
    std::ofstream(path, std::ios::app).close();
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write, ignored);
}

} // namespace

std::optional<std::string> read_prompt(const char* prompt) {
    char* const line = ::readline(prompt);
    if (line == nullptr) {
        return std::nullopt;
    }
    std::string text(line);
    std::free(line); // NOLINT(cppcoreguidelines-no-malloc): libedit allocated it
    return text;
}

PromptHistory::PromptHistory(std::string path) : path_(std::move(path)) {
    ::using_history();
    ::stifle_history(max_entries);
    if (!path_.empty()) {
        create_private(path_);
        ::read_history(path_.c_str());
    }
}

void PromptHistory::add(const std::string& text) {
    ::add_history(text.c_str());
    if (!path_.empty() && ::write_history(path_.c_str()) != 0) {
        say(fmt::format("warning: {}: cannot store the history; name another file with "
                        "ETL_SQL_HISTORY",
                        printable(path_)));
        path_.clear();
    }
}

} // namespace cli

#else // without libedit: plain lines

#include <iostream>

namespace cli {

std::optional<std::string> read_prompt(const char* prompt) {
    std::cout << prompt << std::flush;
    std::string line;
    return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
}

PromptHistory::PromptHistory(std::string path) : path_(std::move(path)) {}

void PromptHistory::add(const std::string& /*text*/) {}

} // namespace cli

#endif

namespace cli {

std::string history_path() {
    if (const char* const named = std::getenv("ETL_SQL_HISTORY")) {
        return named;
    }
    const std::string folder = etl::io::user_state_directory();
    return folder.empty() ? folder : folder + "/etl/sql_history";
}

} // namespace cli
