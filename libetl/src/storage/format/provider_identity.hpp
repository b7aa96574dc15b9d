// Provider identity: the traits stored in events, and the GUID derived from the provider name.
// docs/format/decoding.md#provider-traits
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>
#include <etl/record.hpp>

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

} // namespace etl::format
