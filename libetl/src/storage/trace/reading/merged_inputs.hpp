// The inputs of a merge, out of its own records. docs/merge.md#sources
#pragma once

#include "trace/loading/loaded_buffer.hpp"

#include <span>
#include <vector>

namespace etl::trace {

/// Reads the records about inputs, from the buffers that can begin with one. Of the numbers in
/// `entries`, only those of a relogged trace mean anything.
std::vector<flow::MergedInput> find_merged_inputs(const LoadRequest& request,
                                                  std::span<const BufferEntry> entries);

/// Sets BufferEntry::merged_input of all: by their LoggerId or, where another relogger has cleared
/// it, by their processor if only one machine and boot has it.
void assign_merged_inputs(std::span<BufferEntry> entries,
                          std::span<const flow::MergedInput> inputs);

} // namespace etl::trace
