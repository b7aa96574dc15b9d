// The stack of a sample. Private to analysis. docs/analysis.md#cpu
#pragma once

#include <etl/analysis/analyzer.hpp>

#include <utility>

namespace etl::analysis {

/// Calls `add(address)` for the return addresses of a sample, innermost first: of the first kernel
/// part and the first user part that belong to the thread. Returns whether there is a stack.
template <typename Add>
bool for_each_return_address(const Context& context, std::uint32_t thread, std::int64_t time,
                             std::uint64_t sampled, Add&& add) {
    const facts::StackPart* kernel = nullptr;
    const facts::StackPart* user = nullptr;
    const auto all = context.facts->stacks(time);
    for (const facts::StackPart& part :
         all.first(std::min(all.size(), limits::analysis_stack_parts))) {
        const bool is_kernel = part.where == facts::StackPart::Where::kernel;
        const facts::StackPart*& mine = is_kernel ? kernel : user;
        if (part.thread == thread && mine == nullptr) {
            mine = &part;
        }
    }
    bool is_first = true;
    for (const facts::StackPart* const part : {kernel, user}) {
        if (part == nullptr) {
            continue;
        }
        for (const std::uint64_t frame : context.facts->frames(*part)) {
            if (!std::exchange(is_first, false) || frame != sampled) {
                add(frame);
            }
        }
    }
    return !is_first;
}

} // namespace etl::analysis
