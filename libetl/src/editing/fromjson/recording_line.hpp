// The log file header event of a dump: what the trace that is written is to say of itself.
// docs/write.md#header
#pragma once

#include "fromjson/event_line.hpp"
#include "fromjson/preferred_source.hpp"
#include "trace/recording.hpp"

#include <expected>
#include <vector>

namespace etl::fromjson {

/// True for the event that every trace begins with.
bool is_logfile_header(const EventLine& line);

/// The recording by a line that is_logfile_header(): by its payload, else by its data; with
/// Prefer::data by its payload and then by what its data say otherwise. What neither says is as of
/// a machine of which nothing is known. `reader` has read the line just now.
LineResult<etl::trace::Recording> recording_of(const EventLine& line, const EventLineReader& reader,
                                               PreferredSource prefer);

} // namespace etl::fromjson
