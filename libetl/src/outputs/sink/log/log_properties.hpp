// The System element of an event for an event log. Private to sink. docs/output.md#evtx
#pragma once

#include "evtx/event.hpp"
#include "sink/windows_event.hpp"

#include <optional>

namespace etl::sink {

/// Sets everything except strings; the SID remains a view.
inline void set_properties(evtx::Event& to, const WindowsSystem& from) {
    const auto id_of = [](std::uint32_t id) {
        return id == flow::no_id ? std::nullopt : std::optional(id);
    };
    to.id = from.id;
    to.qualifiers = from.qualifiers;
    to.version = from.version;
    to.level = from.level;
    to.task = from.task;
    to.opcode = from.opcode;
    to.keywords = from.keywords;
    to.time = from.time;
    to.record_id = from.record_id.value_or(0);
    to.activity = from.activity.is_zero() ? std::nullopt : std::optional(from.activity);
    to.related_activity = from.related_activity;
    to.process_id = id_of(from.process_id);
    to.thread_id = id_of(from.thread_id);
    to.processor = from.processor;
    to.session = from.session_id;
    to.kernel_time = from.kernel_time;
    to.user_time = from.user_time;
    to.processor_time = from.processor_time;
    to.user_sid = from.user_sid;
}

} // namespace etl::sink
