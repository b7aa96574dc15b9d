// Which events contain facts: to leave out buffers without any.
#pragma once

#include "base/function_ref.hpp"
#include "facts/collector.hpp"
#include "flow/source.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace etl::facts {

/// Returns whether an event may contain facts of a scope, except for the processes that headers and
/// stack records state (ThreadBuffers), for stacks (StackBuffers), and for events of runtimes,
/// which are facts if any of them is a stack (flow::RuntimeRecord). A Collector to which all other
/// buffers were added as empty ones returns the same facts.
bool may_have_facts(const flow::Event& event, Scope scope) noexcept;

/// Returns what the kernel's classes record, by one event.
ClassSources class_sources_of(const flow::Event& event) noexcept;

/// Finds the buffers whose headers and stack records are needed to know the processes of threads.
/// Not thread-safe; use one per thread.
class ThreadBuffers {
public:
    /// Adds the events of a buffer; `machine` is the number of the machine and boot that they are
    /// of (flow::MachineNumbers), because thread IDs are those of one.
    void add(std::uint32_t buffer, std::uint32_t machine, flow::Run events);

    /// Takes over the results of another one. The result does not depend on how buffers are
    /// distributed.
    void combine(const ThreadBuffers& other);

    /// Calls `mark` for each buffer with the first or the last statement about a thread.
    void for_each_end(FunctionRef<void(std::uint32_t buffer)> mark) const;

    /// Whether all buffers that state_again() must be marked, too.
    bool has_reused() const noexcept { return has_reused_ || is_full_; }

    /// Whether events of a machine state the process of a thread that is of several processes.
    bool state_again(std::uint32_t machine, flow::Run events) const;

private:
    struct Place {
        std::int64_t time = 0; // raw
        std::uint32_t buffer = 0;
    };

    struct OfThread {
        std::uint32_t process = 0;
        Place first, last;
        bool is_reused = false;
    };

    static std::uint64_t key_of(std::uint32_t machine, std::uint32_t thread) noexcept {
        return std::uint64_t{machine} << 32U | thread;
    }

    void add(std::uint64_t key, const OfThread& seen);

    std::unordered_map<std::uint64_t, OfThread> threads_; // by machine and thread
    bool has_reused_ = false, is_full_ = false;
};

/// Finds the events that the stacks in each buffer can be of. Not thread-safe; use one per thread.
///
/// A stack in user mode is recorded when a thread leaves the kernel, and belongs to all events of
/// the thread since the one before it (docs/enrich.md#stacks).
class StackBuffers {
public:
    /// Times of events, raw. first > last: the buffer has no stacks.
    struct Span {
        std::int64_t first = std::numeric_limits<std::int64_t>::max();
        std::int64_t last = std::numeric_limits<std::int64_t>::min();

        void add(std::int64_t time) noexcept {
            first = std::min(first, time);
            last = std::max(last, time);
        }

        bool is_empty() const noexcept { return first > last; }
    };

    /// Adds the events of a buffer; `machine` as in ThreadBuffers::add().
    void add(std::uint32_t buffer, std::uint32_t machine, flow::Run events);

    /// Takes over the results of another one. The result does not depend on how buffers are
    /// distributed.
    void combine(StackBuffers&& other);

    /// Calls `visit` for each buffer with stacks, several times for one, whose span is that of all.
    void for_each_span(FunctionRef<void(std::uint32_t buffer, const Span& span)> visit);

private:
    /// The stacks of a thread in a buffer.
    struct OfThread {
        std::uint64_t thread = 0; // and machine
        std::uint32_t buffer = 0;
        Span kernel, user;
    };

    void show_thread(std::span<OfThread> all,
                     FunctionRef<void(std::uint32_t buffer, const Span& span)> visit) const;

    std::vector<OfThread> all_;
    std::uint64_t slack_ = 0; // between an event and the time by which its stack refers to it
};

/// Returns whether an event may contain facts about origins. An OriginCollector without the other
/// events finds the same origins.
bool may_have_origin(const flow::Event& event) noexcept;

/// Returns whether an event may contain the interval between two samples of a processor, by which
/// later samples are weighted.
bool may_have_sampling_interval(const flow::Event& event) noexcept;

/// Returns the providers whose payloads contain facts, or say which process an event is about: the
/// classes of the kernel, some of its manifest providers, and runtimes. Some occur twice.
std::vector<Guid> providers_of_facts();

} // namespace etl::facts
