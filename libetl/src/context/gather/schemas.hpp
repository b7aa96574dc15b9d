// Schemas for a set of traces: those that each trace carries, which serve that trace alone, and
// those of schema files, which serve all. docs/schemas.md
#pragma once

#include "catalog/catalog.hpp"
#include "decode/harvest.hpp"
#include "facts/origins.hpp"
#include "gather/remark.hpp"
#include "schema/schema_set.hpp"
#include "schema/schema_store.hpp"
#include "trace/reader.hpp"

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace etl::gather {

/// Whether there are schema files besides what traces carry: below these paths, or in the
/// environment.
bool has_schema_files(const std::vector<std::string>& paths);

/// None of them null.
using Readers = std::span<const std::unique_ptr<trace::Reader>>;

/// The schemas of one trace, or of the files of one session's series, which rely on each other; or
/// of the inputs of a merge that are of one machine and boot.
struct CarriedSchemas {
    std::vector<trace::Reader*> readers;
    /// Inputs of a merge that are of one machine and boot, by place from 1; 0: all of it. Empty:
    /// all events of the readers.
    std::vector<std::uint16_t> merged_inputs;
    std::shared_ptr<schema::SchemaStore> store; // over the given base; not frozen
    std::unordered_set<Guid> providers;         // that occur (decode::Harvest::providers)
};

/// Reads all traces once and collects the schemas that they carry, and the facts about their
/// origins unless `origins` is null. Reports schemas that were rejected. `threads` is at least 1.
std::vector<CarriedSchemas> harvest(Readers readers, unsigned threads,
                                    const std::shared_ptr<const schema::SchemaStore>& base,
                                    RemarkSink remarks, facts::OriginCollector* origins = nullptr);

/// Returns the build of Windows of what carries the schemas; 0: unknown, or several. `origins` are
/// those of the readers.
std::uint32_t build_of(const CarriedSchemas& carried, const facts::Origins& origins);

/// Reads all traces once and returns the schemas of their TraceLogging events, each once
/// (decode::TraceLoggingHarvest). `threads` is at least 1.
schema::SchemaSet tracelogging_of(std::span<trace::Reader* const> readers, unsigned threads,
                                  RemarkSink remarks);

/// Reports schemas of the trace named `trace` that were rejected.
void report_rejections(const std::string& trace, const decode::HarvestReport& report,
                       RemarkSink remarks);

/// Reports schema files that were rejected or are used in part, except the first `reported` remarks
/// of the catalog.
void report_rejections(const catalog::Catalog& catalog, RemarkSink remarks,
                       std::size_t reported = 0);

/// Which schemas are needed.
enum class SchemaScope : std::uint8_t {
    everything, // those that the traces carry, and of files those of the providers that occur
    files,      // those of all files; the traces are not read
    facts,      // of files, those of facts::providers_of_facts(); the traces are not read
};

struct SchemaOptions {
    /// Files, directories, and archives of schemas, or traces that carry schemas; traces come
    /// first.
    std::vector<std::string> paths{};
    std::string culture = "en-US"; // of messages
    SchemaScope scope = SchemaScope::everything;
    unsigned threads = 1; // that read traces
};

/// Schema files, not parsed yet, and the schemas of the traces among the paths.
struct SchemaFiles {
    catalog::Catalog catalog;
    std::shared_ptr<schema::SchemaStore> store; // not frozen
};

/// Opens the paths of the options and those of the environment. Errors: a path of the options that
/// cannot be used (catalog::Catalog::open, trace::open_inputs, trace::Reader::open).
std::expected<SchemaFiles, catalog::PathError> open_schema_files(const SchemaOptions& options,
                                                                 RemarkSink remarks);

struct Schemas {
    schema::SchemasByTrace by_trace;
    catalog::Catalog files; // from which they were loaded
};

/// Gathers the schemas for all events of the traces: reads the traces once unless
/// `options.scope` says otherwise, and loads the schema files of the providers that occur. Also
/// collects the facts about origins, unless `origins` is null. Errors: as open_schema_files().
std::expected<Schemas, catalog::PathError> schemas_of(Readers readers, const SchemaOptions& options,
                                                      RemarkSink remarks,
                                                      facts::OriginCollector* origins = nullptr);

} // namespace etl::gather
