// --embed-schemas, for verbs that write traces: embeds schemas in the output, as a merge on Windows
// does.
//     embedding.add_to(verb);
//     ...
//     flow::Source* source = embedding.over(merged, schemas, traces, threads);
//     if (source == nullptr) { return exit_status(ExitCode::failed); }
//     trace::copy(*source, writer);
//     embedding.report_counts();
#pragma once

#include "cli/verb.hpp"
#include "decode/embedding.hpp"
#include "inputs/schemas.hpp"

#include <optional>

namespace cli {

/// Members refer to each other: not moved.
class Embedding {
public:
    Embedding() = default;
    Embedding(const Embedding&) = delete;
    Embedding& operator=(const Embedding&) = delete;
    ~Embedding() = default;

    void add_to(Verb& verb);

    bool is_wanted() const noexcept { return wanted_; }

    /// BufferSize for the output: `planned`, or more, because schemas can be larger than all
    /// records of a trace.
    std::uint32_t buffer_size(std::uint32_t planned) const noexcept;

    /// Returns `source` itself if nothing is to be embedded, else a source of its events and their
    /// schemas, from the traces and from schema files. It must be the last step before the writer,
    /// in time order. Prints rejected schemas to standard error; null if a named schema file cannot
    /// be used at all.
    etl::flow::Source* over(etl::flow::Source& source, const SchemaOptions& schemas,
                            const Traces& traces,
                            const etl::decode::EmbeddingOptions& options = {});

    /// The same with schemas that the verb has already gathered.
    etl::flow::Source& over(etl::flow::Source& source, etl::schema::SchemasByTrace schemas,
                            const etl::decode::EmbeddingOptions& options = {});

    /// report_embedding(), if requested. Call after the copy.
    void report_counts() const;

private:
    bool wanted_ = false;
    std::optional<etl::decode::EmbeddedSource> embedded_;
};

/// Prints to standard error how many schemas were embedded and how many were not.
void report_embedding(const etl::decode::EmbeddingReport& report);

} // namespace cli
