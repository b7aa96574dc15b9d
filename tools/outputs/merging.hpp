// From opened traces to the output file: the part that merge and join share.
#pragma once

#include "cli/console.hpp"
#include "inputs/schemas.hpp"
#include "inputs/traces.hpp"
#include "outputs/embedding.hpp"
#include "outputs/trace_output.hpp"
#include "rewrite/merging.hpp"

namespace cli {

struct MergingOptions {
    TraceOptions traces;
    TraceOutputOptions output;
    SchemaOptions schemas;
    Embedding embedding;
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;

    void add_to(Verb& verb);
};

/// As is_clear() of trace_output.hpp, with the traces and schemas as inputs.
bool is_clear(const MergingOptions& options);

/// Merges the traces and writes the output. Prints errors to standard error.
ExitCode merge_into_file(const MergingOptions& options, Traces& traces,
                         const etl::merge::Options& how);

/// Prints why traces cannot be merged or the output cannot be written: see report() of
/// trace_output.hpp.
ExitCode report(const etl::rewrite::MergeError& error, const Traces& traces,
                const TraceOutputOptions& output);

} // namespace cli
