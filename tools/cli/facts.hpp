// What the traces at hand tell about their machines, for --enrich.
#pragma once

#include <etl/facts/collector.hpp>

#include "cli/traces.hpp"

#include <memory>

namespace cli {

/// Looks through all traces. Says on standard error what had to be left out.
std::shared_ptr<const etl::facts::FactsByTrace>
gather_facts(const Traces& traces, const etl::schema::SchemasByTrace& schemas,
             const etl::facts::CollectorOptions& options, unsigned threads);

} // namespace cli
