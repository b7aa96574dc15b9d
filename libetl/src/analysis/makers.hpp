// The analyzers by name. Private to analysis.
#pragma once

#include <etl/analysis/tables.hpp>

namespace etl::analysis {

enum class CpuBy : std::uint8_t { process, thread, processor };
std::unique_ptr<Analyzer> make_cpu(CpuBy by);

} // namespace etl::analysis
