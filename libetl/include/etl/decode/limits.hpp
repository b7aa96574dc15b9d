// Bounds of the room decode, each with its reason. As etl/base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::limits {

/// Text of one record that a merge packed into it. The largest one seen has 24,544 bytes.
inline constexpr std::size_t compressed_text_bytes = 1U << 20U;

/// Values that one event may yield: a payload has at most 64 KB, and elements without bytes
/// (null, empty structures) must not multiply without end.
inline constexpr std::uint32_t values_per_event = 1U << 17U;

/// Text that one message is rendered to, give or take its last insert: inserts can be named
/// thousands of times. FormatMessage gives at most 64 KB.
inline constexpr std::size_t message_bytes = 256U << 10U;

/// Text that a `%%n` of a value may stand for: a payload can hold thousands of them. Windows' own
/// are words like "Delete".
inline constexpr std::size_t parameter_bytes = 1024;

/// Text of one rendered WPP message: a payload may be repeated by each insert.
inline constexpr std::size_t wpp_message_bytes = 1U << 18U;

/// Distinct schemas that a trace itself may teach us.
inline constexpr std::size_t harvested_schemas = 1U << 17U;

/// TraceLogging schemas kept by one decoder before it starts over.
inline constexpr std::size_t cached_schemas = 1U << 14U;

/// Bytes that those may occupy, roughly, in one decoder and the texts an encoder keeps with them: a
/// hostile trace brings schemas of thousands of fields.
inline constexpr std::size_t cached_schema_bytes = 16U << 20U;

/// Kinds of events that are told apart in a count of what stays raw; a hostile trace has as many as
/// records.
inline constexpr std::size_t undecoded_kinds = 1U << 14U;

} // namespace etl::limits
