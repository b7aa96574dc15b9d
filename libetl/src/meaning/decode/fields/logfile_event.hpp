// The log file header as an event: EventTrace/Header. Its payload is not in the order, nor all of
// the kind, that a plan could describe, so its parts are laid out anew. Private to decode.
// docs/output.md#header
#pragma once

#include <etl/bytes.hpp>

#include "schema/event_schema.hpp"

#include <memory>
#include <vector>

namespace etl::decode {

/// What lay_out_logfile_header() writes.
std::shared_ptr<const schema::EventSchema> logfile_header_schema();

/// Fills `to` with the parts of the payload of a log file header. False: it is none; `to` is then
/// empty.
bool lay_out_logfile_header(Bytes payload, unsigned pointer_size, std::vector<std::byte>& to);

} // namespace etl::decode
