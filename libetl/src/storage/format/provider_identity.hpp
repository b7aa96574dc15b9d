// Provider identity: the traits stored in events, and the GUID derived from the provider name.
// docs/format/decoding.md#provider-traits
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/guid.hpp>
#include <etl/record.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace etl::format {

/// Provider traits (extended data item 12).
struct ProviderTraits {
    Bytes name;                 // UTF-8
    std::optional<Guid> group;  // trait 1
    std::optional<Guid> decode; // trait 2: replaces the provider GUID for lookup
    Bytes log_origin;           // trait 240, of libetl: LogOrigin
};

/// Parses PROV_TRAITS data. Errors: truncated, malformed.
Result<ProviderTraits> parse_provider_traits(Bytes traits) noexcept;

// The place of an event in an event log (.evtx) that was converted into a trace: a provider trait
// of our own. docs/format/evtx.md#as-a-trace

/// Type of the provider trait. Windows uses 1 and 2, and skips types that it does not know.
inline constexpr std::uint8_t log_origin_trait = 240;

/// The element that holds the payload. The numbers are stored.
enum class LogPayload : std::uint8_t {
    none,
    event_data,
    user_data,
    debug_data,
    binary_event_data,
    processing_error_data,
    other,
};

/// Strings are UTF-8 without NUL; what the event does not contain is empty.
struct LogOrigin {
    LogPayload payload = LogPayload::none;
    std::optional<std::uint16_t> qualifiers; // attribute Qualifiers of EventID
    Bytes channel, computer;
    Bytes event_source;  // attribute EventSourceName of Provider
    Bytes xml_namespace; // declarations: docs/format/evtx.md#as-a-trace
};

/// Tags of the fields of such events.
inline constexpr std::uint32_t unnamed_field_tag = 1U << 21U;   // `Data` without a name, or text
inline constexpr std::uint32_t attribute_field_tag = 2U << 21U; // an attribute of the structure

/// Appends the trait with its size and type; strings end at their first NUL.
void append_log_origin(ByteWriter& to, const LogOrigin& origin);

/// Returns the origin in PROV_TRAITS data, as views; empty: the event is not of an event log, or
/// the trait is malformed.
std::optional<LogOrigin> parse_log_origin(Bytes traits) noexcept;

/// SHA-1 (FIPS 180-4), only to derive provider GUIDs from names; nothing here is about security.
std::array<std::byte, 20> sha1(Bytes message);

} // namespace etl::format
