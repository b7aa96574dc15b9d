// Which layout the data of an extended data item has, judged by type, exact size, and content.
// docs/format/record.md#extended
#pragma once

#include <etl/record.hpp>

namespace etl::format {

enum class ItemLayout : std::uint8_t {
    unknown,         // unknown type, or data that its type cannot have
    numbers,         // keys, counters, addresses, and GUIDs
    sid,             // one SID, without bytes after it
    event_schema,    // begins with a valid size of TraceLogging metadata
    provider_traits, // begins with a valid size of traits
};

/// Returns the layout of an item, judged by type, exact size, and content. Numbers and SIDs have
/// exactly the size of their type; bytes after metadata and traits are permitted.
ItemLayout layout_of(const ExtendedItem& item) noexcept;

/// Size of the meaningful data of a STACK_KEY32 item; the rest is padding.
inline constexpr std::size_t stack_key32_size = 12;

} // namespace etl::format
