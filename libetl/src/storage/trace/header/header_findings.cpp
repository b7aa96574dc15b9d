#include "trace/header/header_findings.hpp"

namespace etl::trace {

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
