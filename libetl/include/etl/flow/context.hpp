// Events that say what others mean: who a process was, which image lay where, how a provider's
// events are built. A trace that is cut needs them on both sides of the cut. docs/relog.md#context
#pragma once

#include <etl/flow/event.hpp>

#include <optional>
#include <string_view>

namespace etl::flow {

enum class Context : std::uint8_t {
    none,    // an event like others
    header,  // of the trace: log file header, header extension, build, groups and masks
    system,  // the machine's configuration
    process, // start, end and rundown of processes and threads
    image,   // loads, unloads, rundown and identity of images; modules of runtimes
    file,    // names of file objects, volumes
    schema,  // EventSource manifests, metadata that a merge embeds
    stack,   // frames behind a stack key
};

inline constexpr std::size_t contexts = 8;

/// "process", "image", ...; empty for none.
std::string_view name(Context context) noexcept;

/// What an event is context for. Looks at its header, and at the first bytes of the payload where
/// the header does not tell. No allocation; a table look-up for kernel records.
Context context_of(const Event& event) noexcept;

/// What a stack record (StackWalk) says it belongs to. docs/format/decoding.md
struct StackOf {
    std::int64_t time = 0; // raw time stamp of the event
    std::uint32_t process_id = no_id, thread_id = no_id;
};

/// Of a record that holds the stack of another event, or the key of one; nothing for others.
std::optional<StackOf> stack_of(const Event& event) noexcept;

} // namespace etl::flow
