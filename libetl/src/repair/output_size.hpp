// How large the buffers of a repaired trace are.
#pragma once

#include <etl/trace/reader.hpp>
#include <etl/trace/recording.hpp>

namespace etl::repair {

/// BufferSize of the trace where its buffers lie as they are; of a compressed one no more than they
/// hold. There is room for every buffer, and for the header that `recording` makes.
std::uint32_t output_buffer_size(const flow::TraceInfo& trace,
                                 std::span<const trace::BufferEntry> buffers,
                                 const trace::Recording& recording);

} // namespace etl::repair
