// Provider identity: the traits stored in events, and the GUID derived from the provider name.
// docs/format/decoding.md#provider-traits
#pragma once

#include "base/bytes.hpp"
#include "base/guid.hpp"
#include "base/result.hpp"

#include <optional>
#include <string_view>

namespace etl::format {

/// Provider traits (extended data item 12).
struct ProviderTraits {
    Bytes name;                 // UTF-8
    std::optional<Guid> group;  // trait 1
    std::optional<Guid> decode; // trait 2: replaces the provider GUID for lookup
    Bytes log_origin;           // trait 240, of libetl: see log_origin.hpp
};

/// Parses PROV_TRAITS data. Errors: truncated, malformed.
Result<ProviderTraits> parse_provider_traits(Bytes traits) noexcept;

/// Returns the GUID that TraceLogging and EventSource derive from a provider name. decoding.md part
/// 2.4.
Guid guid_of_provider_name(std::string_view name);

} // namespace etl::format
