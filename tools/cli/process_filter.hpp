// --process, --pid, --tid: which events are about the processes asked for, and what the answer
// leaves open. docs/processes.md
#pragma once

#include <etl/facts/process_matcher.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace cli {

/// What filters by process could not decide. Any number of threads.
struct ProcessNotes {
    std::atomic<std::uint64_t> matching = 0;     // --process
    std::atomic<std::uint64_t> unattributed = 0; // --process: no process is known
    std::atomic<std::uint64_t> unnamed = 0;      // --process NAME: a process without a name
    std::atomic<std::uint64_t> without_pid = 0;  // --pid: the header stores none
    std::atomic<std::uint64_t> without_tid = 0;  // --tid

    void count(etl::facts::ProcessMatcher::Verdict verdict) noexcept;
};

/// Says on standard error which names no process of the traces has, with similar names.
void report_unknown_names(const std::vector<std::string>& words,
                          const etl::facts::FactsByTrace& facts);

/// Says on standard error what the filters left open, after the last event.
void report(const ProcessNotes& notes);

} // namespace cli
