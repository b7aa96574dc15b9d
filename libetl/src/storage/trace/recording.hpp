// Properties of a recording: the parts of the log file header that the writer does not compute
// itself. A value. docs/format/logfile-header.md
#pragma once

#include <etl/time.hpp>

#include "base/limits.hpp"
#include "flow/trace_info.hpp"
#include "format/logfile_header.hpp"

#include <cstdint>
#include <vector>

namespace etl::trace {

/// The conventions of the buffer headers. docs/format/buffer.md
enum class Lineage : std::uint8_t {
    windows7, // alignment byte in the context, no PROC_INDEX, SavedOffset 0 in the header buffer
    session,  // live sessions since Windows 8
    unmarked, // like session, but without PROC_INDEX: written by programs other than Windows
    relogger, // LoggerId 0, mode RELOG, header buffer without PROC_INDEX; its State specifies the
              // codec
};

/// How many processors buffer headers of a lineage can tell apart.
constexpr std::uint32_t most_processors(Lineage lineage) noexcept {
    constexpr std::uint32_t of_a_byte = 256;
    return lineage == Lineage::windows7 || lineage == Lineage::unmarked ? of_a_byte
                                                                        : etl::limits::processors;
}

struct Recording {
    /// Used as given: the Windows versions, the clock (ReservedFlags, PerfFreq, CpuSpeed),
    /// StartTime, BootTime, EndTime (0: the time of the newest event), TimerResolution,
    /// NumberOfProcessors (raised to the number in buffers), PointerSize, the time zone, the
    /// session name, the two name pointers, EventsLost and BuffersLost (added to losses while
    /// writing), and bits of LogFileMode that the writer does not control. The writer sets all
    /// others: BufferSize, the layout version, MaximumFileSize, the mode, BuffersWritten,
    /// StartBuffers, and LogFileName if empty.
    format::LogfileHeader header;
    unsigned header_pointer_size = 8;            // of the header record: SYSTEM32 or SYSTEM64
    std::int64_t reference_time = 0;             // raw timestamp of the log file header record
    std::uint32_t process_id = 0, thread_id = 0; // controller IDs of that record
    std::uint32_t kernel_time = 0, user_time = 0;
    std::uint16_t logger_id = 0;
    Lineage lineage = Lineage::session;
    std::vector<std::byte> extra_records; // padded records after the first one in the header buffer
};

/// Returns a recording that begins at `start` on a machine with `processors` processors: 64-bit,
/// marked as Windows 10.0 build 19045 (readers choose layouts by version), UTC. With
/// ClockType::system_time, raw timestamps are FILETIME; with qpc, they count 100 ns from 0 at
/// `start`; with cpu_cycles, they count at 10 MHz.
Recording begin_recording(Filetime start, std::uint32_t processors = 1,
                          format::ClockType clock = format::ClockType::system_time);

/// Returns the recording of an existing trace, for a file that continues it: session, clock, times,
/// losses, mode. Fields set by the writer are copied unchanged. `extra_records` is empty: records
/// in the header buffer are ordinary events. Invalid values are corrected: names and processor
/// numbers out of bounds, and an impossible clock (raw timestamps are then FILETIME, as in
/// readers). Nothing is known about a trace without a header.
Recording recording_of(const flow::TraceInfo& trace);

/// Returns the recording that Windows' relogger would write for a trace: session name `Relogger`,
/// sequential relogged mode, Lineage::relogger; clock, times, versions, and losses of the trace.
/// docs/format/writing.md#relogged
Recording relogged(const flow::TraceInfo& trace);

/// Session name of relogged and merged traces, as used by Windows' relogger.
inline constexpr std::u16string_view relogged_session = u"Relogger";

/// Whether a trace has that name: then the flush times of its buffers are FILETIMEs, whatever its
/// clock, of when they were relogged. docs/format/buffer.md
bool is_relogged(const flow::TraceInfo& trace) noexcept;

/// Returns the BufferSize of a file for the records of a trace: that of the trace, if its buffers
/// are well filled or at most 1 MB, and at least the largest used size. Always valid for LogFile,
/// with space for the header.
std::uint32_t buffer_size_for(const flow::TraceInfo& trace);

/// Writes that the losses of a session are unknown (docs/repair.md#unknown): adds the event
/// `LibEtl.Losses/Unknown` (flow::indicates_unknown_losses()) to the header buffer,
/// as the last of Recording::extra_records, unless it is among them. Readers of Windows show it as
/// a TraceLogging event.
void record_unknown_losses(Recording& recording);

} // namespace etl::trace
