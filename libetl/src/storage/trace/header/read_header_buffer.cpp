#include "trace/header/read_header_buffer.hpp"

#include "flow/losses.hpp"
#include "format/buffer_header.hpp"
#include "format/kernel_group.hpp"
#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "trace/header/header_buffer.hpp"
#include "trace/index/header_checks.hpp"

#include <utility>

namespace etl::trace {

bool read_header_buffer(Bytes first, flow::TraceInfo& info) {
    namespace head = format::buffer_header;
    namespace record_head = format::system_record;
    if (!is_plausible(first)) {
        return false;
    }
    const auto buffer = first.first<head::size>();
    const Bytes records = clamped(clamped(first, 0, load<head::buffer_size>(buffer)), head::size);
    const format::RecordShape shape = format::record_at(records);
    if (shape.kind.family != format::RecordFamily::system) {
        return false;
    }
    const auto record = records.first<record_head::size>();
    if (load<record_head::hook_id>(record) != format::logfile_header_hook) {
        return false;
    }
    const auto pointer_size = static_cast<std::uint8_t>(shape.kind.width);
    auto header = format::parse_logfile_header(
        records.subspan(record_head::size, shape.size - record_head::size), pointer_size,
        {head::size + record_head::size});
    if (!header) {
        return false;
    }
    info.has_header = true;
    info.header = std::move(*header);
    info.header_pointer_size = pointer_size;
    info.reference_time = shape.time;
    info.process_id = load<record_head::process_id>(record);
    info.thread_id = load<record_head::thread_id>(record);
    info.kernel_time = load<record_head::kernel_time>(record);
    info.user_time = load<record_head::user_time>(record);
    info.logger_id = load<head::logger_id>(buffer);
    const bool has_index =
        (load<head::buffer_flag>(buffer) & format::buffer_flag::processor_index) != 0;
    info.has_processor_index = has_index;
    info.has_alignment_bytes =
        !has_index && (load<head::processor>(buffer) & windows7_alignment) != 0;
    info.clock = flow::Clock(info.header, shape.time);
    info.is_unfinalized = info.header.end_time == 0 && info.header.buffers_written == 0;
    info.has_unknown_losses = flow::indicate_unknown_losses(records);
    return true;
}

std::vector<const char*> header_findings(const flow::TraceInfo& info, std::uint64_t buffers) {
    using namespace format::log_mode;
    const format::LogfileHeader& header = info.header;
    std::vector<const char*> found;
    const auto warn = [&](bool is_wrong, const char* what) {
        if (is_wrong && info.has_header) {
            found.push_back(what);
        }
    };
    warn(!info.is_unfinalized && header.buffers_written < buffers &&
             (header.log_file_mode & (circular | append)) == 0,
         "the file has more buffers than BuffersWritten in its header");
    warn(header.clock_type() == format::ClockType::unknown,
         "unknown clock type; timestamps are interpreted as FILETIME");
    warn(header.clock_type() == format::ClockType::qpc && header.perf_freq <= 0,
         "PerfFreq is not positive; timestamps are interpreted as FILETIME");
    warn(header.number_of_processors == 0, "NumberOfProcessors is 0");
    return found;
}

} // namespace etl::trace
