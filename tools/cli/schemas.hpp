// Schemas for the traces at hand: those that the traces carry, and those that the user points at.
#pragma once

#include <etl/catalog/catalog.hpp>
#include <etl/decode/harvest.hpp>
#include <etl/schema/schema_store.hpp>

#include "cli/traces.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace cli {

struct SchemaOptions {
    std::vector<std::string> paths;
    bool harvest = true;
    std::string culture = "en-US";

    void add_to(CLI::App& verb);
};

/// Looks through all traces for the schemas that they carry.
etl::decode::Harvest harvest_all(const Traces& traces, unsigned threads);

/// Says on standard error which of the schemas that traces carry were refused, the first of them by
/// name, and whether some were left out.
void tell_refusals(const etl::decode::HarvestReport& report);

/// Says on standard error which schema files were refused, but for the first `told` remarks.
void tell_refusals(const etl::catalog::Catalog& catalog, std::size_t told = 0);

/// Fills `store` and freezes it. Says on standard error what was refused; false when a schema file
/// that the user named cannot be used at all.
bool gather_schemas(const SchemaOptions& options, const Traces& traces, unsigned threads,
                    etl::schema::SchemaStore& store);

} // namespace cli
