// The place of an event in an event log (.evtx) that was converted into a trace: a provider trait
// of our own. docs/format/evtx.md#as-a-trace
#pragma once

#include <etl/byte_writer.hpp>

#include <cstdint>
#include <optional>

namespace etl::format {

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

} // namespace etl::format
