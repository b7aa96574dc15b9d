// What a merge does to each of its inputs, decided before the first event. docs/merge.md
#pragma once

#include "merge/merge.hpp"
#include "merge/rewriter.hpp"

#include <span>
#include <vector>

namespace etl::merge {

struct Plan {
    std::vector<Rewriting> inputs;
    trace::Recording recording;
    std::vector<flow::MergedInput> sources; // what the output says of its inputs; empty: nothing
};

/// Errors: as MergedSource::create.
Result<Plan> make_plan(std::span<const Input> inputs, const Options& options);

} // namespace etl::merge
