// What an event says of a process beyond the facts. Private to analysis. docs/analysis.md#processes
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/parts/archive.hpp"

#include <optional>
#include <string>

namespace etl::analysis {

inline constexpr std::uint32_t process_start = 1, process_end = 2, process_rundown = 3,
                               process_defunct = 39;

struct ProcessDetail {
    std::int64_t time = 0;
    std::optional<std::uint64_t> exit_code, session;
    std::string user; // empty: absent
};

/// A process whose start or rundown has no usable time: facts, which hold at a time, do not have
/// it.
struct UntimedProcess {
    std::uint32_t id = 0;
    std::uint32_t parent = 0;
    std::string name; // empty: unknown
};

/// Asks for all events about processes, of the kernel's class and of
/// Microsoft-Windows-Kernel-Process, with the types of the class as tags.
void subscribe_to_processes(Subscriptions& subscriptions);

/// Nothing: the event does not have a process ID.
std::optional<std::uint32_t> process_id_of(const Record& record);

ProcessDetail detail_of(const Record& record);

/// Nothing: the event has a time, or is not about a process that exists.
std::optional<UntimedProcess> untimed_process_of(const Record& record);

void visit(Archive& archive, ProcessDetail& detail);
void visit(Archive& archive, UntimedProcess& process);

} // namespace etl::analysis
