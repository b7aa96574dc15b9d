// Options and state of a session: EVENT_TRACE_PROPERTIES as input and output. Values.
// docs/sessions.md#options
#pragma once

#include "base/guid.hpp"
#include "base/time.hpp"
#include "format/logfile_header.hpp"
#include "io/writable_file.hpp"
#include "trace/log_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace etl::session {

/// Bits of LogFileMode. docs/sessions.md#modes describes the effect of each.
namespace mode = format::log_mode;

/// Behavior where public sources disagree. docs/sessions.md#profiles
enum class Profile : std::uint8_t {
    newest,           // Windows 11 according to its documentation and public observations
    start_trace_page, // INDEPENDENT_SESSION requires PRIVATE_LOGGER, as documented for StartTrace
};

/// Handling of buffered events if the process is killed.
enum class CrashSafety : std::uint8_t {
    none,        // events in unwritten buffers are lost
    mapped_file, // buffers are in `FILE.buffers` next to the log file; `etl repair` recovers them
};

/// What to do if the files of a killed session with CrashSafety::mapped_file are in the place of
/// those of a new one.
enum class AfterCrash : std::uint8_t {
    refuse,     // already_exists, if the new one has mapped buffers too
    move_aside, // FILE becomes FILE.crashed-N, and FILE.buffers becomes FILE.crashed-N.buffers
    repair, // the same, then they are repaired as FILE.repaired-N; takes as long as copying FILE
};

/// Zero selects the Windows default.
struct SessionOptions {
    std::string name{}; // UTF-8, 1 to 1024 UTF-16 units; unique, ignoring case
    Guid guid{};        // session GUID; for a private session, the provider GUID. Zero: generated
    /// ClientContext: 1 QPC, 2 system time, 3 CPU cycles; other values mean 1.
    std::uint32_t clock = 0;
    std::uint32_t buffer_kb = 0;       // 4 to 16384
    std::uint32_t minimum_buffers = 0; // at least two per processor
    std::uint32_t maximum_buffers = 0;
    std::uint32_t maximum_file_size = 0; // MB, or KB with use_kbytes_for_size; 0: no limit
    std::uint32_t mode = 0;
    std::uint32_t flush_timer = 0;     // s, or ms with use_ms_flush_timer
    std::uint32_t flush_threshold = 0; // full buffers that wake the logger thread; 0: 1
    std::uint32_t enable_flags = 0;    // recorded only; kernel events are not available
    std::vector<std::byte>
        enable_extension{}; // extension announced by bit 31 of enable_flags; recorded only
    std::string file{};     // path, UTF-8; contains `%d` with new_file. Empty: none

    // Extensions that Windows does not have.
    Profile profile = Profile::newest;
    CrashSafety crash_safety = CrashSafety::none;
    /// Only for files on disk. docs/sessions.md#crash
    AfterCrash after_crash = AfterCrash::refuse;
    /// Real-time backlog without consumers; 0: maximum_file_size, or 100 MB.
    std::uint64_t backlog_bytes = 0;
    trace::Durability durability = trace::Durability::none;
    /// Null: io::disk(). Must outlive the session; used by its logger thread.
    io::FileFactory* files = nullptr;
    /// Machine sessions: user ID of the controller that started it, and whether it reaches the
    /// processes of that user only. Set by the host.
    std::uint32_t owner = 0;
    bool is_for_owner_only = false;
    /// Number of processors with separate buffers; 0: those of the machine.
    std::uint16_t processors = 0;
};

/// The state of a session, as returned by a query.
struct SessionState {
    std::uint16_t id = 0;     // logger id
    std::uint64_t handle = 0; // TRACEHANDLE: the ID, plus bit 0x01000000 for private sessions
    SessionOptions options;   // effective options: mode, clock, buffer counts, timer, GUID
    std::string file;         // current file, with its number; after a stop, the last one
    std::uint32_t number_of_buffers = 0, free_buffers = 0;
    std::uint32_t buffers_written = 0, log_buffers_lost = 0, real_time_buffers_lost = 0;
    std::uint64_t events_lost = 0;
    std::uint32_t logger_thread_id = 0; // 0: none
    std::uint32_t consumers = 0;
    Filetime now{}; // time of the query

    struct Provider {
        Guid guid;
        bool is_group = false;
        std::uint8_t level = 0;
        std::uint64_t match_any = 0, match_all = 0;
        std::uint32_t property = 0;
        std::string name{}; // of the registrations, by their traits; empty: unknown
        /// IDs of the sessions that have taken over registrations of a classic provider: those
        /// are recorded by them, not by this session.
        std::vector<std::uint16_t> taken_over_by{};
    };

    std::vector<Provider> providers; // providers enabled by the session, in order of the calls
};

} // namespace etl::session
