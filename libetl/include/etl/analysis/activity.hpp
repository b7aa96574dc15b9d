// What happened on a machine, one thing after the other, for the formats of profilers. Not
// thread-safe. docs/profilers.md
#pragma once

#include <etl/analysis/analyzer.hpp>
#include <etl/analysis/frames.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Index of a thread in ActivityThreads.
using ThreadRow = std::uint32_t;

/// A row of `etl cpu --by thread`: uses of a thread ID in one process.
struct ActivityThread {
    OwnerRef owner = Owners::unknown;
    std::optional<std::uint32_t> id; // none: DPC, ISR
    std::string name;                // UTF-8; empty: not recorded so far
};

/// The threads so far, at most limits::analysis_threads; row 0 is for all others.
class ActivityThreads {
public:
    ActivityThreads();

    ThreadRow row_of(OwnerRef owner, std::optional<std::uint32_t> id);

    void set_name(ThreadRow row, std::string name) { all_[row].name = std::move(name); }

    const ActivityThread& operator[](ThreadRow row) const noexcept { return all_[row]; }

    std::size_t size() const noexcept { return all_.size(); }

    /// Uses of row 0 for a thread.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    std::vector<ActivityThread> all_;
    std::unordered_map<std::uint64_t, ThreadRow> by_id_;
    std::uint64_t dropped_ = 0;
};

/// What the events refer to. Valid until the pass is over.
struct ActivityContext {
    const Context* pass = nullptr;
    const Frames* frames = nullptr;
    const ActivityThreads* threads = nullptr;

    /// Nanoseconds from the beginning of the range to a raw time; 0 if it is earlier.
    std::uint64_t since_begin(std::int64_t time) const noexcept {
        return nanoseconds_of(pass->cut(pass->begin, time), pass->trace->clock.frequency());
    }

    const Owner& owner_of(const ActivityThread& thread) const noexcept {
        return (*pass->owners)[thread.owner];
    }
};

/// A sample of a processor, in no idle thread. Valid during the call.
struct ThreadSample {
    std::int64_t time = 0; // raw
    ThreadRow thread = 0;
    std::uint16_t processor = 0;
    std::uint64_t weight_ns = 0;   // as in docs/analysis.md#cpu
    std::uint64_t interval_ns = 0; // between two samples
    Stack stack;                   // innermost first; not empty
};

/// Receives what happened, in time order.
class ActivitySink {
public:
    ActivitySink() = default;
    ActivitySink(const ActivitySink&) = delete;
    ActivitySink& operator=(const ActivitySink&) = delete;
    virtual ~ActivitySink() = default;

    /// Called once, before anything else.
    virtual void start(const ActivityContext& context) = 0;

    virtual void sample(const ThreadSample& sample) = 0;

    /// Called once, after everything else; Context::end is known.
    virtual void finish() = 0;
};

/// Shows what happened in the range to a sink, which must outlive it. The table has one row:
/// `samples`, `sampled_ns`, as the total of `etl cpu --by function`. Requires facts of
/// Scope::everything.
std::unique_ptr<Analyzer> make_activity(ActivitySink& sink);

} // namespace etl::analysis
