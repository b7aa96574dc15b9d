// What a session is to be, and what it is: EVENT_TRACE_PROPERTIES in both directions. Values.
// docs/sessions.md#options
#pragma once

#include <etl/base/guid.hpp>
#include <etl/base/time.hpp>
#include <etl/format/logfile_header.hpp>
#include <etl/io/writable_file.hpp>
#include <etl/trace/log_file.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace etl::session {

/// What LogFileMode says. docs/sessions.md#modes says what becomes of each bit.
namespace mode = format::log_mode;

/// Where public sources contradict each other. docs/sessions.md#profiles
enum class Profile : std::uint8_t {
    newest,           // Windows 11 as its documentation and other public observations have it
    start_trace_page, // INDEPENDENT_SESSION requires PRIVATE_LOGGER, as the page on StartTrace has
                      // it
};

/// What becomes of events in buffers when the process is killed.
enum class CrashSafety : std::uint8_t {
    none,        // those in buffers that were not written yet are gone
    mapped_file, // they lie in `FILE.buffers` beside the log file; `etl repair` puts them in
};

/// Zero means: as Windows chooses.
struct SessionOptions {
    std::string
        name{};  // UTF-8, of 1 to 1024 UTF-16 units; no two sessions have the same, whatever case
    Guid guid{}; // of the session; of a private one that of the provider. Zero: made
    std::uint32_t clock = 0;     // ClientContext: 1 QPC, 2 system time, 3 cycles; others are 1
    std::uint32_t buffer_kb = 0; // 4 to 16384
    std::uint32_t minimum_buffers = 0; // at least two per processor
    std::uint32_t maximum_buffers = 0;
    std::uint32_t maximum_file_size = 0; // MB, or KB with use_kbytes_for_size; 0: no limit
    std::uint32_t mode = 0;
    std::uint32_t flush_timer = 0;             // s, or ms with use_ms_flush_timer
    std::uint32_t flush_threshold = 0;         // dirty buffers that are waited for; 0: none is
    std::uint32_t enable_flags = 0;            // recorded; nothing here makes kernel events
    std::vector<std::byte> enable_extension{}; // that bit 31 of enable_flags speaks of; recorded
    std::string file{};                        // path, UTF-8; `%d` in it with new_file. Empty: none

    // What Windows has not got.
    Profile profile = Profile::newest;
    CrashSafety crash_safety = CrashSafety::none;
    std::uint64_t backlog_bytes =
        0; // real time, nobody listening: 0 is maximum_file_size or 100 MB
    trace::Durability durability = trace::Durability::none;
    io::FileFactory* files = nullptr; // null: io::disk(). Outlives the session; used by its logger
    std::uint16_t processors = 0;     // that buffers are kept apart for; 0: those of the machine
};

/// A session as a query shows it.
struct SessionState {
    std::uint16_t id = 0;     // logger id
    std::uint64_t handle = 0; // TRACEHANDLE: the id, and bit 0x01000000 for private ones
    SessionOptions options;   // as adopted: mode, clock, numbers of buffers, timer, GUID
    std::string file;         // that is written now, with its number; after a stop, the last one
    std::uint32_t number_of_buffers = 0, free_buffers = 0;
    std::uint32_t buffers_written = 0, log_buffers_lost = 0, real_time_buffers_lost = 0;
    std::uint64_t events_lost = 0;
    std::uint32_t logger_thread_id = 0; // 0: there is none
    std::uint32_t consumers = 0;
    Filetime now{}; // when this was so

    struct Provider {
        Guid guid;
        bool is_group = false;
        std::uint8_t level = 0;
        std::uint64_t match_any = 0, match_all = 0;
        std::uint32_t property = 0;
    };

    std::vector<Provider> providers; // enabled by it, in the order in which that was asked for
};

} // namespace etl::session
