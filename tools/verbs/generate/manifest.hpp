// The manifest of the events of Kind::event. Pure functions.
#pragma once

#include <etl/provider.hpp>

#include "verbs/generate/recipe.hpp"

#include <string>

namespace cli::generate {

/// Event IDs of each provider of a manifest: 1 to manifest_events.
inline constexpr std::uint16_t manifest_events = 8;

/// The descriptor of an event of the manifest.
etl::provider::EventDescriptor descriptor_of(std::uint16_t id) noexcept;

etl::provider::Provider manifest_provider(std::uint32_t number);

/// Describes the events of all providers.
std::string manifest(const Recipe& recipe);

} // namespace cli::generate
