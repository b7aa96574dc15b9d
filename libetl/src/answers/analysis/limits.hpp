// Limits of the room analysis, each with its reason. See base/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace etl::analysis::limits {

/// Rows of a table: files of a busy machine are some 100,000; more rows are added to one.
inline constexpr std::size_t analysis_rows = 1U << 20U;

/// Numbers in the rows of a table: fewer rows if each has a histogram.
inline constexpr std::size_t analysis_values = 4U << 20U;

/// Bytes of the texts in a table: names of 200 bytes in every row. Further ones are null.
inline constexpr std::size_t analysis_text_bytes = 256U << 20U;

/// Parts of stacks at one time of which those of a thread are chosen: two for each processor.
inline constexpr std::size_t analysis_stack_parts = 4096;

/// Hardware counters whose samples profiles tell apart: processors have less than ten at a time.
inline constexpr std::size_t analysis_counter_sources = 64;

/// Kinds of events of which all tables together add the events of a batch: a trace of a machine has
/// some thousands.
inline constexpr std::uint32_t analysis_kinds = 1U << 16U;

/// Threads tracked, counted again when an ID is reused, and processes: a busy machine has a few
/// thousand.
inline constexpr std::size_t analysis_threads = 1U << 18U;

/// Operations that began and did not end yet.
inline constexpr std::size_t analysis_operations = 1U << 16U;

/// Keys of operations in a part of a trace.
inline constexpr std::size_t analysis_part_keys = 1U << 20U;

/// Processors: Windows supports 2,048.
inline constexpr std::size_t analysis_processors = 4096;

/// Interrupts that ended and may be inside one that has not: nesting has at most 16 levels, but an
/// outer interrupt can contain many.
inline constexpr std::size_t analysis_nested_interrupts = 256;

/// Distinct addresses whose names are kept: some 100,000 in a trace with user stacks.
inline constexpr std::size_t analysis_frames = 1U << 20U;

/// Frames of a stack on Windows; a stack with as many can have lost its outermost ones.
inline constexpr std::size_t analysis_full_stack = 192;

/// Distinct stacks of profiles, with those of their callers: most share their outer frames. 24
/// bytes each.
inline constexpr std::size_t analysis_stacks = 4U << 20U;

/// Nodes of a tree of stacks while events are added; then the smallest ones are merged. 100 bytes
/// each with their index.
inline constexpr std::size_t analysis_stack_nodes = 1U << 19U;

/// Bytes of the names in a tree of stacks; then the smallest nodes are merged.
inline constexpr std::size_t analysis_stack_text_bytes = 64U << 20U;

/// Bytes of a name in a tree of stacks; longer ones are cut. C++ names have up to 4 KB.
inline constexpr std::size_t analysis_frame_bytes = 8192;

/// Bytes of the patterns of one text: those that PerfView offers have up to 400.
inline constexpr std::size_t stack_pattern_bytes = 16U << 10U;

/// Steps of all patterns together, about one for each character: what a name costs grows with them.
inline constexpr std::size_t stack_pattern_steps = 4096;

/// Patterns of which each stack must match all: a bit each.
inline constexpr std::size_t stack_included_patterns = 64;

/// Time slices.
inline constexpr std::size_t analysis_slices = 10'000;

/// Series of a timeline: more cannot be told apart. Others are added to one.
inline constexpr std::size_t analysis_series = 20;

/// Rows of each kind of what took longest.
inline constexpr std::size_t analysis_slowest = 10'000;

/// Lifetimes of images, and of processes, in a table.
inline constexpr std::size_t analysis_lifetimes = 1U << 20U;

/// Rows of the tables that the sums of slices are made of, of all slices together: each is looked
/// up once, and takes 100 bytes at most.
inline constexpr std::size_t analysis_window_rows = 1U << 18U;

/// Bytes of records from before a part of a trace that later ones are weighted by.
inline constexpr std::size_t analysis_fact_bytes = 64U << 20U;

} // namespace etl::analysis::limits
