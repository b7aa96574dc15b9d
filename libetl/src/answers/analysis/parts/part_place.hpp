// Where a part of a trace is, by the index of the trace. Private to analysis.
#pragma once

#include "analysis/parts.hpp"
#include "dataset/dataset.hpp"

#include <cstddef>
#include <cstdint>

namespace etl::analysis {

/// Completes the options of a pass by the range of a trace, and returns where a part of it is that
/// begins at a raw time. The trace has an index; the result refers to the dataset.
PartPlace place_in(dataset::Dataset& traces, std::size_t number, std::int64_t begin,
                   const TableForm& form, PassOptions& pass);

} // namespace etl::analysis
