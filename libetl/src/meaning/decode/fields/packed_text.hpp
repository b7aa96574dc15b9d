// Texts that a merge put into a trace, compressed: WinSAT's assessments, PerfTrack's metadata.
// Private to decode. docs/format/decoding.md#injected-payloads
#pragma once

#include "flow/event.hpp"
#include "schema/event_schema.hpp"

#include <memory>
#include <vector>

namespace etl::decode {

/// The records that hold such texts, by class and type.
bool is_packed_text(const Guid& event_class, std::uint8_t type) noexcept;

/// What lay_out_packed_text gives: the numbers before the text, then the text.
std::shared_ptr<const schema::EventSchema> packed_text_schema(const Guid& event_class);

/// Unpacks the payload into `to`, the text as UTF-8. Returns what is wrong with it, or null; what
/// could be unpacked is there all the same.
const char* lay_out_packed_text(const flow::EventHeader& header, std::vector<std::byte>& to);

} // namespace etl::decode
