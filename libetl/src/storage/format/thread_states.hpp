// Names of the numbers in scheduling events. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace etl::format {

/// Returns the name of a KTHREAD_STATE, such as "Waiting" for 5; empty if unknown.
std::string_view thread_state_name(std::uint64_t state) noexcept;

/// Returns the name of a KWAIT_REASON, such as "WrQueue" for 15; empty if unknown.
std::string_view wait_reason_name(std::uint64_t reason) noexcept;

/// Returns whether a thread that leaves a processor in this KTHREAD_STATE can run: Ready, Standby,
/// DeferredReady. The last two are chosen for another processor.
bool is_ready(std::uint64_t state) noexcept;

/// Returns whether a thread that leaves a processor in this KTHREAD_STATE waits: Waiting, GateWait;
/// or its stack or its process was swapped out: Transition, WaitingForProcessInSwap.
bool is_waiting(std::uint64_t state) noexcept;

} // namespace etl::format
