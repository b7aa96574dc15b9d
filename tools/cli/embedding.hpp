// --embed-schemas, for verbs that write traces: schemas go into the output, as a merge on Windows
// puts them there.
//     embedding.add_to(verb);
//     ...
//     flow::Source* source = embedding.over(merged, schemas, traces, threads);
//     if (source == nullptr) { return exit_status(ExitCode::failed); }
//     trace::copy(*source, writer);
//     embedding.tell();
#pragma once

#include <etl/decode/embedding.hpp>

#include "cli/schemas.hpp"

#include <CLI/CLI.hpp>

#include <optional>

namespace cli {

/// Members refer to each other: not moved.
class Embedding {
public:
    Embedding() = default;
    Embedding(const Embedding&) = delete;
    Embedding& operator=(const Embedding&) = delete;
    ~Embedding() = default;

    void add_to(CLI::App& verb);

    bool is_wanted() const noexcept { return wanted_; }

    /// BufferSize for the output, where schemas, which can be larger than all records of a trace,
    /// find room: `planned`, or more.
    std::uint32_t buffer_size(std::uint32_t planned) const noexcept;

    /// `source` itself when nothing is to be embedded; else one that gives its events and their
    /// schemas, those of the traces and of the files that the user named. The last step before the
    /// writer, in the order of time. Says on standard error what was refused; null when a schema
    /// file that the user named cannot be used at all.
    etl::flow::Source* over(etl::flow::Source& source, const SchemaOptions& schemas,
                            const Traces& traces, unsigned threads,
                            const etl::decode::EmbeddingOptions& options = {});

    /// The same with schemas that the verb has gathered anyway.
    etl::flow::Source& over(etl::flow::Source& source, etl::schema::SchemasByTrace schemas,
                            const etl::decode::EmbeddingOptions& options = {});

    /// Says on standard error how many were embedded, are unknown, and did not fit. After the copy.
    void tell() const;

private:
    bool wanted_ = false;
    std::optional<etl::decode::EmbeddedSource> embedded_;
};

} // namespace cli
