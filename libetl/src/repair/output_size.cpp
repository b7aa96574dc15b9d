#include "repair/output_size.hpp"

#include <etl/base/limits.hpp>
#include <etl/format/records.hpp>

#include <algorithm>

namespace etl::repair {

namespace {

constexpr std::uint64_t granule = 512;
constexpr std::uint32_t smallest_buffer = 1024;

/// Of the header buffer, padding included.
std::uint64_t header_size(const trace::Recording& recording) {
    return format::buffer_header::size + format::system_record::size +
           format::encode_logfile_header(recording.header, recording.header_pointer_size).size() +
           recording.extras.size() + 4 * sizeof(std::uint64_t);
}

} // namespace

std::uint32_t output_buffer_size(const flow::TraceInfo& trace,
                                 std::span<const trace::BufferEntry> buffers,
                                 const trace::Recording& recording) {
    std::uint64_t need =
        std::max({std::uint64_t{smallest_buffer}, std::uint64_t{trace::buffer_size_for(trace)},
                  header_size(recording)});
    for (const trace::BufferEntry& buffer : buffers) {
        const std::uint32_t unpacked = buffer.used != 0 ? buffer.used : trace.header.buffer_size;
        need = std::max<std::uint64_t>(need, buffer.is_compressed() ? unpacked : buffer.disk_size);
    }
    const std::uint64_t size = (need + granule - 1) / granule * granule;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(size, limits::buffer_bytes));
}

} // namespace etl::repair
