// Providers that a command line names: registered ones, and those that schemas describe.
#pragma once

#include <etl/machine/controller.hpp>
#include <etl/schema/event_schema.hpp>
#include <etl/session/listing.hpp>

#include "cli/provider_spec.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// A provider that a specification names.
struct NamedProvider {
    etl::Guid guid;
    ProviderSpec spec;
};

/// Returns the providers that the specifications name. Prints one that matches nothing; then there
/// are none.
std::optional<std::vector<NamedProvider>> find_providers(etl::machine::Controller& host,
                                                         const std::vector<ProviderSpec>& specs);

/// Names of the registered providers, and built-in names. Empty if a provider has neither.
etl::session::NameLookup names_of(etl::machine::Controller& host);

using DescribedProviders = std::vector<std::shared_ptr<const etl::schema::ProviderNames>>;

/// Returns the named providers of the schemas that `etl dump` uses without options, each once.
DescribedProviders read_described_providers();

} // namespace cli
