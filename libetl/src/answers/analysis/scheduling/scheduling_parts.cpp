// Scheduling in parts: what threads and processors did across their edges. docs/parts.md#tables
#include "analysis/parts/archive.hpp"
#include "analysis/parts/owners_archive.hpp"
#include "analysis/scheduling/scheduling.hpp"

#include <algorithm>

namespace etl::analysis {

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
    edges_.has_switches = has_switches_;
    edges_.has_readies = has_readies_;
    const auto add = [this](std::uint32_t id, const Thread& thread) {
        if (thread.state != State::untouched || thread.is_readied) {
            edges_.threads.push_back({.id = id, .ref = 0, .thread = thread});
        }
    };
    for (std::size_t id = 0; id < small_.size(); ++id) {
        add(static_cast<std::uint32_t>(id), small_[id]);
    }
    for (const auto& [id, thread] : large_) {
        add(id, thread);
    }
    for (std::size_t i = 0; i < processors_.size(); ++i) {
        if (processors_[i].is_known) {
            edges_.processors.emplace_back(static_cast<std::uint16_t>(i), processors_[i]);
        }
    }
    visit(to, edges_);
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
