// From opened traces to the file that they become: the part that merge and join share.
#pragma once

#include <etl/merge/merge.hpp>

#include "cli/console.hpp"
#include "cli/embedding.hpp"
#include "cli/schemas.hpp"
#include "cli/trace_output.hpp"
#include "cli/traces.hpp"

namespace cli {

struct MergingOptions {
    TraceOptions traces;
    TraceOutputOptions output;
    SchemaOptions schemas;
    Embedding embedding;
    ProgressBar::Wish progress = ProgressBar::Wish::automatic;

    void add_to(CLI::App& verb);
};

/// As is_clear() of trace_output.hpp, with the traces and schemas as inputs.
bool is_clear(const MergingOptions& options);

/// Joins the traces and writes them. Says on standard error what went wrong.
ExitCode merge_into_file(MergingOptions& options, Traces& traces, const etl::merge::Options& how);

} // namespace cli
