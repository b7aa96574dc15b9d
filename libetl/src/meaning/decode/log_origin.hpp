// What an event says of the event log that it comes from, and of its user. Values; thread-safe.
// docs/format/evtx.md#as-a-trace
#pragma once

#include "flow/event.hpp"
#include "format/log_origin.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace etl::decode {

/// As format::LogOrigin; the same for all events of a kind.
struct LogOrigin {
    format::LogPayload payload = format::LogPayload::none;
    std::optional<std::uint16_t> qualifiers;
    std::string channel, computer, event_source, xml_namespace; // UTF-8
};

/// Returns the origin in provider traits; null: the event is not of an event log.
std::shared_ptr<const LogOrigin> read_log_origin(Bytes traits);

/// Returns EventRecordID of an event of an event log, which is its extended data item EVENT_KEY;
/// empty: there is none. The caller knows that the event is of an event log.
std::optional<std::uint64_t> record_id(const flow::EventHeader& header) noexcept;

/// As above for any event.
std::optional<std::uint64_t> record_id_if_of_log(const flow::EventHeader& header) noexcept;

/// Returns the SID of the user, as stored and of valid size; empty: the event contains none.
Bytes user_sid(const flow::EventHeader& header) noexcept;

} // namespace etl::decode
