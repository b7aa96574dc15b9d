// How much processors and disks are used over time, as counters. Private to analysis.
// docs/profilers.md#slices
#pragma once

#include "analysis/activity.hpp"

#include <cstdint>
#include <vector>

namespace etl::analysis {

/// Sums by slices of the time: of 10 ms, and twice as long whenever there would be more than
/// `max_slices`.
class UseCounters {
public:
    void start(const Context& context);

    /// A thread ran. `to` is not before `from`.
    void add_run(std::int64_t from, std::int64_t to);

    /// A sample; counts if there are no runs.
    void add_sample(std::int64_t time, std::uint64_t weight_ns);

    /// A disk has read or written bytes.
    void add_transfer(std::int64_t time, std::uint64_t bytes);

    /// Shows the counters, and returns the number of values: of each slice that differs from the
    /// one before it, and 0 at the end.
    std::uint64_t show(ActivitySink& sink) const;

private:
    static constexpr std::size_t max_slices = 1U << 15U;

    struct Slice {
        std::uint64_t running = 0; // ticks
        std::uint64_t sampled = 0; // nanoseconds
        std::uint64_t bytes = 0;
    };

    /// Of a time that is not before the begin.
    Slice& slice_of(std::int64_t time);
    std::int64_t time_of(std::size_t slice) const;
    std::uint64_t width_of(std::size_t slice) const;
    template <typename ValueOf>
    std::uint64_t show_one(ActivitySink& sink, std::string_view name, ValueOf value_of) const;

    const Context* context_ = nullptr;
    std::int64_t frequency_ = 1;
    std::uint64_t width_ = 1; // ticks
    std::vector<Slice> slices_;
    bool has_runs_ = false, has_samples_ = false, has_transfers_ = false;
};

} // namespace etl::analysis
