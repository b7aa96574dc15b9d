#include "analysis/scheduling.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

constexpr std::uint16_t switch_hook = 0x0524;
constexpr std::uint16_t ready_hook = 0x0532;
constexpr std::uint32_t small_thread_ids = 1U << 18U;

enum SwitchField : unsigned { new_thread, old_thread, wait_reason, thread_state };

enum ReadyField : unsigned { readied_thread, ready_flag };

// KTHREAD_STATE
constexpr std::uint64_t ready_state = 1, waiting_state = 5;

} // namespace

void Scheduling::ask(Wishes& wishes) {
    wishes.hook(switch_hook, switch_tag,
                {"NewThreadId", "OldThreadId", "OldThreadWaitReason", "OldThreadState"});
    wishes.hook(ready_hook, ready_tag, {"TThreadId", "Flag"});
}

void Scheduling::add(const Record& record) {
    if (record.tag == switch_tag) {
        add_switch(record);
    } else {
        add_ready(record);
    }
}

Scheduling::Thread& Scheduling::state_of(std::uint32_t id) {
    if (id < small_.size()) [[likely]] {
        return small_[id];
    }
    if (id < small_thread_ids) {
        small_.resize(std::min<std::size_t>(small_thread_ids, (std::size_t{id} + 1) * 2));
        return small_[id];
    }
    if (large_.size() >= limits::analysis_threads && !large_.contains(id)) {
        ++dropped_;
        return ignored_ = {};
    }
    return large_[id];
}

void Scheduling::add_switch(const Record& record) {
    has_switches_ = true;
    if (!record.has(new_thread) || !record.has(old_thread)) {
        return;
    }
    const std::uint16_t number = record.processor();
    if (number >= processors_.size()) {
        if (number >= limits::analysis_processors) {
            ++dropped_;
            return;
        }
        processors_.resize(number + std::size_t{1});
    }
    Processor& processor = processors_[number];
    const std::uint32_t to = record.number32(new_thread);
    const std::uint32_t from = record.number32(old_thread);
    seen_processors_ += processor.is_known ? 0 : 1;
    if (processor.is_known && processor.thread_id == from) {
        sink_->ran(number, processor.thread, processor.since, record.time);
    }
    switch_out(record, from);
    const ThreadRef thread = context_->owners->thread(to, record.time);
    processor = {.since = record.time, .thread_id = to, .thread = thread, .is_known = true};
    sink_->switched(number, thread, record);
    switch_in(record, to, thread);
}

void Scheduling::switch_out(const Record& record, std::uint32_t id) {
    if (id == 0) {
        return;
    }
    Thread& thread = state_of(id);
    const std::uint64_t state = record.number(thread_state);
    thread.state = state == waiting_state ? State::waiting
                   : state == ready_state ? State::ready
                                          : State::unknown;
    thread.since = record.time;
    thread.reason = static_cast<std::uint8_t>(record.number(wait_reason));
    thread.is_readied = false;
}

void Scheduling::switch_in(const Record& record, std::uint32_t id, ThreadRef ref) {
    if (id == 0) {
        return;
    }
    Thread& thread = state_of(id);
    if (thread.state == State::waiting) {
        const std::int64_t end = thread.is_readied ? thread.readied : record.time;
        const SchedulingSink::Wait wait{.thread = ref,
                                        .reason = thread.reason,
                                        .by_dpc = thread.is_readied && thread.by_dpc,
                                        .waker = thread.is_readied && thread.has_waker
                                                     ? std::optional(thread.waker)
                                                     : std::nullopt,
                                        .from = thread.since,
                                        .to = end};
        sink_->waited(wait, record);
        if (thread.is_readied) {
            sink_->was_ready(ref, thread.readied, &wait, record);
        }
    } else if (thread.state == State::ready) {
        sink_->was_ready(ref, thread.since, nullptr, record);
    } else if (thread.state == State::unknown && thread.is_readied) {
        sink_->was_ready(ref, thread.readied, nullptr, record);
    }
    thread.state = State::running;
    thread.is_readied = false;
}

void Scheduling::add_ready(const Record& record) {
    has_readies_ = true;
    const std::uint32_t id = record.number32(readied_thread);
    if (!record.has(readied_thread) || id == 0) {
        return;
    }
    Thread& thread = state_of(id);
    if (thread.state == State::ready || thread.state == State::running) {
        return;
    }
    const std::uint16_t number = record.processor();
    const bool is_known = number < processors_.size() && processors_[number].is_known;
    thread.readied = record.time;
    thread.is_readied = true;
    thread.by_dpc = (record.number(ready_flag) & 1U) != 0;
    thread.has_waker = is_known;
    thread.waker = is_known ? processors_[number].thread : 0;
}

void Scheduling::finish() {
    for (std::size_t i = 0; i < processors_.size(); ++i) {
        if (processors_[i].is_known) {
            sink_->ran(static_cast<std::uint16_t>(i), processors_[i].thread, processors_[i].since,
                       context_->end);
        }
    }
}

} // namespace etl::analysis
