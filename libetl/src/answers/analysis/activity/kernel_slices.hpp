// Slices, marks, and counters from single events, and records of I/O as they were logged. Private
// to analysis. docs/profilers.md#slices
#pragma once

#include "analysis/activity.hpp"
#include "analysis/activity/use_counters.hpp"

namespace etl::analysis {

class IoRecords {
public:
    explicit IoRecords(ActivitySink& sink) : sink_(&sink) {}

    static void subscribe(Subscriptions& subscriptions);

    /// Returns whether a record is one of those asked for; pass it to add().
    static bool takes(std::uint32_t tag) noexcept;

    void add(const Context& context, const Record& record);

private:
    ActivitySink* sink_;
};

// Slices, marks, and counters from single events. docs/profilers.md#slices

/// DPCs, ISRs, disk I/O, and hard faults, which are recorded when they end; marks; counters.
class KernelSlices {
public:
    KernelSlices(ActivitySink& sink, ActivityThreads& threads, Frames& frames, UseCounters& use)
        : sink_(&sink), threads_(&threads), frames_(&frames), use_(&use) {}

    static void subscribe(Subscriptions& subscriptions);

    /// Returns whether a record is one of those asked for; pass it to add().
    static bool takes(std::uint32_t tag) noexcept;

    void add(const Context& context, const Record& record);

    std::uint64_t slices() const noexcept { return slices_; }

    std::uint64_t marks() const noexcept { return marks_; }

    std::uint64_t counters() const noexcept { return counters_; }

private:
    void add_interrupt(const Context& context, const Record& record);
    void add_operation(const Context& context, const Record& record);
    void add_mark(const Record& record);
    void add_counter(const Context& context, const Record& record);
    /// Returns whether the thread is selected.
    bool show(const Context& context, Slice slice, std::uint64_t duration);

    ActivitySink* sink_;
    ActivityThreads* threads_;
    Frames* frames_;
    UseCounters* use_;
    std::uint64_t slices_ = 0, marks_ = 0, counters_ = 0;
};

} // namespace etl::analysis
