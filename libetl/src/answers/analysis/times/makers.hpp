// The analyzers of activity over time, and of what took longest. Private to analysis.
#pragma once

#include "analysis/tables.hpp"

namespace etl::analysis {

enum class SeriesBy : std::uint8_t { provider, process };

std::unique_ptr<Analyzer> make_timeline(const TableOptions& options);
std::unique_ptr<Analyzer> make_series(SeriesBy by, const TableOptions& options);
std::unique_ptr<Analyzer> make_slowest(const TableOptions& options);

} // namespace etl::analysis
