// Which buffers of a trace follow each other.
#pragma once

#include <etl/trace/reader.hpp>

#include <span>
#include <vector>

namespace etl::trace {

/// Numbers of buffers, in the order in which they follow each other; at least one.
using BufferStream = std::vector<std::uint32_t>;

struct BufferStreams {
    std::vector<BufferStream> streams; // lower processors first
    /// Of a merge that keeps its sources apart: more than there are processors, but numbered as
    /// their writer opened them, so that those with higher first numbers begin later.
    bool has_sources = false;

    /// Indices into streams, by the first numbers of theirs.
    std::vector<std::uint32_t> by_beginning(std::span<const BufferEntry> entries) const;
};

/// Order::time: a stream for each processor; of a merge that keeps its sources apart, which fills a
/// buffer for each of them at the same time, one for each processor and source
/// (docs/merge.md#sources). The other orders: one of all. `log_file_mode` is the header's.
BufferStreams streams_of(std::span<const BufferEntry> entries, Order order,
                         std::uint32_t log_file_mode);

} // namespace etl::trace
