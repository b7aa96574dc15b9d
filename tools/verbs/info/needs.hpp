// etl info --needs: which schemas would decode what stays raw, and which files the trace names.
#pragma once

#include <etl/decode/undecoded.hpp>
#include <etl/facts/named_files.hpp>
#include <etl/trace/reader.hpp>

#include "cli/progress.hpp"

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

/// The table for people.
std::string needs_text(const TraceNeeds& needs);

} // namespace cli
