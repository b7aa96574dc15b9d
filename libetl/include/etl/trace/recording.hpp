// Who recorded a trace, where and when: what its log file header says beyond what the writer keeps
// account of itself. A value. docs/format/logfile-header.md
#pragma once

#include <etl/base/time.hpp>
#include <etl/flow/trace_info.hpp>
#include <etl/format/logfile_header.hpp>

#include <cstdint>
#include <vector>

namespace etl::trace {

/// Whose conventions the buffer headers follow. docs/format/buffer.md
enum class Lineage : std::uint8_t {
    windows7, // alignment byte in the context, no PROC_INDEX, SavedOffset 0 in the header buffer
    session,  // live sessions since Windows 8
    unmarked, // as session, but without PROC_INDEX: made by other programs than Windows
    relogger, // LoggerId 0, mode RELOG, header buffer without PROC_INDEX; its State names the codec
};

struct Recording {
    /// Taken as they are: the versions of Windows, the clock (ReservedFlags, PerfFreq, CpuSpeed),
    /// StartTime, BootTime, EndTime (0: the time of the newest event), TimerResolution,
    /// NumberOfProcessors (raised to as many as buffers name), PointerSize, the time zone, the
    /// session's name, the two name pointers, EventsLost and BuffersLost (added to what is lost in
    /// writing), bits of LogFileMode that are not the writer's. The writer sets all others:
    /// BufferSize, the layout version, MaximumFileSize, the mode, BuffersWritten, StartBuffers,
    /// LogFileName when it is empty.
    format::LogfileHeader header;
    unsigned header_pointer_size = 8;            // of the header record: SYSTEM32 or SYSTEM64
    std::int64_t reference_time = 0;             // raw time stamp of the log file header record
    std::uint32_t process_id = 0, thread_id = 0; // of the controller, on that record
    std::uint32_t kernel_time = 0, user_time = 0;
    std::uint16_t logger_id = 0;
    Lineage lineage = Lineage::session;
    std::vector<std::byte>
        extra_records; // records behind the first one of the header buffer, padded
};

/// A recording that begins at `start` on a machine of which nothing is known but that it has
/// `processors`: 64-bit, Windows 10.0 build 19045 by its own account (readers choose layouts by
/// that), UTC. With ClockType::system_time raw time stamps are FILETIME; with qpc they count
/// 100 ns from 0 at `start`; cpu_cycles: 10 MHz.
Recording begin_recording(Filetime start, std::uint32_t processors = 1,
                          format::ClockType clock = format::ClockType::system_time);

/// The recording that a trace says it is, for a file that goes on saying so: session, clock, times,
/// losses, mode. The writer's own fields are left as the trace has them. `extra_records` are none:
/// records of the header buffer are events like others. What no writer can write is made sound:
/// names and numbers of processors beyond all bounds, a clock that cannot be (raw time stamps are
/// FILETIME then, as readers take them); of a trace without a header nothing is known.
Recording recording_of(const flow::TraceInfo& trace);

/// The recording as Windows' relogger tells of what it made of a trace: named `Relogger`, the mode
/// a sequential relogged one, Lineage::relogger; clock, times, versions and losses are the
/// trace's. docs/format/writing.md#relogged
Recording relogged(const flow::TraceInfo& trace);

/// The name of its session, as that of Windows' relogger and of merges.
inline constexpr std::u16string_view relogged_session = u"Relogger";

/// BufferSize of a file for the records of a trace: the trace's own, as long as its buffers are
/// filled (those of up to 1 MB always), and never less than its fullest one. Always one that
/// LogFile takes, with room for the header.
std::uint32_t buffer_size_for(const flow::TraceInfo& trace);

/// Now, by the system's clock.
Filetime now() noexcept;

} // namespace etl::trace
