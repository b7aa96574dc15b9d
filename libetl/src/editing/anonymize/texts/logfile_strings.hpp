// Session name and file name in a log file header. Private to anonymize.
// docs/format/logfile-header.md
#pragma once

#include "anonymize/texts/rewriter.hpp"
#include "format/logfile_header.hpp"

namespace etl::anonymize {

/// In place.
KindSet rewrite_strings(format::LogfileHeader& header, Rewriter& rewriter);

/// Likewise, and names of the time zone; pointers of the logger become zeros, and a
/// missing file name "trace.etl".
void rewrite_header(format::LogfileHeader& header, Rewriter& rewriter);

/// The strings of the payload of a log file header record, in place; nothing when it is none.
KindSet rewrite_logfile_payload(MutableBytes payload, unsigned pointer_size, Rewriter& rewriter);

} // namespace etl::anonymize
