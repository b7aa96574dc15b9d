// Limits of the room decode, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::decode::limits {

/// Decompressed text of a record compressed by a merge. The largest one seen has 24,544 bytes.
inline constexpr std::size_t compressed_text_bytes = 1U << 20U;

/// Values per event: a payload has at most 64 KB, but elements without bytes (null, empty
/// structures) must be bounded.
inline constexpr std::uint32_t values_per_event = 1U << 17U;

/// Greatest length that is tried for binary without a length: hashes have up to 64 bytes.
inline constexpr std::size_t tried_length = 64;

/// Text of one rendered message, plus at most its last insert: inserts can be repeated thousands of
/// times. FormatMessage returns at most 64 KB.
inline constexpr std::size_t message_bytes = 256U << 10U;

/// Text that replaces one `%%n` in a value: a payload can contain thousands of them. Those of
/// Windows are words such as "Delete".
inline constexpr std::size_t parameter_bytes = 1024;

/// Text of one rendered WPP message: each insert can repeat the payload.
inline constexpr std::size_t wpp_message_bytes = 1U << 18U;

/// Distinct schemas harvested from a trace.
inline constexpr std::size_t harvested_schemas = 1U << 17U;

/// Starts of processes that limit what an EventSource manifest is for. A busy machine starts a few
/// thousand in an hour.
inline constexpr std::size_t harvested_process_starts = 1U << 18U;

/// TraceLogging schemas cached by one decoder before it clears its cache.
inline constexpr std::size_t cached_schemas = 1U << 14U;

/// Approximate memory of those schemas in one decoder, including the texts that an encoder caches
/// with them: a hostile trace can contain schemas with thousands of fields.
inline constexpr std::size_t cached_schema_bytes = 16U << 20U;

/// Events of a trace of an unknown build of Windows whose layouts are tried, and fields of these
/// layouts. A plan has about 100 bytes for each, and each thread has its own.
inline constexpr std::size_t tried_events = 1U << 14U;
inline constexpr std::size_t tried_fields = 1U << 15U;

/// Kinds of events that have numbers, and bytes of what identifies them: a hostile trace can have
/// as many kinds as records, each with metadata of 64 KB.
inline constexpr std::size_t numbered_kinds = 1U << 14U;
inline constexpr std::size_t numbered_kind_bytes = 32U << 20U;

/// Kinds of undecoded events counted separately; a hostile trace can have as many kinds as records.
inline constexpr std::size_t undecoded_kinds = 1U << 14U;

} // namespace etl::decode::limits
