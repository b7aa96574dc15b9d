#include "analysis/scheduling/scheduling.hpp"

#include "analysis/owners.hpp"
#include "analysis/parts/archive.hpp"
#include "format/thread_states.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

constexpr std::uint16_t switch_hook = 0x0524;
constexpr std::uint16_t ready_hook = 0x0532;
constexpr std::uint16_t start_hook = 0x0501, end_hook = 0x0502; // of threads
constexpr std::uint32_t small_thread_ids = 1U << 18U;

enum SwitchField : unsigned { new_thread, old_thread, wait_reason, thread_state };

enum ReadyField : unsigned { readied_thread, ready_flag };

} // namespace

void Scheduling::subscribe(Subscriptions& subscriptions, Records records) {
    SharedReceiver* const receiver = records == Records::shared ? this : nullptr;
    subscriptions.hook(switch_hook, switch_tag,
                       {"NewThreadId", "OldThreadId", "OldThreadWaitReason", "OldThreadState"},
                       Use::values, receiver);
    subscriptions.hook(ready_hook, ready_tag, {"TThreadId", "Flag"}, Use::values, receiver);
    subscriptions.hook(start_hook, start_tag, {"TThreadId"}, Use::context, receiver);
    subscriptions.hook(end_hook, end_tag, {"TThreadId"}, Use::context, receiver);
    if (excludes_interrupts_) {
        for (const InterruptKind& kind : interrupt_kinds) {
            subscriptions.hook(kind.hook, interrupt_tag, {"InitialTime"}, Use::context, receiver);
        }
    }
}

void Scheduling::serve(SharedReceiver& other) {
    auto& one = static_cast<Scheduling&>(other); // by what()
    one.leader_ = this;
    sinks_.push_back(one.sinks_.front());
}

