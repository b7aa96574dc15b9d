// Sources that filter another source. Not thread-safe.
#pragma once

#include "flow/source.hpp"

#include <atomic>
#include <functional>
#include <limits>
#include <optional>

namespace etl::flow {

/// Passes on the events that match a predicate. Its runs are parts of upstream runs; nothing is
/// copied.
class WhereFilter final : public Source {
public:
    using Predicate = std::function<bool(const Event&)>;

    WhereFilter(Source& upstream, Predicate predicate)
        : upstream_(&upstream), predicate_(std::move(predicate)) {}

    Run next_run() override;

    Pin pin() const override { return upstream_->pin(); }

    const Error* error() const noexcept override { return upstream_->error(); }

    bool is_paused() const noexcept override { return upstream_->is_paused(); }

private:
    Source* upstream_;
    Predicate predicate_;
    Run rest_;
};

/// A time window in the raw timestamps of one trace: from <= time < to.
struct RawWindow {
    std::int64_t from = std::numeric_limits<std::int64_t>::min();
    std::optional<std::int64_t> to{}; // none: no end

    bool contains(std::int64_t raw_time) const noexcept {
        return raw_time >= from && (!to || raw_time < *to);
    }

    /// The same for an event: one without a usable time is in no window.
    bool contains(const Event& event) const noexcept {
        return event.has_time && contains(event.raw_time);
    }
};

/// Passes on events from `from` (inclusive) to `to` (exclusive); with either, no event without a
/// usable time (UsableTimes). On a source in time order, it ends at the first event at or
/// after `to`.
class TimeFilter final : public Source {
public:
    struct Window {
        std::optional<Filetime> from, to;

        /// Returns the same window of a trace with this clock.
        RawWindow raw(const Clock& clock) const noexcept;
    };

    enum class Upstream : std::uint8_t { ordered, unordered };

    /// `untimed`, which may be null, counts the events that are left out because they have no
    /// usable time; it must outlive the filter.
    TimeFilter(Source& upstream, const Window& window, Upstream order,
               std::atomic<std::uint64_t>* untimed = nullptr)
        : upstream_(&upstream), window_(window), order_(order), untimed_(untimed) {}

    Run next_run() override;

    Pin pin() const override { return upstream_->pin(); }

    const Error* error() const noexcept override { return upstream_->error(); }

    bool is_paused() const noexcept override { return !ended_ && upstream_->is_paused(); }

private:
    const RawWindow& window_of(const TraceInfo& trace);
    void count_untimed(Run left_out) noexcept;

    Source* upstream_;
    Window window_;
    Upstream order_;
    std::atomic<std::uint64_t>* untimed_;
    const TraceInfo* known_ = nullptr; // trace of raw_
    RawWindow raw_;
    Run rest_;
    bool ended_ = false;
};

/// Skips the first events, then ends after a number of events.
class CountFilter final : public Source {
public:
    struct Range {
        std::uint64_t skip = 0;
        std::optional<std::uint64_t> limit;
    };

    CountFilter(Source& upstream, const Range& range)
        : upstream_(&upstream), skip_(range.skip),
          left_(range.limit.value_or(std::numeric_limits<std::uint64_t>::max())) {}

    Run next_run() override;

    Pin pin() const override { return upstream_->pin(); }

    const Error* error() const noexcept override { return upstream_->error(); }

    bool is_paused() const noexcept override { return left_ > 0 && upstream_->is_paused(); }

private:
    Source* upstream_;
    std::uint64_t skip_;
    std::uint64_t left_;
};

} // namespace etl::flow
