// etl info --needs: the schemas missing for undecoded events, and the files named in the trace.
#pragma once

#include "cli/progress.hpp"
#include "decode/undecoded.hpp"
#include "facts/named_files.hpp"
#include "trace/reader.hpp"

#include <string>

namespace cli {

struct TraceNeeds {
    etl::decode::Undecoded undecoded;
    etl::facts::NamedFiles files;
};

/// Looks up the schema of every event once, in parallel by buffer.
TraceNeeds find_needs(etl::trace::Reader& reader, const etl::schema::SchemasByTrace& schemas,
                      etl::decode::DecoderOptions options, unsigned threads,
                      PassProgress& progress);

/// The value of the key `needs` (docs/info-and-check.md).
std::string needs_json(const TraceNeeds& needs);

/// The text table.
std::string needs_text(const TraceNeeds& needs);

} // namespace cli
