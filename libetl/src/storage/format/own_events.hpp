// The self-describing events that libetl writes itself, and what they carry.
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/guid.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace etl::format::losses_event {

// The event `LibEtl.Losses/Unknown`: more events and buffers can be lost than EventsLost and
// BuffersLost of the log file header count. A trace that is written from one that does not state
// its losses (an unfinalized one, or one without a header) contains it, since its own header is
// finalized. docs/repair.md#unknown

/// The GUID is derived from the name as in TraceLogging, so that `--provider LibEtl.Losses` matches
/// it. The provider has no other event: one with another ID comes from elsewhere.
inline constexpr std::string_view provider_name = "LibEtl.Losses";
inline constexpr Guid provider = *parse_guid("7f3018b2-a6d9-5da7-300d-848bf29d29eb");
inline constexpr std::string_view name = "Unknown";
inline constexpr std::uint16_t id = 0;

} // namespace etl::format::losses_event

namespace etl::format::source_event {

// The event `Etl-Merge/Source`, which identifies an input of a merge: one per input, before all
// other events. The buffers of an input have its number as LoggerId. docs/merge.md#sources

/// The GUID is derived from the name as in TraceLogging, so that `--provider Etl-Merge` matches it.
inline constexpr std::string_view provider_name = "Etl-Merge";
inline constexpr Guid provider = *parse_guid("db41954b-010e-5779-8fff-439d2ecd2866");
inline constexpr std::string_view name = "Source";
inline constexpr std::uint16_t id = 0;

} // namespace etl::format::source_event

namespace etl::format {

// What they carry: blobs that begin with their size. docs/format/decoding.md

/// Returns the blob; its first two bytes become its size.
inline std::vector<std::byte> with_size(ByteWriter& blob) {
    blob.patch(0, static_cast<std::uint16_t>(blob.size()));
    return blob.take();
}

/// Returns provider traits with a name only. `name`: UTF-8.
inline std::vector<std::byte> provider_traits(std::string_view name) {
    ByteWriter blob;
    return with_size(blob.u16(0).zero_terminated8(name));
}

} // namespace etl::format
