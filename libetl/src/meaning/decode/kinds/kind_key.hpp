// What sort of record an event is, and what tells its kind from others. Private to decode.
#pragma once

#include "decode/kinds/kind_table.hpp"

namespace etl::decode {

/// What sort of record it is, as far as finding a schema goes.
enum class Family : std::uint8_t {
    other, // TIMED, ERROR, WNODE, ...: never decoded
    event,
    string,         // an event that is one string
    manifest_chunk, // of an EventSource
    classic,
    kernel,
    logfile_header,
    packed_text, // a text that a merge compressed
    message,     // WPP
};

Family family_of(const flow::Event& event, const flow::EventHeader& header) noexcept;

EventItems sort_items(const flow::EventHeader& header) noexcept;

/// The identity of the event's kind. Payloads matter only for telling a manifest chunk. `schemas`
/// is the number of the store that serves the event's trace.
KindKey key_of(const flow::EventHeader& header, const EventItems& items, Family family,
               std::uint16_t schemas) noexcept;

} // namespace etl::decode
