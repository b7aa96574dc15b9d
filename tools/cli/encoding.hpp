// From traces to an encoder and its output: the part that the verbs which convert events share.
//
//     auto input = EncodingInput::open(options);
//     if (!input) { return input.error(); }
//     etl::sink::EventXml xml((*input)->sink(), {});
//     const ExitCode exit = (*input)->write(xml, "events.xml");
//     (*input)->report();
#pragma once

#include <etl/flow/filters.hpp>
#include <etl/flow/mux.hpp>
#include <etl/flow/pipeline.hpp>
#include <etl/io/output_file.hpp>
#include <etl/sink/options.hpp>

#include "cli/console.hpp"
#include "cli/event_filter.hpp"
#include "cli/schemas.hpp"
#include "cli/traces.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cli {

struct EncodingOptions {
    TraceOptions traces;
    SchemaOptions schemas;
    FilterOptions filters;
    etl::sink::Options sink; // without what the input adds: schemas, conditions, facts
    bool local = false;      // times in the local zone
    ProgressBar::Mode progress = ProgressBar::Mode::automatic;
};

/// Opened traces in time order, with the schemas and facts that their events need. Not moved.
class EncodingInput {
public:
    /// If the traces cannot be opened or the filters do not compile, prints why.
    static std::expected<std::unique_ptr<EncodingInput>, ExitCode>
    open(const EncodingOptions& options);

    EncodingInput(const EncodingInput&) = delete;
    EncodingInput& operator=(const EncodingInput&) = delete;
    ~EncodingInput() = default;

    /// The options for encoders of this input.
    const etl::sink::Options& sink() const noexcept { return sink_; }

    const Traces& traces() const noexcept { return traces_; }

    /// Schemas for all traces.
    const etl::gather::Schemas& schemas() const noexcept { return *schemas_; }

    /// Wraps the output of the encoder, for formats that need more than encoders can do.
    using Wrap = std::function<std::unique_ptr<etl::Output>(etl::Output& to)>;

    /// Called for each event written, in order, on the caller's thread.
    using Written = std::function<void(const etl::flow::Event& event)>;

    /// Reads the events once and writes them to a file, which appears when complete; `-`: standard
    /// output. Prints errors.
    ExitCode write(const etl::flow::Encoder& encoder, const std::string& path,
                   const Wrap& wrap = {}, const Written& written = {});

    /// The same to an output that is neither; `name` is for messages.
    ExitCode run(const etl::flow::Encoder& encoder, etl::Output& output, const std::string& name,
                 const Written& written = {}, const std::function<bool()>& is_abandoned = {});

    std::uint64_t written() const noexcept { return result_.written; }

    /// Events whose payload contradicted their schema.
    std::uint64_t decode_errors() const noexcept { return result_.decoding.errors; }

    /// Prints what was not decoded, and which filters and schema files matched nothing. Call after
    /// the encoders are destroyed.
    void report();

    /// What the traces imply, including the findings so far.
    ExitCode exit_code() const noexcept { return traces_.exit_code(); }

private:
    EncodingInput(const EncodingOptions& options, const OpenedFiles& opened);

    ExitCode prepare();

    EncodingOptions options_;
    Traces traces_;
    std::optional<etl::gather::Schemas> schemas_;
    std::optional<CompiledFilters> filters_;
    std::unique_ptr<etl::flow::Source> joined_;
    std::optional<etl::flow::TimeFilter> window_;
    etl::sink::Options sink_;
    etl::flow::PipelineResult result_;
};

} // namespace cli
