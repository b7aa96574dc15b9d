// Providers that a command line names: registered ones, and those that schemas describe.
#pragma once

#include <etl/machine.hpp>
#include <etl/session.hpp>

#include "cli/provider_spec.hpp"
#include "schema/event_schema.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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

/// The names that programs gave their providers, also programs that have ended if a session records
/// the provider; else those of schemas. Empty if a provider has neither.
etl::session::NameLookup names_of(etl::machine::Controller& host);

using DescribedProviders = std::vector<std::shared_ptr<const etl::schema::ProviderNames>>;

/// Returns the named providers of the schemas that `etl dump` uses without options, each once;
/// those that only classes describe have no GUID of their own, and are left out.
DescribedProviders read_described_providers();

/// The names of the bits of a mask, joined by commas; empty if one has none, or all bits are set.
std::string keyword_names(const DescribedProviders& providers, const etl::Guid& provider,
                          std::uint64_t mask);

/// The mask of names joined by commas, in any case; nothing if the provider, by name or GUID, has
/// no such keyword.
std::optional<std::uint64_t> keyword_mask(const DescribedProviders& providers,
                                          const std::string& provider, std::string_view names);

} // namespace cli