void Scheduling::add(const Record& record) {
    if (record.tag == switch_tag) {
        add_switch(record);
    } else if (record.tag == interrupt_tag) {
        add_interrupt(record);
    } else if (record.tag == start_tag || record.tag == end_tag) {
        add_end(record);
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

Scheduling::Processor* Scheduling::processor_of(std::uint16_t number) {
    if (number >= limits::analysis_processors) {
        return nullptr;
    }
    if (number >= processors_.size()) {
        processors_.resize(number + std::size_t{1});
    }
    return &processors_[number];
}

/// Passes on the running interval up to a time, without the first interrupts in it, which are
/// forgotten.
void Scheduling::pass_on(std::uint16_t number, Processor& processor, std::int64_t end,
                         std::size_t most, bool is_open) {
    auto& interrupts = processor.interrupts;
    const std::int64_t last = std::max(end, processor.since); // times can fall
    const std::size_t count = std::min(most, interrupts.size());
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t from = std::clamp(interrupts[i].from, processor.since, last);
        const std::int64_t to = std::clamp(interrupts[i].to, from, last);
        if (from > processor.since) {
            show([&](SchedulingSink& sink) {
                sink.ran(number, processor.thread, processor.since, from);
            });
        }
        excluded_ += context_->cut(from, to);
        processor.since = to;
    }
    if (count == interrupts.size()) {
        show([&](SchedulingSink& sink) {
            is_open ? sink.still_ran(number, processor.thread, processor.since, end)
                    : sink.ran(number, processor.thread, processor.since, end);
        });
    }
    interrupts.erase(interrupts.begin(), interrupts.begin() + static_cast<std::ptrdiff_t>(count));
}

void Scheduling::add_interrupt(const Record& record) {
    has_interrupts_ = true;
    Processor* const processor = processor_of(record.processor());
    if (processor == nullptr || !processor->is_known) {
        return;
    }
    add_outer(processor->interrupts, interval_of(record, 0), [](const Interval&) {});
    if (processor->interrupts.size() > limits::analysis_nested_interrupts) {
        pass_on(record.processor(), *processor, record.time,
                limits::analysis_nested_interrupts / 2);
    }
}

void Scheduling::add_switch(const Record& record) {
    has_switches_ = true;
    if (!record.has(new_thread) || !record.has(old_thread)) {
        return;
    }
    const std::uint16_t number = record.processor();
    Processor* const known = processor_of(number);
    if (known == nullptr) {
        ++dropped_;
        return;
    }
    Processor& processor = *known;
    const std::uint32_t to = record.number32(new_thread);
    const std::uint32_t from = record.number32(old_thread);
    seen_processors_ += processor.is_known ? 0 : 1;
    if (processor.is_known && processor.thread_id == from) {
        pass_on(number, processor, record.time, processor.interrupts.size());
    } else if (!processor.is_known && context_->continues()) {
        edges_.first.push_back({number, from, record.time});
    }
    switch_out(record, from);
    const ThreadRef thread = context_->owners->thread(to, record.time);
    processor.since = record.time;
    processor.thread_id = to;
    processor.thread = thread;
    processor.is_known = true;
    processor.interrupts.clear();
    show([&](SchedulingSink& sink) { sink.switched(number, thread, record); });
    switch_in({record.time, record.in_range, place_of(*record.event)}, to, thread);
}

void Scheduling::switch_out(const Record& record, std::uint32_t id) {
    if (id == 0) {
        return;
    }
    Thread& thread = state_of(id);
    const std::uint64_t state = record.number(thread_state);
    thread.state = format::is_waiting(state) ? State::waiting
                   : format::is_ready(state) ? State::ready
                                             : State::unknown;
    thread.since = record.time;
    thread.reason = static_cast<std::uint8_t>(record.number(wait_reason));
    thread.is_readied = false;
}

void Scheduling::switch_in(const SchedulingSink::SwitchIn& at, std::uint32_t id, ThreadRef ref) {
    if (id == 0) {
        return;
    }
    Thread& thread = state_of(id);
    if (depends_on_earlier(thread)) {
        keep(at, id, ref, thread);
    } else if (thread.state == State::waiting) {
        const std::int64_t end = thread.is_readied ? thread.readied : at.time;
        const SchedulingSink::Wait wait{.thread = ref,
                                        .reason = thread.reason,
                                        .by_dpc = thread.is_readied && thread.by_dpc,
                                        .waker = thread.is_readied && thread.has_waker
                                                     ? std::optional(thread.waker)
                                                     : std::nullopt,
                                        .from = thread.since,
                                        .to = end};
        show([&](SchedulingSink& sink) {
            sink.waited(wait, at);
            if (thread.is_readied) {
                sink.was_ready(ref, thread.readied, &wait, at);
            }
        });
    } else if (thread.state == State::ready) {
        show([&](SchedulingSink& sink) { sink.was_ready(ref, thread.since, nullptr, at); });
    } else if (thread.state != State::running && thread.is_readied) {
        show([&](SchedulingSink& sink) { sink.was_ready(ref, thread.readied, nullptr, at); });
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
    thread.waker_of = is_known || !context_->continues() ? std::nullopt : std::optional(number);
}

/// Of the thread, or of another one that had the ID of one that starts. A thread ends while it
/// runs, up to the switch from it; if it waits or is ready, the switch to it is missing.
void Scheduling::add_end(const Record& record) {
    const std::uint32_t id = record.number32(0);
    if (!record.has(0) || id == 0) {
        return;
    }
    Thread& thread = state_of(id);
    if (thread.state == State::running) {
        return;
    }
    // What readied a thread that starts can come before its start.
    const bool is_of_new =
        record.tag == start_tag && thread.state != State::waiting && thread.state != State::ready;
    if (!is_of_new) {
        if (const auto state = open_state(id, thread)) {
            show([&](SchedulingSink& sink) { sink.ended(*state, record.time); });
        }
        thread = {};
    }
    thread.state = State::unknown;
}

/// Nothing: it does not wait and is not ready.
std::optional<SchedulingSink::OpenState> Scheduling::open_state(std::uint32_t id,
                                                                const Thread& thread) {
    const bool waits = thread.state == State::waiting;
    const bool is_ready = thread.state == State::ready;
    const bool was_readied = thread.is_readied && thread.state != State::running;
    if (!waits && !is_ready && !was_readied) {
        return std::nullopt;
    }
    return SchedulingSink::OpenState{
        .thread = id,
        .reason = thread.reason,
        .waits_since = waits ? std::optional(thread.since) : std::nullopt,
        .ready_since = is_ready            ? std::optional(thread.since)
                       : thread.is_readied ? std::optional(thread.readied)
                                           : std::nullopt,
        .by_dpc = thread.is_readied && thread.by_dpc,
        .waker =
            thread.is_readied && thread.has_waker ? std::optional(thread.waker) : std::nullopt};
}

void Scheduling::finish() {
    if (context_->is_cut) {
        leader_->cut_running(context_->end);
    } else if (!context_->is_part && !std::exchange(leader_->is_finished_, true)) {
        end_running(context_->end);
    }
}

void Scheduling::end_running(std::int64_t end) {
    for (std::size_t i = 0; i < leader_->processors_.size(); ++i) {
        Processor& processor = leader_->processors_[i];
        if (processor.is_known) {
            leader_->pass_on(static_cast<std::uint16_t>(i), processor, end,
                             processor.interrupts.size(), true);
        }
    }
}

void Scheduling::cut_running(std::int64_t at) {
    for (std::size_t i = 0; i < processors_.size(); ++i) {
        Processor& processor = processors_[i];
        if (processor.is_known && processor.since < at) {
            pass_on(static_cast<std::uint16_t>(i), processor, at, processor.interrupts.size());
            processor.since = at;
        }
    }
}

void Scheduling::show_open() {
    const auto show_thread = [this](std::uint32_t id, const Thread& thread) {
        if (const auto state = open_state(id, thread)) {
            sinks_.front()->still(*state);
        }
    };
    for (std::uint32_t id = 0; id < leader_->small_.size(); ++id) {
        show_thread(id, leader_->small_[id]);
    }
    for (const auto& [id, thread] : leader_->large_) {
        show_thread(id, thread);
    }
}

void Scheduling::report_excluded(Coverage& coverage) const {
    coverage.remainders.push_back({"excluded_ns", excluded(), true});
    if (excludes_interrupts_ && !leader_->has_interrupts_) {
        coverage.not_recorded.push_back({"DPCs and ISRs", {}, record_interrupts});
    }
}

// Scheduling in parts: what threads and processors did across their edges. docs/parts.md#tables

void Scheduling::visit(Archive& archive, Thread& thread) {
    auto state = static_cast<std::uint8_t>(thread.state);
    archive.number(state);
    archive.number(thread.since);
    archive.number(thread.readied);
    archive.number(thread.reason);
    archive.number(thread.is_readied);
    archive.number(thread.by_dpc);
    archive.number(thread.has_waker);
    archive.optional(thread.waker_of);
    if (thread.has_waker) {
        visit_thread(archive, *context_->owners, thread.waker);
    }
    if (state > static_cast<std::uint8_t>(State::ready)) {
        archive.fail();
        return;
    }
    thread.state = static_cast<State>(state);
}

void Scheduling::visit(Archive& archive, ThreadEdge& edge) {
    archive.number(edge.id);
    visit(archive, edge.thread);
    analysis::visit(archive, edge.at);
}

void Scheduling::visit(Archive& archive, Edges& edges) {
    archive.number(edges.has_switches);
    archive.number(edges.has_readies);
    archive.list(edges.switches, [&](ThreadEdge& edge) {
        visit(archive, edge);
        visit_thread(archive, *context_->owners, edge.ref);
    });
    archive.list(edges.threads, [&](ThreadEdge& edge) { visit(archive, edge); });
    archive.list(edges.first, [&](ProcessorEdge& edge) {
        archive.number(edge.number);
        archive.number(edge.from);
        archive.number(edge.time);
    });
    archive.list(edges.processors, [&](std::pair<std::uint16_t, Processor>& one) {
        archive.number(one.first);
        archive.number(one.second.since);
        archive.number(one.second.thread_id);
        visit_thread(archive, *context_->owners, one.second.thread);
    });
}

bool Scheduling::depends_on_earlier(const Thread& thread) const noexcept {
    return context_->continues() &&
           (thread.state == State::untouched ||
            (thread.state == State::waiting && thread.is_readied && thread.waker_of));
}

void Scheduling::keep(const SchedulingSink::SwitchIn& at, std::uint32_t id, ThreadRef ref,
                      const Thread& thread) {
    if (edges_.switches.size() >= limits::analysis_threads) {
        ++dropped_;
        return;
    }
    edges_.switches.push_back({id, ref, thread, at});
}

void Scheduling::save(Archive& to) {
    Edges edges = leader_->edges_;
    edges.has_switches = has_switches();
    edges.has_readies = has_readies();
    const auto add = [&](std::uint32_t id, const Thread& thread) {
        if (thread.state != State::untouched || thread.is_readied) {
            edges.threads.push_back({.id = id, .ref = 0, .thread = thread});
        }
    };
    for (std::size_t id = 0; id < leader_->small_.size(); ++id) {
        add(static_cast<std::uint32_t>(id), leader_->small_[id]);
    }
    for (const auto& [id, thread] : leader_->large_) {
        add(id, thread);
    }
    for (std::size_t i = 0; i < leader_->processors_.size(); ++i) {
        if (leader_->processors_[i].is_known) {
            edges.processors.emplace_back(static_cast<std::uint16_t>(i), leader_->processors_[i]);
        }
    }
    visit(to, edges);
}

void Scheduling::stitch(Archive& from) {
    Edges edges;
    visit(from, edges);
    has_switches_ = has_switches_ || edges.has_switches;
    has_readies_ = has_readies_ || edges.has_readies;
    stitch_threads(edges);
    stitch_processors(edges);
}

/// A waker in the part before is known now.
void Scheduling::find_waker(Thread& thread) const {
    if (thread.waker_of) {
        const std::uint16_t number = *thread.waker_of;
        thread.has_waker = number < processors_.size() && processors_[number].is_known;
        thread.waker = thread.has_waker ? processors_[number].thread : 0;
        thread.waker_of.reset();
    }
}

/// As add_ready().
void Scheduling::be_readied(Thread& thread, const Thread& by) {
    if (by.is_readied && thread.state != State::ready && thread.state != State::running) {
        thread.readied = by.readied;
        thread.is_readied = true;
        thread.by_dpc = by.by_dpc;
        thread.has_waker = by.has_waker;
        thread.waker = by.waker;
    }
}

/// The thread is as at the edge. A part that did not touch it may have made it ready.
void Scheduling::take_over(ThreadEdge& edge) {
    find_waker(edge.thread);
    Thread& thread = state_of(edge.id);
    if (edge.thread.state == State::untouched) {
        be_readied(thread, edge.thread);
    } else {
        thread = edge.thread;
    }
}

void Scheduling::stitch_threads(Edges& edges) {
    for (ThreadEdge& edge : edges.switches) {
        take_over(edge);
        switch_in(edge.at, edge.id, edge.ref);
    }
    std::ranges::for_each(edges.threads, [this](ThreadEdge& edge) { take_over(edge); });
}

void Scheduling::stitch_processors(const Edges& edges) {
    for (const ProcessorEdge& edge : edges.first) {
        Processor* const processor = processor_of(edge.number);
        if (processor != nullptr && processor->is_known && processor->thread_id == edge.from) {
            pass_on(edge.number, *processor, edge.time, 0);
        }
    }
    for (const auto& [number, last] : edges.processors) {
        if (Processor* const processor = processor_of(number)) {
            seen_processors_ += processor->is_known ? 0 : 1;
            *processor = last;
            processor->is_known = true;
        }
    }
}

} // namespace etl::analysis
