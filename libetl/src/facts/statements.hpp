// Which process a record states a thread to be of, whatever the record is about. Private to facts.
// docs/processes.md#threads
#pragma once

#include <etl/flow/event.hpp>

#include "facts/tables/thread_spans.hpp"

#include <optional>

namespace etl::facts {

/// What the header of a record states about the thread that logged it. Nothing: the header has no
/// thread, or it is not that of the time of the event.
std::optional<ThreadStatement> header_statement_of(const flow::Event& event) noexcept;

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
