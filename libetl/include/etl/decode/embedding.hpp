// The other way round than Harvest: the schemas of the events that occur, as the records that a
// merge embeds in a trace (TRACE_EVENT_INFO, EVENT_MAP_INFO), so that it decodes anywhere.
// docs/format/decoding.md#event-info
#pragma once

#include <etl/flow/source.hpp>
#include <etl/schema/schema_store.hpp>

#include <memory>
#include <span>

namespace etl::decode {

/// What was made of the events that occur.
struct EmbeddingReport {
    std::size_t events = 0;    // schemas embedded
    std::size_t maps = 0;      // of their fields
    std::size_t unknown = 0;   // kinds of event that the store does not describe
    std::size_t there = 0;     // that the trace describes itself already
    std::size_t too_large = 0; // for a record
};

/// Sees which events occur. One per thread; combine() joins them.
class Embedding {
public:
    Embedding();
    Embedding(Embedding&&) noexcept;
    Embedding& operator=(Embedding&&) noexcept;
    ~Embedding();

    /// The events of one buffer, in any order of buffers.
    void add(std::span<const flow::Event> events);

    /// Takes over what another thread found.
    void combine(Embedding&& other);

    /// The records, as events of processor 0 in `trace`, all at the raw time `time`; bounded by
    /// limits. `store` is frozen; schemas that came from the traces themselves and are in them
    /// already are not made again. Once.
    std::unique_ptr<flow::Source> finish(const schema::SchemaStore& store,
                                         const flow::TraceInfo& trace, std::int64_t time,
                                         EmbeddingReport& report);

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace etl::decode
