// Limits of the room dumper, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>

namespace etl::dumper::limits {

/// Kinds of events with a schema line of their own: a large trace has some thousand.
inline constexpr std::size_t kinds = 1U << 16U;

/// Start addresses of threads, counted again when an ID is reused: a busy machine has a few
/// thousand.
inline constexpr std::size_t threads = 1U << 18U;

/// Requests that have not ended, and disks.
inline constexpr std::size_t requests = 1U << 16U;
inline constexpr std::size_t disks = 4096;

/// Interrupts of a processor that a later one may contain: as
/// analysis::limits::analysis_nested_interrupts.
inline constexpr std::size_t nested_interrupts = 256;

/// Names that are kept: of processes, files, and addresses. More are looked up again.
inline constexpr std::size_t names = 1U << 17U;

/// Stacks at one time among which those of a thread are looked for.
inline constexpr std::size_t stack_parts = 4096;

} // namespace etl::dumper::limits
