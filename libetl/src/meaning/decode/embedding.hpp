// The inverse of Harvest: embeds the schemas of passing events in the trace, as a merge on Windows
// does, so that it can be decoded anywhere. docs/format/decoding.md#embedding
//     EmbeddedSource embedded(source, schemas);
//     trace::copy(embedded, writer);
//     ... embedded.report().events
#pragma once

#include "flow/source.hpp"
#include "schema/schema_store.hpp"

#include <cstddef>
#include <memory>

namespace etl::decode {

/// Whether schemas embedded in the input traces (event information, manifests of EventSource
/// providers) are among the passing events.
enum class CarriedSchemas : std::uint8_t {
    pass,    // not embedded again
    dropped, // dropped by a filter that keeps no context; embedded like others
};

struct EmbeddingOptions {
    CarriedSchemas carried = CarriedSchemas::pass;
    /// Maximum record size of the writer; larger records are not created.
    std::size_t max_record_size = format::max_record_size;
    /// Describe kinds once for each LoggerId of buffers: the number of an input of a merge, whose
    /// machine has its own schemas.
    bool by_logger = false;
};

/// Results for the events that have passed so far. Kinds are EVENT records of one (provider, ID,
/// version); self-describing events, WPP messages, and classic events need no description.
struct EmbeddingReport {
    std::size_t events = 0;   // schemas embedded
    std::size_t maps = 0;     // maps of fields, embedded
    std::size_t unknown = 0;  // kinds without a schema
    std::size_t existing = 0; // kinds already described in the traces
    /// Schemas and maps that do not fit in a record or cannot be expressed.
    std::size_t too_large = 0;
    std::uint64_t omitted = 0; // events of kinds beyond limits::harvested_schemas
};

/// Returns the events of a source and, before the first event of each kind, its description:
/// TRACE_EVENT_INFO and the maps of its fields, with the time, processor, process, and thread of
/// that event. The source must be in time order, so that each description precedes its events. Uses
/// about 100 bytes per kind.
class EmbeddedSource final : public flow::Source {
public:
    /// `upstream` must outlive this object and must not pause (flow::Source::is_paused). Each
    /// created record belongs to the trace of its event.
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
