#include "io/find_files.hpp"
#include "verbs/sql/prompt.hpp"

#include <cstdlib>

namespace cli {

std::string history_path() {
    if (const char* const named = std::getenv("ETL_SQL_HISTORY")) {
        return named;
    }
    const std::string folder = etl::io::user_state_directory();
    return folder.empty() ? folder : folder + "/etl/sql_history";
}

} // namespace cli
