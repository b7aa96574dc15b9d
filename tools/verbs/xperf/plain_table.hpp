// Tables of the analysis module with the words of xperf. docs/xperf.md#tables
#pragma once

#include <etl/time.hpp>

#include "analysis/table.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace cli::xperf {

/// Returns the rows as aligned columns separated by commas, after a row of headings. Durations are
/// in microseconds, times in microseconds since `start`. `hidden` columns are left out.
std::string plain_text(const etl::analysis::Table& table, etl::Filetime start,
                       std::span<const std::string_view> hidden);

} // namespace cli::xperf
