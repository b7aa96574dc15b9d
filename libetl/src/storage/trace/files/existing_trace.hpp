// What a file holds that a session wants to append to. docs/format/writing.md#append
#pragma once

#include "trace/header/header_buffer.hpp"

namespace etl::trace {

struct ExistingTrace {
    HeaderBuffer header;
    std::uint64_t buffers = 0; // whole ones, that of the header included
    std::int64_t last_sequence = 0;
};

/// Reads the header buffer and the headers of all others. Errors: not_a_trace, unsupported
/// (compressed, or in a container), malformed (another shape than the session's, circular, or
/// damaged), io_failure.
Result<ExistingTrace> read_existing(io::WritableFile& file, const Recording& recording,
                                    const LogFileOptions& options);

} // namespace etl::trace
