// What headers say about opened traces.
#include "analysis/event_counts.hpp"
#include "analysis/limits.hpp"
#include "explore/explorer_state.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace etl::explore {

namespace {

/// Adds up bytes over equal columns of time.
class Columns {
public:
    Columns(Filetime begin, Filetime end, std::uint32_t count)
        : begin_(begin), length_(std::max(between(begin, end), 1.0)), count_(count) {}

    void add(Filetime from, Filetime to, std::uint64_t bytes, std::vector<std::uint64_t>& sums) {
        const std::uint32_t first = column_of(from), last = std::max(column_of(to), first);
        const std::uint64_t each = bytes / (last - first + 1);
        for (std::uint32_t i = first; i <= last; ++i) {
            sums[i] += each;
        }
        sums[last] += bytes - each * (last - first + 1);
    }

private:
    /// Times of damaged traces wrap around.
    static double between(Filetime from, Filetime to) noexcept {
        return static_cast<double>(static_cast<std::int64_t>(
            static_cast<std::uint64_t>(to.ticks) - static_cast<std::uint64_t>(from.ticks)));
    }

    std::uint32_t column_of(Filetime time) const noexcept {
        const double part = between(begin_, time) / length_ * count_;
        return static_cast<std::uint32_t>(std::clamp(part, 0.0, count_ - 1.0));
    }

    Filetime begin_;
    double length_;
    std::uint32_t count_;
};

using Sums = std::map<std::uint32_t, std::vector<std::uint64_t>>; // by processor

void add_buffers(const trace::Reader& reader, Columns& columns, std::uint32_t count, Sums& to) {
    std::map<std::uint16_t, std::vector<const trace::BufferEntry*>> by_processor;
    for (const trace::BufferEntry& entry : reader.buffers()) {
        if (entry.time_stamp != 0 && entry.type != format::BufferType::header) {
            by_processor[entry.processor].push_back(&entry);
        }
    }
    const flow::Clock& clock = reader.info().clock;
    for (auto& [processor, entries] : by_processor) {
        if (processor >= analysis::limits::analysis_processors) {
            break; // of a damaged trace
        }
        std::ranges::stable_sort(entries, {}, &trace::BufferEntry::time_stamp);
        auto& sums = to[processor];
        sums.resize(count);
        const trace::BufferEntry* before = nullptr;
        for (const trace::BufferEntry* const entry : entries) {
            const Filetime end = clock.to_filetime(entry->time_stamp);
            const Filetime begin = before != nullptr ? clock.to_filetime(before->time_stamp) : end;
            columns.add(begin, end, entry->used != 0 ? entry->used : entry->disk_size, sums);
            before = entry;
        }
    }
}

/// Without an index, it is unknown.
std::optional<std::uint64_t> events_in(const dataset::Dataset& traces, bool is_indexed) {
    if (!is_indexed) {
        return std::nullopt;
    }
    auto mine = traces.again(traces.options());
    std::uint64_t events = 0;
    for (std::size_t i = 0; mine && i < mine->readers().size(); ++i) {
        const auto counts = analysis::event_counts_of(*mine->indexes()[i]);
        if (!counts) {
            return std::nullopt;
        }
        events += counts->events;
    }
    return mine ? std::optional(events) : std::nullopt;
}

} // namespace

Overview Explorer::overview(std::uint32_t columns) const {
    const dataset::Dataset& traces = state_->traces.traces();
    const std::uint32_t count =
        std::clamp<std::uint32_t>(columns, 1, analysis::limits::analysis_slices);
    Overview overview;
    overview.begin = traces.bounds().start;
    overview.end = std::max(traces.bounds().end.value_or(overview.begin), overview.begin);
    overview.events = events_in(traces, state_->traces.is_indexed());
    Columns places(overview.begin, overview.end, count);
    Sums sums;
    for (const auto& reader : traces.readers()) {
        overview.processors = std::max(overview.processors, reader->info().processors);
        overview.bytes += reader->info().file_size;
        if (!trace::is_relogged(reader->info())) { // else buffers do not state when
            add_buffers(*reader, places, count, sums);
        }
    }
    for (auto& [processor, bytes] : sums) {
        overview.series.push_back({processor, std::move(bytes)});
    }
    return overview;
}

} // namespace etl::explore
