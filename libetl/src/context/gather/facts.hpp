// Facts about a set of traces: processes and images, origins, time bounds. docs/enrich.md
#pragma once

#include "facts/collector.hpp"
#include "facts/origins.hpp"
#include "gather/schemas.hpp"
#include "match/time_point.hpp"

#include <memory>

namespace etl::gather {

/// Reads all traces once and collects the facts about their machines, of each scope by its number
/// in Scopes. Reports facts beyond the limits, and what Scopes::report() does. `threads` is at
/// least 1.
std::shared_ptr<const facts::FactsByTrace> facts_of(Readers readers,
                                                    const schema::SchemasByTrace& schemas,
                                                    const facts::CollectorOptions& options,
                                                    unsigned threads, RemarkSink remarks);

/// Returns whether events may come from several traces: there are several, or one that was merged.
bool may_have_several_origins(Readers readers) noexcept;

/// Reads all traces once and collects the facts about their origins.
std::shared_ptr<const facts::Origins> origins_of(Readers readers, unsigned threads);

/// As above, from facts that were collected by schemas_of().
std::shared_ptr<const facts::Origins> origins_of(Readers readers,
                                                 const facts::OriginCollector& collected);

/// Returns when the first trace starts and when the last buffer of all traces was written, for
/// relative times. Of a relogged trace, whose buffers do not state that, when its last event
/// happened.
match::TimeBounds bounds_of(Readers readers);

} // namespace etl::gather
