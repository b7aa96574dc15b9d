// The stacks of events. Private to analysis. docs/analysis.md#cpu
#pragma once

#include "analysis/analyzer.hpp"

#include <optional>
#include <utility>

namespace etl::analysis {

/// Processes up to that of the system have no user mode.
inline constexpr std::uint32_t system_process = 4;

/// The parts of a stack; null: not recorded.
struct EventStack {
    const facts::StackPart* kernel = nullptr;
    const facts::StackPart* user = nullptr;
};

/// Returns the first kernel part and the first user part recorded for an event of a thread.
inline EventStack stack_of(const Context& context, std::uint32_t thread, std::int64_t time) {
    EventStack stack;
    const auto all = context.facts->stacks(time);
    for (const facts::StackPart& part :
         all.first(std::min(all.size(), limits::analysis_stack_parts))) {
        const bool is_kernel = part.where == facts::StackPart::Where::kernel;
        const facts::StackPart*& mine = is_kernel ? stack.kernel : stack.user;
        if (part.thread == thread && mine == nullptr &&
            part.where != facts::StackPart::Where::runtime) {
            mine = &part;
        }
    }
    return stack;
}

/// Calls `add(address, where)` for the return addresses of a stack, innermost first: without the
/// first frame if it is the sampled address. Returns whether there is a stack.
template <typename Add>
bool for_each_return_address(const Context& context, const EventStack& stack,
                             std::optional<std::uint64_t> sampled, Add&& add) {
    bool is_first = true;
    for (const facts::StackPart* const part : {stack.kernel, stack.user}) {
        if (part == nullptr) {
            continue;
        }
        for (const std::uint64_t frame : context.facts->frames(*part)) {
            if (!std::exchange(is_first, false) || frame != sampled) {
                add(frame, part->where);
            }
        }
    }
    return !is_first;
}

/// The same for `add(address)` and a sample.
template <typename Add>
bool for_each_return_address(const Context& context, std::uint32_t thread, std::int64_t time,
                             std::uint64_t sampled, Add&& add) {
    return for_each_return_address(
        context, stack_of(context, thread, time), sampled,
        [&](std::uint64_t address, facts::StackPart::Where) { add(address); });
}

} // namespace etl::analysis
