// What one pass over all records of a trace finds.
#pragma once

#include "cli/progress.hpp"
#include "facts/machine.hpp"
#include "schema/schema_store.hpp"
#include "trace/reader.hpp"
#include "trace/summary.hpp"
#include "verbs/info/shown.hpp"

namespace cli {

struct Overview {
    etl::trace::Summary summary;
    etl::facts::MachineCollector machine;
};

/// Reads all buffers of a trace, in parallel.
Overview look_over(etl::trace::Reader& reader, unsigned threads, PassProgress& progress);

/// Returns what is shown of a trace, without enabled providers, decoding, and needs. All must
/// outlive it.
ShownTrace shown_of(const etl::trace::Reader& reader, const Overview& overview,
                    const etl::schema::SchemasByTrace& schemas);

} // namespace cli
