// What a repair did and what was lost, as text for people or as JSON.
#pragma once

#include "repair/repair.hpp"

#include <string>
#include <string_view>

namespace cli {

struct RepairNames {
    std::string_view input, output;
};

/// What was lost, in one line. "nothing was lost" only if that is known of the session, too.
std::string summary_text(const etl::repair::Report& report);

/// Lines for people; of the losses at most `most`.
std::string as_text(const etl::repair::Report& report, const RepairNames& names, std::size_t most);

/// One object and a newline. docs/repair.md#json
std::string as_json(const etl::repair::Report& report, const RepairNames& names);

} // namespace cli
