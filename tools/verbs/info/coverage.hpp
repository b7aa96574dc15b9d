// etl info --decode: how much of a trace can be decoded, by what, and why not the rest.
#pragma once

#include <etl/decode/coverage.hpp>
#include <etl/trace/reader.hpp>

#include "cli/progress.hpp"

#include <memory>
#include <span>
#include <string>

namespace cli {

/// Decodes every event of a trace once, in parallel by buffer.
etl::decode::Coverage measure_coverage(etl::trace::Reader& reader,
                                       const etl::schema::SchemasByTrace& schemas,
                                       etl::decode::DecoderOptions options, unsigned threads,
                                       PassProgress& progress);

/// The value of the key `decoding` (docs/info-and-check.md).
std::string coverage_json(const etl::decode::CoverageCounts& counts);

/// What the text calls a provider.
struct LabelledProvider {
    etl::Guid guid;
    std::string label;
};

/// The table for people: all events, then one row for each provider, in the order given.
std::string coverage_text(const etl::decode::Coverage& coverage,
                          std::span<const LabelledProvider> providers);

} // namespace cli
