// Buffers by themselves, without any order of time: what Reader's calls of the same names do.
#pragma once

#include "trace/loading/loaded_buffer.hpp"
#include "trace/reader.hpp"

#include <span>
#include <vector>

namespace etl::trace {

/// Reader::show_buffers. `threads` is at least 1.
void show_buffers(const LoadRequest& request, std::span<const BufferEntry> entries,
                  unsigned threads, std::vector<std::uint32_t> numbers,
                  FunctionRef<void(const BufferContent& buffer)> visit);

/// Reader::for_each_buffer.
std::uint64_t for_each_buffer(
    const LoadRequest& request, std::span<const BufferEntry> entries, unsigned threads,
    FunctionRef<void(unsigned worker, const BufferEntry& entry, flow::Run events)> visit);

} // namespace etl::trace
