// The analyzers of lifetimes. Private to analysis.
#pragma once

#include "analysis/tables.hpp"

namespace etl::analysis {

std::unique_ptr<Analyzer> make_processes();
std::unique_ptr<Analyzer> make_images();

} // namespace etl::analysis
