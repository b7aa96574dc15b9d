// Immutable facts of one trace. Shareable between threads.
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/flow/clock.hpp>
#include <etl/format/logfile_header.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace etl::flow {

/// The clock was set back while the trace was recorded. Raw timestamps: of the latest event before
/// it and of the earliest one after it, as far as the processors that show it tell. It was set back
/// by at least the difference.
struct ClockRollback {
    std::int64_t before = 0;
    std::int64_t after = 0;
    FileOffset where{};       // of the first buffer with events recorded after it
    std::uint64_t buffer = 0; // number of that buffer
};

/// The file that the buffers of a trace are mapped from. Somebody may truncate it at any time; what
/// was read beyond its end since then is zeros. Any thread.
class Backing {
public:
    Backing() = default;
    Backing(const Backing&) = delete;
    Backing& operator=(const Backing&) = delete;
    virtual ~Backing() = default;

    /// How much of it there is now. Costs a system call.
    virtual std::uint64_t intact_size() const noexcept = 0;
};

struct TraceInfo {
    std::string name;             // of the input, for messages
    std::uint32_t file = 0;       // number of the input, in the order given
    bool has_header = false;      // a log file header record was found
    format::LogfileHeader header; // all zero without one
    unsigned header_pointer_size = 8;
    std::int64_t reference_time = 0;              // raw time stamp of the header record
    std::uint32_t process_id = 0, thread_id = 0;  // of the header record: the controller's
    std::uint32_t kernel_time = 0, user_time = 0; // of the header record
    std::uint16_t logger_id = 0;                  // of the header buffer
    bool has_alignment_bytes = false;             // behind processors: Windows 7 or before
    bool has_processor_index = true;              // the header buffer says PROC_INDEX
    Clock clock;
    std::uint64_t file_size = 0; // of the plain trace
    std::uint64_t buffers = 0;   // found by the index pass, header buffer included
    std::uint64_t compressed_buffers = 0;
    /// COMPRESSION_FORMAT_* (codec::Format) of these, or the one that its header names; 0: none.
    std::uint16_t codec = 0;
    std::uint32_t processors = 0;     // that buffers name: the highest number + 1
    std::uint32_t max_used_bytes = 0; // bytes it holds when unpacked, by its own account
    bool is_unfinalized = false;      // EndTime and BuffersWritten are 0: never stopped

    /// A container that is read in place.
    struct ContainerInfo {
        std::string_view name; // "zstd", "lz4"; empty: the trace is not packed
        std::uint64_t frames = 0;
        std::uint64_t size = 0; // of the packed file
    };

    ContainerInfo container;

    const Backing* backing = nullptr; // as long as the source; null: it cannot be truncated

    /// Where the clock was set back, in the order of recording; at most limits::clock_rollbacks.
    /// Empty if the reader was not asked for an order by time.
    std::vector<ClockRollback> clock_rollbacks;
};

} // namespace etl::flow
