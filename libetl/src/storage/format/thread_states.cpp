#include "format/thread_states.hpp"

#include <iterator>

namespace etl::format {

namespace {

constexpr std::string_view thread_states[] = {
    "Initialized", "Ready",      "Running",       "Standby",  "Terminated",
    "Waiting",     "Transition", "DeferredReady", "GateWait", "WaitingForProcessInSwap"};

constexpr std::string_view wait_reasons[] = {"Executive",
                                             "FreePage",
                                             "PageIn",
                                             "PoolAllocation",
                                             "DelayExecution",
                                             "Suspended",
                                             "UserRequest",
                                             "WrExecutive",
                                             "WrFreePage",
                                             "WrPageIn",
                                             "WrPoolAllocation",
                                             "WrDelayExecution",
                                             "WrSuspended",
                                             "WrUserRequest",
                                             "WrEventPair",
                                             "WrQueue",
                                             "WrLpcReceive",
                                             "WrLpcReply",
                                             "WrVirtualMemory",
                                             "WrPageOut",
                                             "WrRendezvous",
                                             "WrKeyedEvent",
                                             "WrTerminated",
                                             "WrProcessInSwap",
                                             "WrCpuRateControl",
                                             "WrCalloutStack",
                                             "WrKernel",
                                             "WrResource",
                                             "WrPushLock",
                                             "WrMutex",
                                             "WrQuantumEnd",
                                             "WrDispatchInt",
                                             "WrPreempted",
                                             "WrYieldExecution",
                                             "WrFastMutex",
                                             "WrGuardedMutex",
                                             "WrRundown",
                                             "WrAlertByThreadId",
                                             "WrDeferredPreempt",
                                             "WrPhysicalFault",
                                             "WrIoRing",
                                             "WrMdlCache",
                                             "WrRcu"};

} // namespace

std::string_view thread_state_name(std::uint64_t state) noexcept {
    return state < std::size(thread_states) ? thread_states[state] : std::string_view();
}

std::string_view wait_reason_name(std::uint64_t reason) noexcept {
    return reason < std::size(wait_reasons) ? wait_reasons[reason] : std::string_view();
}

bool is_ready(std::uint64_t state) noexcept {
    return state == 1 || state == 3 || state == 7;
}

bool is_waiting(std::uint64_t state) noexcept {
    return state == 5 || state == 6 || state == 8 || state == 9;
}

} // namespace etl::format
