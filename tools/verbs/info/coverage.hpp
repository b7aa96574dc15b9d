// etl info --decode: how many events are decoded, by which schemas, and why others are not.
#pragma once

#include "cli/progress.hpp"
#include "decode/coverage.hpp"
#include "trace/reader.hpp"

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

/// The label of a provider in the text output.
struct LabelledProvider {
    etl::Guid guid;
    std::string label;
};

/// The text table: all events, then one row per provider, in the order given.
std::string coverage_text(const etl::decode::Coverage& coverage,
                          std::span<const LabelledProvider> providers);

} // namespace cli
