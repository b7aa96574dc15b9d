// TRACE_LOGFILE_HEADER: the payload of the first record of a trace. docs/format/logfile-header.md
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/log_file.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace etl::format {

/// Parses the payload of a log file header record. `pointer_size` (4 or 8) comes from the record's
/// header type, not from the PointerSize field. Missing strings are empty. Errors: truncated.
Result<LogfileHeader> parse_logfile_header(Bytes payload, unsigned pointer_size, FileOffset where);

/// Returns the payload of a header; the inverse of the parser.
std::vector<std::byte> encode_logfile_header(const LogfileHeader& header, unsigned pointer_size);

} // namespace etl::format
