// Immutable properties of one trace. Thread-safe.
#pragma once

#include <etl/bytes.hpp>

#include "flow/clock.hpp"
#include "format/logfile_header.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::flow {

/// A point at which the clock was set back during recording. Raw timestamps of the latest event
/// before it and the earliest event after it, on the processors that show it. The clock was set
/// back by at least the difference.
struct ClockRollback {
    std::int64_t before = 0;
    std::int64_t after = 0;
    FileOffset where{};       // offset of the first buffer with events recorded after it
    std::uint64_t buffer = 0; // number of that buffer
};

/// The file from which the buffers of a trace are mapped. It may be truncated at any time; bytes
/// read beyond its end since then are zeros. Thread-safe.
class Backing {
public:
    Backing() = default;
    Backing(const Backing&) = delete;
    Backing& operator=(const Backing&) = delete;
    virtual ~Backing() = default;

    /// Returns the current size. Costs a system call.
    virtual std::uint64_t intact_size() const noexcept = 0;
};

/// An input of a merge, as the merged trace records it. docs/merge.md#sources
struct MergedInput {
    std::uint16_t number = 0; // from 1; the LoggerId of its buffers
    std::string file;         // file name without directory
    std::string path;         // input as it was named; of earlier merges: as `file`
    std::u16string session;
    Filetime start, boot; // as its header records them; 0: not recorded
    std::uint32_t first_processor = 0, last_processor = 0; // numbers in the merged trace
    std::uint32_t events_lost = 0, buffers_lost = 0;
    std::uint32_t missing_buffers = 0; // of buffers_lost; the session counted the others
    std::int64_t offset = 0;           // 100 ns by which its times were shifted
    std::uint32_t build = 0;           // of Windows, as its header records it; 0: not recorded
};

struct TraceInfo {
    std::string name;       // name of the input, for messages
    std::uint32_t file = 0; // input number, in the order given
    /// The inputs of a merge that records them, by their numbers; empty: all events are of one
    /// machine and boot, or nothing tells them apart.
    std::vector<MergedInput> merged_inputs;
    bool has_header = false;      // a log file header record was found
    format::LogfileHeader header; // zero if absent
    /// Of BuffersLost in `header`, those that the file lacks; the session counted the others.
    std::uint32_t missing_buffers = 0;
    /// More was lost than `header` counts: the header buffer contains an event that indicates it
    /// (flow::indicates_unknown_losses), or flags of buffers record losses and no count does.
    bool has_unknown_losses = false;
    unsigned header_pointer_size = 8;
    std::int64_t reference_time = 0;              // raw timestamp of the header record
    std::uint32_t process_id = 0, thread_id = 0;  // controller's IDs from the header record
    std::uint32_t kernel_time = 0, user_time = 0; // from the header record
    std::uint16_t logger_id = 0;                  // from the header buffer
    bool has_alignment_bytes = false; // after the processor number: Windows 7 or earlier
    bool has_processor_index = true;  // the header buffer has PROC_INDEX
    Clock clock;
    std::uint64_t file_size = 0; // size of the decompressed trace
    std::uint64_t buffers = 0;   // found by the index pass, including the header buffer
    std::uint64_t compressed_buffers = 0;
    /// COMPRESSION_FORMAT_* (codec::Format) of compressed buffers, or the one specified in the
    /// header; 0: none.
    std::uint16_t codec = 0;
    std::uint32_t processors = 0; // highest processor number in buffers + 1
    /// Largest valid size of a decompressed buffer, according to buffer headers.
    std::uint32_t max_used_bytes = 0;
    bool is_unfinalized = false; // EndTime and BuffersWritten are 0

    /// A container read in place.
    struct ContainerInfo {
        std::string_view name; // "zstd", "lz4"; empty: not in a container
        std::uint64_t frames = 0;
        std::uint64_t size = 0; // size of the container file
    };

    ContainerInfo container;

    const Backing* backing = nullptr; // lives as long as the source; null: cannot be truncated

    /// Where the clock was set back, in recording order; at most trace::limits::clock_rollbacks.
    /// Empty if the reader does not order by time.
    std::vector<ClockRollback> clock_rollbacks;
};

/// Returns whether the header is that of a recording. Not of an event log that was converted, whose
/// header was made up to make a trace of it: it has neither a boot nor a version of Windows, and no
/// other field states a fact. docs/format/evtx.md#as-a-trace
inline bool is_header_stated(const TraceInfo& trace) noexcept {
    return trace.has_header && (trace.header.boot_time != 0 || trace.header.provider_version != 0);
}

/// Returns whether the trace is an event log that was converted.
inline bool is_of_event_log(const TraceInfo& trace) noexcept {
    return trace.has_header && !is_header_stated(trace);
}

} // namespace etl::flow
