// Which process a record states a thread to be of, whatever the record is about. Private to facts.
// docs/processes.md#threads
#pragma once

#include "facts/tables/thread_lives.hpp"
#include "flow/event.hpp"
#include "format/records.hpp"

#include <optional>

namespace etl::facts {

// Thread 0 is that of each processor. Only it is of process 0: elsewhere, 0 is no process.
inline std::optional<ThreadStatement> statement_of(std::uint32_t thread, std::uint32_t process,
                                                   std::int64_t time) noexcept {
    const bool is_stated =
        thread != 0 && thread != flow::no_id && process != 0 && process != flow::no_id;
    return is_stated ? std::optional(ThreadStatement{thread, process, time}) : std::nullopt;
}

/// Of records that are not of the kernel.
std::optional<ThreadStatement> other_header_statement_of(const flow::Event& event) noexcept;

/// What the header of a record states about the thread that logged it. Nothing: the header has no
/// thread, or it is not that of the time of the event.
inline std::optional<ThreadStatement> header_statement_of(const flow::Event& event) noexcept {
    if (format::has_hook_and_ids(event.kind)) [[likely]] {
        const format::FieldOffsets& at = format::traits_of(event.kind).at;
        return flow::stored<format::system_record::hook_id>(event) >> 8U != 0
                   ? statement_of(load_le<std::uint32_t>(event.record + at.thread_id),
                                  load_le<std::uint32_t>(event.record + at.process_id),
                                  event.raw_time)
                   : std::nullopt;
    }
    // Other records with a hook have no IDs.
    return format::has_hook(event.kind) ? std::nullopt : other_header_statement_of(event);
}

/// What a stack record states about the thread of its event, at the time of that event.
std::optional<ThreadStatement> stack_statement_of(const flow::Event& event) noexcept;

/// Calls `take` for each of them.
template <typename Take>
void for_each_statement(const flow::Event& event, Take take) {
    if (!event.has_time) {
        return;
    }
    if (const auto statement = header_statement_of(event)) {
        take(*statement);
    }
    if (const auto statement = stack_statement_of(event)) {
        take(*statement);
    }
}

} // namespace etl::facts
