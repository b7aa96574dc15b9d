// Providers on the command line, and their labels in tables and messages.
#pragma once

#include <etl/guid.hpp>
#include <etl/session.hpp>

#include "schema/schema_store.hpp"

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace cli {

/// `MSNT_SystemTrace/CLASS` for kernel classes, else `name`, which may be empty.
std::string label_of(const etl::Guid& provider, std::string_view name);

/// The same, with the name from a store or the built-in table. `store` may be null.
std::string label_of(const etl::Guid& provider, const etl::schema::SchemaStore* store);

// What to enable: `Name:keywords:level:'stack'`, several joined by `+`, as in xperf and logman.

struct ProviderSpec {
    std::string provider; // name, glob, or GUID as written
    etl::session::EnableOptions enable;
};

/// The parts of a specification as written; empty: missing.
struct SpecParts {
    std::string_view provider, keywords, level, properties;
};

/// Parses the parts of one specification; `all` is the text for messages.
std::expected<ProviderSpec, std::string> parse_provider_spec(const SpecParts& parts,
                                                             std::string_view all);

/// Parses one or more specifications joined by `+`. Keywords are hexadecimal with 0x, or decimal,
/// and 0 if missing (all); levels are numbers or names, and 0 if missing (all). Returns the reason
/// if the text is not valid.
std::expected<std::vector<ProviderSpec>, std::string> parse_provider_specs(std::string_view text);

} // namespace cli
