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

inline constexpr std::size_t context_count = 8;

/// "process", "image", ...; empty for none.
std::string_view name(Context context) noexcept;

/// What an event is context for. Looks at its header, and at the first bytes of the payload where
/// the header does not tell. No allocation; a table look-up for kernel records.
Context context_of(const Event& event) noexcept;

/// Whether it is the log file header: what a writer has its own of. True of any SYSTEM record with
/// hook 0, wherever it lies.
bool is_logfile_header(const Event& event) noexcept;

/// The hook of a kernel record, or the one under which the kernel logs what a full header says;
/// nothing for other records. docs/format/record.md#hooks
std::optional<std::uint16_t> kernel_hook_of(const Event& event) noexcept;

/// What a stack record (StackWalk) says it belongs to. docs/format/decoding.md
struct StackTarget {
    std::int64_t time = 0; // raw time stamp of the event
    std::uint32_t process_id = no_id, thread_id = no_id;
};

/// Of a record that holds the stack of another event, or the key of one; nothing for others.
std::optional<StackTarget> stack_target(const Event& event) noexcept;

/// A stack among the extended items of an EVENT record.
struct StackItem {
    Bytes match_bytes; // eight, in place
    /// The time that a stack record tells which holds the rest of it (StackTarget::time); 0: there
    /// is none.
    std::int64_t match = 0;
    std::optional<std::uint64_t> key; // where the item has one in place of frames
};

/// Steps through the stacks among an event's items; of items that do not parse none counts. A view
/// of the header's items.
class StackItems {
public:
    explicit StackItems(const EventHeader& header) noexcept
        : items_(header.has_invalid_items ? Bytes{} : header.items) {}

    /// False: there are no more.
    bool next(StackItem& stack) noexcept;

private:
    format::ExtendedItems items_;
};

} // namespace etl::flow
