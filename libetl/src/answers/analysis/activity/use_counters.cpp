#include "analysis/activity/use_counters.hpp"

#include <algorithm>
#include <utility>

namespace etl::analysis {

namespace {

constexpr std::int64_t slices_per_second = 100;
constexpr double percent = 100;

/// `value` times `factor` divided by `divisor`, rounded down; at most 10^18.
std::uint64_t scaled(std::uint64_t value, double factor, std::uint64_t divisor) {
    constexpr double max = 1e18;
    const auto below = static_cast<double>(std::max<std::uint64_t>(divisor, 1));
    return static_cast<std::uint64_t>(std::min(static_cast<double>(value) * factor / below, max));
}

} // namespace

void UseCounters::start(const Context& context) {
    context_ = &context;
    frequency_ = std::max<std::int64_t>(context.trace->clock.frequency(), 1);
    width_ = static_cast<std::uint64_t>(std::max<std::int64_t>(frequency_ / slices_per_second, 1));
}

UseCounters::Slice& UseCounters::slice_of(std::int64_t time) {
    const std::uint64_t since = context_->cut(context_->begin, time);
    while (since / width_ >= max_slices) {
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            const Slice slice = std::exchange(slices_[i], {});
            Slice& both = slices_[i / 2];
            both.running += slice.running;
            both.sampled += slice.sampled;
            both.bytes += slice.bytes;
        }
        slices_.resize((slices_.size() + 1) / 2);
        width_ *= 2;
    }
    const auto index = static_cast<std::size_t>(since / width_);
    if (index >= slices_.size()) {
        slices_.resize(index + 1);
    }
    return slices_[index];
}

void UseCounters::add_run(std::int64_t from, std::int64_t to) {
    has_runs_ = true;
    slice_of(to); // all slices exist, and their width is final for this run
    std::uint64_t since = context_->cut(context_->begin, from);
    for (std::uint64_t left = context_->cut(from, to); left > 0;) {
        const std::uint64_t part = std::min(left, width_ - since % width_);
        slices_[static_cast<std::size_t>(since / width_)].running += part;
        since += part;
        left -= part;
    }
}

void UseCounters::add_sample(std::int64_t time, std::uint64_t weight_ns) {
    has_samples_ = true;
    slice_of(time).sampled += weight_ns;
}

void UseCounters::add_transfer(std::int64_t time, std::uint64_t bytes) {
    has_transfers_ = true;
    slice_of(time).bytes += bytes;
}

/// When a slice begins; not after the end of the range.
std::int64_t UseCounters::time_of(std::size_t slice) const {
    const std::uint64_t range = context_->cut(context_->begin, context_->end);
    const std::uint64_t since = std::min(slice * width_, range);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(context_->begin) + since);
}

/// The last slice is as long as the range is.
std::uint64_t UseCounters::width_of(std::size_t slice) const {
    const std::uint64_t range = context_->cut(context_->begin, context_->end);
    const std::uint64_t since = slice * width_;
    return since < range ? std::min(width_, range - since) : width_;
}

template <typename ValueOf>
std::uint64_t UseCounters::show_one(ActivitySink& sink, std::string_view name,
                                    ValueOf value_of) const {
    std::uint64_t last = 0, values = 0;
    for (std::size_t i = 0; i <= slices_.size(); ++i) {
        const std::uint64_t value = i < slices_.size() ? value_of(slices_[i], width_of(i)) : 0;
        if (value != last || i == 0) {
            sink.counter({.time = time_of(i), .name = name, .value = value});
            last = value;
            ++values;
        }
    }
    return values;
}

std::uint64_t UseCounters::show(ActivitySink& sink) const {
    std::uint64_t values = 0;
    if (has_runs_ || has_samples_) {
        values += show_one(
            sink, "CPU use (% of a processor)", [&](const Slice& slice, std::uint64_t width) {
                return has_runs_
                           ? scaled(slice.running, percent, width)
                           : scaled(slice.sampled, percent, nanoseconds_of(width, frequency_));
            });
    }
    if (has_transfers_) {
        values += show_one(sink, "disk (bytes/s)", [&](const Slice& slice, std::uint64_t width) {
            return scaled(slice.bytes, static_cast<double>(frequency_), width);
        });
    }
    return values;
}

} // namespace etl::analysis
