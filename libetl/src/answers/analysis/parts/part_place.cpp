#include "analysis/parts/part_place.hpp"

#include "analysis/pass.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <ranges>

namespace etl::analysis {

namespace {

using trace::IndexedBuffer;
using Limits = std::numeric_limits<std::int64_t>;

/// A trace, its index, and where the range of a pass over it begins and ends.
class RangeFinder {
public:
    /// The trace has an index.
    RangeFinder(dataset::Dataset& traces, std::size_t number)
        : traces_(&traces), number_(number), reader_(traces.readers()[number].get()),
          index_(traces.indexes()[number].get()) {}

    /// The earliest event in any range.
    std::optional<std::int64_t> earliest() const {
        std::optional<std::int64_t> first;
        visit_by_time(&IndexedBuffer::first_time, std::greater(), [&](std::uint32_t number) {
            if (first && index_->buffers[number].first_time >= *first) {
                return false;
            }
            for_each_time(number,
                          [&](std::int64_t time) { first = std::min(first.value_or(time), time); });
            return true;
        });
        return first;
    }

    std::optional<std::int64_t> latest() const {
        std::optional<std::int64_t> last;
        visit_by_time(&IndexedBuffer::last_time, std::less(), [&](std::uint32_t number) {
            if (last && index_->buffers[number].last_time <= *last) {
                return false;
            }
            for_each_time(number,
                          [&](std::int64_t time) { last = std::max(last.value_or(time), time); });
            return true;
        });
        return last;
    }

    /// The first event in any range, in the order of events, before `to`.
    std::optional<std::int64_t> first_in_order(std::int64_t to, bool ends_at_to) const {
        const auto trace = traces_->open_window(number_, {}, {.is_silent = true});
        if (!trace) {
            return std::nullopt;
        }
        flow::Source& source = **trace;
        for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
            for (const flow::Event& event : run) {
                if (event.raw_time < to && is_in_any_range(event)) {
                    return event.raw_time;
                }
                if (event.raw_time >= to && ends_at_to) {
                    return std::nullopt;
                }
            }
        }
        return std::nullopt;
    }

    bool has_events_from(std::int64_t time) const {
        // Buffers of late events are among the last ones.
        return std::ranges::any_of(
            index_->buffers | std::views::reverse, [&](const IndexedBuffer& buffer) {
                return buffer.first_time <= buffer.last_time && buffer.last_time >= time;
            });
    }

private:
    /// Visits the buffers with times, those before which no other compares first, until `visit` is
    /// false: few of many.
    template <typename Compare, typename Visit>
    void visit_by_time(std::int64_t IndexedBuffer::* time, Compare compare, Visit&& visit) const {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < index_->buffers.size(); ++i) {
            if (index_->buffers[i].first_time <= index_->buffers[i].last_time) {
                numbers.push_back(i);
            }
        }
        const auto time_of = [&](std::uint32_t i) { return index_->buffers[i].*time; };
        std::ranges::make_heap(numbers, compare, time_of);
        while (!numbers.empty() && visit(numbers.front())) {
            std::ranges::pop_heap(numbers, compare, time_of);
            numbers.pop_back();
        }
    }

    template <typename Visit>
    void for_each_time(std::uint32_t number, Visit&& visit) const {
        reader_->show_buffers({number}, [&](const trace::BufferContent& buffer) {
            for (const flow::Event& event : buffer.events) {
                if (is_in_any_range(event)) {
                    visit(event.raw_time);
                }
            }
        });
    }

    dataset::Dataset* traces_;
    std::size_t number_;
    trace::Reader* reader_;
    const trace::TraceIndex* index_;
};

} // namespace

PartPlace place_in(dataset::Dataset& traces, std::size_t number, std::int64_t begin,
                   const TableForm& form, PassOptions& pass) {
    trace::Reader& reader = *traces.readers()[number];
    pass.is_ordered = reader.is_in_one_go();
    const RangeFinder range(traces, number);
    const std::int64_t to = pass.to ? reader.info().clock.to_raw(*pass.to) : Limits::max();
    if (!pass.range) {
        const auto first =
            form.is_order_free ? range.earliest() : range.first_in_order(to, pass.is_ordered);
        const auto last = range.latest();
        if (first && last) {
            pass.range = {*first, *last};
        }
    }
    PartPlace place;
    place.reached_to = pass.to && range.has_events_from(to);
    place.begin = begin;
    place.show_earlier = [&reader, &index = *traces.indexes()[number]](auto show) {
        reader.show_buffers(index.numbers_of(&IndexedBuffer::has_sampling),
                            [&](const trace::BufferContent& buffer) { show(buffer.events); });
    };
    return place;
}

} // namespace etl::analysis
