// Payloads whose parts are laid out anew, because no plan could describe them as they are. Private
// to decode.
#pragma once

#include <etl/bytes.hpp>

#include "flow/event.hpp"
#include "schema/event_schema.hpp"

#include <memory>
#include <vector>

namespace etl::decode {

// The log file header as an event: EventTrace/Header. Its payload is not in the order, nor all of
// the kind, that a plan could describe. docs/output.md#header

/// What lay_out_logfile_header() writes.
std::shared_ptr<const schema::EventSchema> logfile_header_schema();

/// Fills `to` with the parts of the payload of a log file header. False: it is none; `to` is then
/// empty.
bool lay_out_logfile_header(Bytes payload, unsigned pointer_size, std::vector<std::byte>& to);

// Texts that a merge put into a trace, compressed: WinSAT's assessments, PerfTrack's metadata.
// docs/format/decoding.md#injected-payloads

/// The records that hold such texts, by class and type.
bool is_packed_text(const Guid& event_class, std::uint8_t type) noexcept;

/// What lay_out_packed_text gives: the numbers before the text, then the text.
std::shared_ptr<const schema::EventSchema> packed_text_schema(const Guid& event_class);

/// Unpacks the payload into `to`, the text as UTF-8. Returns what is wrong with it, or null; what
/// could be unpacked is there all the same.
const char* lay_out_packed_text(const flow::EventHeader& header, std::vector<std::byte>& to);

} // namespace etl::decode
