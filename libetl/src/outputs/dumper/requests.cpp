#include "dumper/requests.hpp"

#include "base/limits.hpp"

#include <algorithm>

namespace etl::dumper {

namespace {

/// From `begin` to `end`; 0 if that is later.
std::uint64_t ticks_between(std::int64_t begin, std::int64_t end) noexcept {
    return end > begin ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin) : 0;
}

} // namespace

std::uint64_t Disks::complete(std::uint64_t disk, std::int64_t time, std::uint64_t elapsed) {
    if (last_.size() >= limits::disks && !last_.contains(disk)) {
        return elapsed;
    }
    const auto [found, is_first] = last_.try_emplace(disk, time);
    const std::uint64_t service =
        is_first ? elapsed : std::min(elapsed, ticks_between(found->second, time));
    found->second = time;
    return service;
}

Switches::Thread* Switches::state_of(std::uint32_t thread) {
    if (thread == 0 || (threads_.size() >= limits::threads && !threads_.contains(thread))) {
        return nullptr; // each processor has a thread 0
    }
    return &threads_[thread];
}

SwitchTimes Switches::add(std::uint16_t processor, std::uint32_t next, std::uint32_t old,
                          bool old_is_ready, std::int64_t time) {
    SwitchTimes times;
    if (Thread* const thread = state_of(next)) {
        if (thread->left) {
            times.since_switched_out = ticks_between(*thread->left, time);
        }
        if (thread->ready) {
            times.ready = ticks_between(*thread->ready, time);
        }
        *thread = {};
    }
    if (Thread* const thread = state_of(old)) {
        *thread = {.left = time,
                   .ready = old_is_ready ? std::optional(time) : std::nullopt,
                   .is_preempted = old_is_ready};
    }
    if (processor >= etl::limits::processors) {
        return times;
    }
    if (processor >= processors_.size()) {
        processors_.resize(processor + std::size_t{1});
    }
    Processor& here = processors_[processor];
    if (here.thread == old) {
        const std::uint64_t all = ticks_between(here.since, time);
        std::uint64_t interrupted = here.interrupted;
        for (const Interval& interrupt : here.interrupts) {
            interrupted += ticks_between(std::max(interrupt.from, here.since), interrupt.to);
        }
        times.switched_in = all - std::min(all, interrupted);
    }
    here.thread = next;
    here.since = time;
    here.interrupts.clear();
    here.interrupted = 0;
    return times;
}

void Switches::interrupt(std::uint16_t processor, const Interval& interrupt) {
    if (processor >= processors_.size()) {
        return; // before its first context switch
    }
    Processor& here = processors_[processor];
    add_outer(here.interrupts, interrupt, [](const Interval&) {});
    if (here.interrupts.size() > limits::nested_interrupts) {
        const Interval& oldest = here.interrupts.front();
        here.interrupted += ticks_between(std::max(oldest.from, here.since), oldest.to);
        here.interrupts.erase(here.interrupts.begin());
    }
}

void Switches::make_ready(std::uint32_t thread, std::int64_t time) {
    Thread* const state = state_of(thread);
    if (state != nullptr && !state->is_preempted) {
        state->ready = time;
    }
}

void Switches::start(std::uint32_t thread, std::int64_t time) {
    if (Thread* const state = state_of(thread)) {
        *state = {.left = time, .ready = time};
    }
}

} // namespace etl::dumper
