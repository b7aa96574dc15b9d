#include <etl/io/find_files.hpp>

#include "verbs/sql/prompt.hpp"

#include <cstdlib>

namespace cli {

namespace {

/// The XDG base directory specification: a relative path is to be ignored.
std::string state_directory() {
#ifdef _WIN32
    return etl::io::environment("LOCALAPPDATA");
#else
    if (std::string folder = etl::io::environment("XDG_STATE_HOME"); folder.starts_with('/')) {
        return folder;
    }
    const std::string home = etl::io::environment("HOME");
    return home.empty() ? home : home + "/.local/state";
#endif
}

} // namespace

std::string history_path() {
    if (const char* const named = std::getenv("ETL_SQL_HISTORY")) {
        return named;
    }
    const std::string folder = state_directory();
    return folder.empty() ? folder : folder + "/etl/sql_history";
}

} // namespace cli
