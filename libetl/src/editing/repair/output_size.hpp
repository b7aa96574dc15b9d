// How large the buffers of a repaired trace are.
#pragma once

#include "trace/reader.hpp"
#include "trace/recording.hpp"

namespace etl::repair {

/// BufferSize of the trace where its buffers lie as they are; of a compressed one that, or no more
/// than they hold. There is room for every buffer, and for the header that `recording` makes. What
/// a damaged buffer claims to hold beyond BufferSize counts only as far as there are records in it:
/// such buffers are looked into. 0: buffers so large would make more than limits::unpacked_bytes,
/// and more than the input, even if what does not fit in a smaller one was left out.
std::uint32_t output_buffer_size(trace::Reader& reader, bool has_head,
                                 const trace::Recording& recording);

} // namespace etl::repair
