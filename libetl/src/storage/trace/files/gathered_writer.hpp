// Compressed buffers into the files of a log, gathered: a write has as much as one buffer of the
// session holds. docs/format/writing.md#gathered
#pragma once

#include "trace/files/file_series.hpp"
#include "trace/files/gathered.hpp"

namespace etl::trace {

/// One thread.
class GatheredWriter {
public:
    /// `series` and `counts` outlive this object.
    GatheredWriter(std::uint32_t bytes_at_a_time, FileSeries& series, LogCounts& counts) noexcept
        : gathered_(bytes_at_a_time), series_(series), counts_(counts) {}

    /// True when the buffer is in the file, or will be.
    bool put(const PackedBuffer& packed);

    /// Writes what there is; what fails is lost.
    void write_all();

    /// The file ends: what could not be written is lost, with the part of it that could.
    void give_up();

private:
    bool make_room(std::uint64_t size);
    bool write_next();

    Gathered gathered_; // what is not in the file yet
    FileSeries& series_;
    LogCounts& counts_;
};

} // namespace etl::trace
