// Schemas for the traces on a command line: the options, and remarks on standard error.
// docs/schemas.md
#pragma once

#include "cli/verb.hpp"
#include "gather/schemas.hpp"
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
};

/// Prints it on standard error.
inline constexpr auto say_remark = [](const etl::gather::Remark& remark) {
    say(printable(etl::gather::describe(remark)));
};

/// gather::schemas_of() for the traces. Prints remarks, and the error if a schema file that the
/// user named cannot be used; then there are none.
std::optional<etl::gather::Schemas> gather_schemas(const SchemaOptions& options,
                                                   const Traces& traces, unsigned threads,
                                                   etl::facts::OriginCollector* origins = nullptr);

} // namespace cli
