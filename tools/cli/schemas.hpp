// Schemas for the traces at hand: those that each trace carries, which serve that trace alone, and
// those that the user points at, which serve all. docs/schemas.md
#pragma once

#include <etl/catalog/catalog.hpp>
#include <etl/decode/harvest.hpp>
#include <etl/facts/origins.hpp>
#include <etl/schema/schemas_by_trace.hpp>

#include "cli/traces.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace cli {

struct SchemaOptions {
    std::vector<std::string> paths;
    bool harvest = true;
    std::string culture = "en-US";

    void add_to(CLI::App& verb);
};

/// What one trace carries, or several that are files of one session's series.
struct CarriedSchemas {
    std::vector<const etl::trace::Reader*> readers;  // of those traces
    std::shared_ptr<etl::schema::SchemaStore> store; // over the base that was given; not frozen
    std::unordered_set<etl::Guid> providers;         // that occur in the traces (decode::Harvest)
};

/// Looks through all traces for the schemas that they carry, and for what they say of their
/// origins, unless that is null. Says on standard error which schemas were refused.
std::vector<CarriedSchemas> harvest(const Traces& traces, unsigned threads,
                                    const std::shared_ptr<const etl::schema::SchemaStore>& base,
                                    etl::facts::OriginCollector* origins = nullptr);

/// Says on standard error which of the schemas that a trace carries were refused, the first of them
/// by name.
void tell_refusals(const std::string& trace, const etl::decode::HarvestReport& report);

/// Takes the traces among the paths of schemas out of them.
std::vector<std::string> take_traces(std::vector<std::string>& paths);

/// Adds what traces carry that the user named as sources of schemas. Says on standard error why one
/// cannot be used; false if none can.
bool lend(std::vector<std::string> paths, unsigned threads, etl::schema::SchemaStore& to);

/// Says on standard error which schema files were refused, but for the first `told` remarks.
void tell_refusals(const etl::catalog::Catalog& catalog, std::size_t told = 0);

/// The schemas for each of the traces. Says on standard error what was refused; none if a schema
/// file that the user named cannot be used at all. `files`, if not null, is set to where those of
/// files came from. In the same pass what the traces say of their origins, unless that is null.
std::optional<etl::schema::SchemasByTrace>
gather_schemas(const SchemaOptions& options, const Traces& traces, unsigned threads,
               std::optional<etl::catalog::Catalog>* files = nullptr,
               etl::facts::OriginCollector* origins = nullptr);

/// What the traces say of their origins, in a pass of its own.
void gather_origins(const Traces& traces, unsigned threads, etl::facts::OriginCollector& origins);

/// The origins of the traces.
std::shared_ptr<const etl::facts::Origins> origins_of(const Traces& traces,
                                                      const etl::facts::OriginCollector& collected);

} // namespace cli
