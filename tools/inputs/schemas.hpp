// Schemas for the traces on a command line: the options, and remarks on standard error.
// docs/schemas.md
#pragma once

#include "cli/event_filter.hpp"
#include "inputs/traces.hpp"

#include <optional>
#include <string>
#include <vector>

namespace cli {

struct SchemaOptions {
    std::vector<std::string> paths;
    bool harvest = true;
    std::string culture = "en-US";
    bool for_facts = false; // gather::SchemaScope::facts; not an option

    void add_to(Verb& verb);
    etl::gather::SchemaOptions for_threads(unsigned threads) const;
    etl::gather::SchemaScope scope() const noexcept;
};

/// What filters need to know of the traces before their events.
etl::dataset::Needs needs_of(const FilterOptions& filters);

/// Prints it on standard error.
inline constexpr auto say_remark = [](const etl::gather::Remark& remark) {
    say(printable(etl::gather::describe(remark)));
};

/// Sets the schema files that the dataset finds schemas in.
void prepare(const Traces& traces, const SchemaOptions& options);

/// Dataset::context() with the schemas of the options. Prints remarks, and the error if a schema
/// file that the user named cannot be used; then there is none.
std::optional<etl::dataset::Context> context_of(const Traces& traces, const SchemaOptions& options,
                                                etl::dataset::Needs needs = {});

} // namespace cli
