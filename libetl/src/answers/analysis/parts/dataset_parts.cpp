#include "analysis/dataset_parts.hpp"

#include "analysis/pass.hpp"
#include "analysis/states.hpp"
#include "gather/scopes.hpp"

#include <algorithm>
#include <limits>
#include <utility>

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
        for (const std::uint32_t number : by_time(&IndexedBuffer::first_time, std::less())) {
            if (first && index_->buffers[number].first_time >= *first) {
                break;
            }
            for_each_time(number,
                          [&](std::int64_t time) { first = std::min(first.value_or(time), time); });
        }
        return first;
    }

    std::optional<std::int64_t> latest() const {
        std::optional<std::int64_t> last;
        for (const std::uint32_t number : by_time(&IndexedBuffer::last_time, std::greater())) {
            if (last && index_->buffers[number].last_time <= *last) {
                break;
            }
            for_each_time(number,
                          [&](std::int64_t time) { last = std::max(last.value_or(time), time); });
        }
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
        return std::ranges::any_of(index_->buffers, [&](const IndexedBuffer& buffer) {
            return buffer.first_time <= buffer.last_time && buffer.last_time >= time;
        });
    }

private:
    template <typename Compare>
    std::vector<std::uint32_t> by_time(std::int64_t IndexedBuffer::* time, Compare compare) const {
        std::vector<std::uint32_t> numbers;
        for (std::uint32_t i = 0; i < index_->buffers.size(); ++i) {
            if (index_->buffers[i].first_time <= index_->buffers[i].last_time) {
                numbers.push_back(i);
            }
        }
        std::ranges::stable_sort(numbers, compare,
                                 [&](std::uint32_t i) { return index_->buffers[i].*time; });
        return numbers;
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

TraceError error_about(const Error& error, const trace::Reader& reader) {
    return {error, reader.info().name, {}};
}

/// Completes the options of a pass by the range of a trace, and returns where a part of it is that
/// begins at a raw time.
PartPlace place_in(dataset::Dataset& traces, std::size_t number, std::int64_t begin,
                   const TableForm& form, PassOptions& pass) {
    trace::Reader& reader = *traces.readers()[number];
    pass.is_ordered = reader.is_in_one_go();
    const RangeFinder range(traces, number);
    const std::int64_t to = pass.to ? reader.info().clock.to_raw(*pass.to) : Limits::max();
    const auto first =
        form.is_order_free ? range.earliest() : range.first_in_order(to, pass.is_ordered);
    const auto last = range.latest();
    if (first && last) {
        pass.range = {*first, *last};
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

} // namespace

std::expected<std::vector<TablePart>, TraceError>
parts_of(dataset::Dataset& traces, const DividedTable& table, const trace::Part& part) {
    auto sources = traces.window_sources({.time = {.from = table.pass.from, .to = table.pass.to},
                                          .part = part,
                                          .has_all_before = table.form->parts == PartsOf::carried});
    if (!sources) {
        return std::unexpected(std::move(sources.error()));
    }
    std::vector<TablePart> parts;
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        const trace::Reader& reader = *traces.readers()[i];
        PassOptions pass = table.pass;
        const PartPlace place = place_in(
            traces, i, sources->begin ? reader.info().clock.to_raw(*sources->begin) : Limits::min(),
            *table.form, pass);
        const auto analyzer = table.form->make(table.options);
        auto one = run_part(*sources->readers[i], reader.info(), *analyzer, pass, place);
        if (!one) {
            return std::unexpected(error_about(one.error(), reader));
        }
        parts.push_back(*std::move(one));
    }
    return parts;
}

namespace {

/// Whether each trace is one scope of its own, as a part is.
bool are_scopes(const dataset::Dataset& traces) {
    const gather::Scopes scopes(traces.readers());
    return std::ranges::all_of(scopes.groups(), [](const gather::ScopeGroup& group) {
        return group.scopes.size() == 1 && group.readers.size() == 1;
    });
}

/// Whether states were made with the options of a table.
bool can_follow_states(const dataset::Dataset& traces, const DividedTable& table) {
    return table.pass.from && has_usual_states(traces, *table.form) &&
           (!table.pass.where || table.pass.where->is_always_true());
}

/// The table of a window of one trace. Nothing: it depends on more.
std::expected<std::optional<Table>, TraceError>
window_of_trace(dataset::Dataset& traces, std::size_t number, const DividedTable& table) {
    const trace::Reader& reader = *traces.readers()[number];
    const flow::Clock& clock = reader.info().clock;
    flow::TimeFilter::Window window{.from = table.pass.from, .to = table.pass.to};
    std::optional<StateAt> before;
    if (can_follow_states(traces, table)) {
        before =
            state_before(*traces.indexes()[number], *table.form, clock.to_raw(*table.pass.from));
    }
    if (before) {
        window.from = before->cut.time;
    } else if (!table.form->is_local()) {
        window.from.reset();
    }
    const std::int64_t begin = window.from ? clock.to_raw(*window.from) : Limits::min();
    if (traces.upstream() != flow::TimeFilter::Upstream::ordered) {
        window.to.reset();
    }
    const auto events = traces.open_window(number, window, {});
    if (!events) {
        return std::unexpected(events.error());
    }
    PassOptions pass = table.pass;
    const PartPlace place = place_in(traces, number, begin, *table.form, pass);
    const auto analyzer = table.form->make(table.options);
    auto whole = run_window(**events, reader.info(), *analyzer, pass, place,
                            before ? &before->state : nullptr);
    const bool is_certain =
        !whole || before || begin == Limits::min() || whole->coverage.not_recorded.empty();
    if (!is_certain) {
        return std::nullopt; // a source may be recorded before the window
    }
    if (!whole && whole.error().code == ErrorCode::unsupported) {
        return std::nullopt;
    }
    if (!whole) {
        return std::unexpected(error_about(whole.error(), reader));
    }
    return *std::move(whole);
}

/// Whether less than all events before a window is enough.
bool can_begin_later(const TableForm& form) noexcept {
    return form.is_local() || !form.state.empty() || form.parts == PartsOf::carried;
}

} // namespace

std::expected<std::optional<Table>, TraceError>
table_of_window(dataset::Dataset& traces, const DividedTable& table, const OriginKeys& keys) {
    const bool has_window = table.pass.from || table.pass.to;
    if (!has_window || !can_begin_later(*table.form) || table.options.excludes_interrupts ||
        !traces.is_indexed() || !are_scopes(traces)) {
        return std::nullopt;
    }
    std::optional<Table> all;
    const gather::Scopes scopes(traces.readers());
    for (std::size_t i = 0; i < traces.readers().size(); ++i) {
        auto one = window_of_trace(traces, i, table);
        if (!one || !*one) {
            return one;
        }
        keys.add_to(**one, scopes.of(traces.readers()[i]->info(), 0));
        if (all) {
            all->add(**std::move(one));
        } else {
            all = **std::move(one);
        }
    }
    return all;
}

} // namespace etl::analysis
