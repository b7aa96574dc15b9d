// The buffers that a Writer fills: one for each processor that records came for. Owns no policy of
// files. One thread.
#pragma once

#include <etl/flow/clock.hpp>
#include <etl/format/record_kind.hpp>
#include <etl/trace/log_file.hpp>

#include <limits>
#include <vector>

namespace etl::trace {

class OpenBuffers {
public:
    /// `file` outlives this object. Stamps of buffers are raw time stamps, or by `clock` FILETIMEs
    /// where the lineage wants that; none is before the recording began.
    OpenBuffers(LogFile& file, const LogFileOptions& options, const Recording& recording);

    /// What fits into an empty buffer.
    std::uint32_t capacity() const noexcept { return capacity_; }

    /// Copies a record of at most capacity() bytes into the open buffer of `processor`, which is
    /// below limits::processors; when it does not fit, that one is written first.
    void append(std::uint16_t processor, Bytes record, const format::RecordShape& shape);

    /// Writes all that are open, in the order of processors; `last_flags` go onto the last one.
    void write_all(std::uint16_t last_flags);

private:
    static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::min();

    struct OpenBuffer {
        BufferMemory memory; // none: nothing is open
        std::uint32_t used = 0;
        std::int64_t sequence = 0;
        std::int64_t newest = no_time;
    };

    void open(OpenBuffer& buffer);
    void write(std::uint16_t processor, std::uint16_t flags);

    LogFile& file_;
    flow::Clock clock_;
    Lineage lineage_;
    std::uint32_t buffer_size_;
    std::uint32_t capacity_;
    std::int64_t next_sequence_;
    std::int64_t newest_; // raw time stamp in what was written so far
    std::vector<OpenBuffer> buffers_;
};

} // namespace etl::trace
