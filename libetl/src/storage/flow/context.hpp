// Context events: events needed to interpret others. They identify processes, record which image
// was loaded at which address, and describe the events of providers. Every part of a split trace
// needs them. docs/relog.md#context
#pragma once

#include "flow/event.hpp"
#include "format/kernel_group.hpp"
#include "format/records.hpp"

#include <compare>
#include <optional>
#include <string_view>

namespace etl::flow {

enum class Context : std::uint8_t {
    none,    // not a context event
    header,  // trace header: log file header, header extension, build, groups, and masks
    system,  // machine configuration
    process, // start, end, and rundown of processes and threads
    image,   // load, unload, rundown, and identity of images; runtime modules
    file,    // names of file objects; volumes
    schema,  // EventSource manifests; metadata embedded by a merge
    stack,   // frames of a stack key
};

inline constexpr std::size_t context_count = 8;

/// Returns "process", "image", ...; empty for Context::none.
std::string_view name(Context context) noexcept;

/// Returns the kind of context that an event provides. Examines its header and, if that is not
/// enough, the first bytes of its payload. No allocation; a table lookup for kernel records.
Context context_of(const Event& event) noexcept;

/// Returns whether the event is a log file header, which a writer creates itself. True for any
/// SYSTEM record with hook 0, at any position.
bool is_logfile_header(const Event& event) noexcept;

/// Returns the hook of a kernel record or, for a full header, the hook under which the kernel logs
/// that class and type; nothing for other records. docs/format/record.md#hooks
inline std::optional<std::uint16_t> kernel_hook_of(const Event& event) noexcept {
    if (format::has_hook(event.kind)) [[likely]] {
        return stored<format::system_record::hook_id>(event);
    }
    return format::is_full(event.kind)
               ? format::hook_of_class(stored<format::full_record::guid>(event),
                                       stored<format::full_record::type>(event))
               : std::nullopt;
}

/// The event that a stack record (StackWalk) refers to. docs/format/decoding.md
struct StackTarget {
    std::int64_t time = 0; // raw timestamp of the event
    std::uint32_t process_id = no_id, thread_id = no_id;
};

/// Returns whether a record is one that contains another event's stack or stack key, by its header.
inline bool is_stack_record(const Event& event) noexcept {
    constexpr std::uint16_t stack = 0x1820, kernel_key = 0x1825, user_key = 0x1826;
    const auto hook = kernel_hook_of(event);
    return hook == stack || hook == kernel_key || hook == user_key;
}

/// Returns the target of such a record; nothing: its payload is too short.
std::optional<StackTarget> target_of_stack(const Event& event) noexcept;

/// The same of any record; nothing if it is none of these.
inline std::optional<StackTarget> stack_target(const Event& event) noexcept {
    return is_stack_record(event) ? target_of_stack(event) : std::nullopt;
}

/// What an event of a provider of the .NET runtime is: the runtime logs the stack of an event as a
/// further event (CLRStackWalk), directly after it on its thread.
enum class RuntimeRecord : std::uint8_t { none, event, stack };

/// Returns what an event is, by its header. Source of the format: the manifests of the runtime.
RuntimeRecord runtime_record_of(const Event& event) noexcept;

/// The thread and the provider of a runtime event: a stack is that of the event before it with the
/// same ones.
struct RuntimeThread {
    std::uint32_t process = no_id, thread = no_id;
    std::uint32_t provider = 0; // first bytes of its GUID

    auto operator<=>(const RuntimeThread&) const = default;
};

/// Returns those of an EVENT record.
RuntimeThread runtime_thread_of(const Event& event) noexcept;

/// A stack in the extended data items of an EVENT record.
struct StackItem {
    Bytes match_bytes; // eight bytes, in place
    /// Timestamp by which a separate stack record with the remaining frames refers to this event
    /// (StackTarget::time); 0: none.
    std::int64_t match = 0;
    std::optional<std::uint64_t> key; // if the item has a key instead of frames
};

/// Iterates over the stacks in an event's extended data items; yields none if the items do not
/// parse. A view of the header's items.
class StackItems {
public:
    explicit StackItems(const EventHeader& header) noexcept
        : items_(header.has_invalid_items ? Bytes{} : header.items) {}

    /// Returns false after the last stack.
    bool next(StackItem& stack) noexcept;

private:
    format::ExtendedItems items_;
};

} // namespace etl::flow
