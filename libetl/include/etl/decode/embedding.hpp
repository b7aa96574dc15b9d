// The other way round than Harvest: puts the schemas of the events that pass into the trace, as a
// merge on Windows does, so that it decodes anywhere. docs/format/decoding.md#embedding
//     EmbeddedSource embedded(source, schemas);
//     trace::copy(embedded, writer);
//     ... embedded.report().events
#pragma once

#include <etl/flow/source.hpp>
#include <etl/schema/schemas_by_trace.hpp>

#include <cstddef>
#include <memory>

namespace etl::decode {

/// Whether the schemas that came from the traces themselves (event information, manifests of
/// EventSource providers) are among the events that pass.
enum class CarriedSchemas : std::uint8_t {
    pass,    // they need not be made again
    dropped, // by a filter that keeps no context: they are made like others
};

struct EmbeddingOptions {
    CarriedSchemas carried = CarriedSchemas::pass;
    std::size_t largest_record = 65535; // that the writer's buffers hold; larger ones are not made
};

/// What was made of the events that passed so far. Kinds are EVENT records of one (provider, id,
/// version); self-describing ones, WPP messages and classic events need no description.
struct EmbeddingReport {
    std::size_t events = 0;    // schemas embedded
    std::size_t maps = 0;      // of their fields
    std::size_t unknown = 0;   // kinds of event that no schema describes
    std::size_t existing = 0;  // kinds that the traces describe themselves
    std::size_t too_large = 0; // schemas and maps for a record, or that such a record cannot say
    std::uint64_t omitted = 0; // events of kinds beyond limits::harvested_schemas
};

/// Gives on the events of a source and, before the first one of each kind, what the schemas say
/// about it: TRACE_EVENT_INFO and the maps of its fields, at the time of that event, on its
/// processor and with its process and thread. Upstream in the order of time, for a description is
/// to precede all that it describes. Memory: some 100 bytes for each kind.
class EmbeddedSource final : public flow::Source {
public:
    /// Upstream outlives this and does not pause (flow::Source::is_paused); records that are made
    /// are of the trace of their event.
    EmbeddedSource(flow::Source& upstream, schema::SchemasByTrace schemas,
                   const EmbeddingOptions& options = {});
    ~EmbeddedSource() override;

    flow::Run next_run() override;
    flow::Pin pin() const override;
    const Error* error() const noexcept override;

    const EmbeddingReport& report() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::decode
