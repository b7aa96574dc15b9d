#include "analysis/dataset_tracks.hpp"

#include "analysis/dataset_parts.hpp"
#include "analysis/dataset_table.hpp"
#include "analysis/indexed/track_levels.hpp"
#include "analysis/limits.hpp"
#include "analysis/states.hpp"
#include "analysis/table_list.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <utility>

namespace etl::analysis {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

const TableForm& tracks_form() {
    return *find_table(tracks_table.name, {});
}

/// The range of a pass over a trace. Raw.
struct TracksRange {
    std::int64_t begin = 0, end = 0;
    bool is_bounded = false; // it ends before the trace
};

/// As a pass finds it; nothing: no event is in the window.
std::optional<TracksRange> range_of(const TrackLevels& levels, const flow::Clock& clock,
                                    const flow::TimeFilter::Window& window) {
    const std::int64_t from = window.from ? clock.to_raw(*window.from) : Limits::min();
    const std::int64_t to = window.to ? clock.to_raw(*window.to) : Limits::max();
    if (levels.range().from >= to) {
        return std::nullopt;
    }
    const bool is_bounded = levels.range().to >= to;
    const std::int64_t begin = std::max(levels.range().from, from);
    return TracksRange{begin, std::max(begin, is_bounded ? to : levels.range().to), is_bounded};
}

/// Tracks of one window of the only trace of a dataset, by the levels in its index.
class LevelReader {
public:
    LevelReader(dataset::Dataset& traces, const TrackLevels& levels, const TracksRange& range,
                const TracksRequest& request)
        : traces_(&traces), levels_(&levels), range_(range), request_(&request),
          sums_(shift_for({range.begin, range.end}, request.bins), limits::analysis_rows),
          tracks_(levels.tracks()) {
        std::ranges::transform(tracks_, std::back_inserter(wanted_), [this](const Track& track) {
            return wants(track) ? char{1} : char{0};
        });
    }

    /// Nothing: the levels are damaged, or the events must decide.
    std::expected<std::optional<TrackBins>, TraceError> read() {
        const auto& spans = levels_->spans();
        const std::uint32_t top = spans.back().level;
        const auto first = std::ranges::find(spans, top, &TrackSpan::level);
        for (auto span = first; span != spans.end(); ++span) {
            find(*span);
        }
        auto edges = start_edges();
        if (!edges) {
            return std::unexpected(std::move(edges.error()));
        }
        add_spans();
        add_long();
        for (std::future<FoundBins>& edge : *edges) {
            FoundBins found = edge.get();
            if (!found || *found == nullptr) {
                return found ? std::expected<std::optional<TrackBins>, TraceError>(std::nullopt)
                             : std::unexpected(std::move(found.error()));
            }
            add_bins(**found);
        }
        if (is_damaged_ || is_stopped()) {
            return std::nullopt;
        }
        TrackBins bins{.shift = sums_.shift(),
                       .tracks = std::move(tracks_),
                       .pieces = sums_.pieces(),
                       .dropped = sums_.dropped(),
                       .clock = traces_->readers().front()->info().clock,
                       .missing = levels_->missing()};
        sort_tracks(bins);
        return bins;
    }

private:
    bool is_stopped() const noexcept {
        const Stop* const stop = traces_->options().stop;
        return stop != nullptr && stop->is_requested();
    }

    bool wants(const Track& track) const {
        const bool has_kind =
            request_->kinds.empty() ||
            std::ranges::find(request_->kinds, track.kind) != request_->kinds.end();
        return has_kind && (!request_->wants || request_->wants(track));
    }

    /// Chooses a span, or those that it is made of, or its events.
    void find(const TrackSpan& span) {
        const bool is_after =
            range_.is_bounded ? span.begin >= range_.end : span.begin > range_.end;
        if (span.end <= range_.begin || is_after) {
            return;
        }
        // Where the window ends before the trace, what is open depends on the events.
        const bool is_inside =
            span.begin >= range_.begin && (!range_.is_bounded || span.end < range_.end);
        if (is_inside && span.shift <= sums_.shift()) {
            inside_.push_back(&span);
        } else if (span.level == 0) {
            edges_.push_back(&span);
        } else {
            find_shorter(span);
        }
    }

    void find_shorter(const TrackSpan& span) {
        const auto& spans = levels_->spans();
        const auto level = std::ranges::equal_range(spans, span.level - 1, {}, &TrackSpan::level);
        auto shorter = std::ranges::lower_bound(level, span.begin, {}, &TrackSpan::begin);
        for (; shorter != level.end() && shorter->end <= span.end; ++shorter) {
            find(*shorter);
        }
    }

    void add_spans() {
        for (const TrackSpan* const span : inside_) {
            if (is_damaged_ || is_stopped()) {
                return;
            }
            is_damaged_ = !levels_->add_span(
                *span, [this](std::uint32_t track) { return wanted_[track] != 0; }, sums_);
        }
    }

    /// Bins of the events of a span; null: they depend on more.
    using FoundBins = std::expected<std::shared_ptr<const TrackBins>, TraceError>;

    /// Reads the events of shortest spans, each in a thread.
    std::expected<std::vector<std::future<FoundBins>>, TraceError> start_edges() {
        std::vector<std::future<FoundBins>> started;
        if (edges_.empty()) {
            return started;
        }
        auto prepared = prepare_table(*traces_, tracks_form());
        if (!prepared) {
            return std::unexpected(std::move(prepared.error()));
        }
        pool_.emplace(
            std::min(traces_->options().worker_threads(), static_cast<unsigned>(edges_.size())));
        while (edge_traces_.size() < edges_.size()) {
            dataset::Options options = traces_->options();
            options.threads = 1;
            auto again = traces_->again(std::move(options));
            if (!again) {
                return std::unexpected(std::move(again.error()));
            }
            edge_traces_.push_back(*std::move(again));
        }
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            started.push_back(pool_->start(
                [&traces = edge_traces_[i], table = edge_table(*edges_[i], prepared->pass)] {
                    return bins_of(traces, table);
                }));
        }
        return started;
    }

    DividedTable edge_table(const TrackSpan& span, const PassOptions& pass) const {
        const flow::Clock& clock = traces_->readers().front()->info().clock;
        const bool is_first = &span == &levels_->spans().front();
        const bool is_last = range_.is_bounded ? span.end >= range_.end : is_last_span(span);
        DividedTable table{.form = &tracks_form(), .options = {}, .pass = pass};
        table.options.tracks = {.kinds = request_->kinds,
                                .shift = sums_.shift(),
                                .begin = range_.begin,
                                .since = is_first ? Limits::min() : span.begin,
                                .has_open = is_last,
                                .has_rows = false,
                                .has_sources = false};
        table.pass.range = {levels_->range().from, levels_->range().to};
        if (!is_first && span.begin >= range_.begin) {
            table.pass.from = clock.to_filetime(span.begin);
        }
        if (!is_last) {
            table.pass.to = clock.to_filetime(span.end);
        }
        return table;
    }

    static FoundBins bins_of(dataset::Dataset& traces, const DividedTable& table) {
        auto found = table_of_window(traces, 0, table);
        return !found   ? FoundBins(std::unexpect, std::move(found.error()))
               : *found ? FoundBins((*found)->bins.front())
                        : FoundBins(nullptr);
    }

    bool is_last_span(const TrackSpan& span) const { return span.end > levels_->range().to; }

    void add_bins(const TrackBins& bins) {
        std::vector<std::uint32_t> numbers;
        std::ranges::transform(bins.tracks, std::back_inserter(numbers),
                               [this](const Track& track) { return number_of(track); });
        for (TrackPiece piece : bins.pieces) {
            if (wanted_[numbers[piece.track]] != 0) {
                piece.state = bins.tracks[piece.track].kind == TrackKind::processor
                                  ? numbers[piece.state]
                                  : piece.state;
                piece.track = numbers[piece.track];
                sums_.add(piece, bins.shift);
            }
        }
    }

    std::uint32_t number_of(const Track& track) {
        if (numbers_.empty()) {
            for (std::uint32_t i = 0; i < tracks_.size(); ++i) {
                numbers_.emplace(tracks_[i], i);
            }
        }
        const auto [found, is_new] =
            numbers_.emplace(track, static_cast<std::uint32_t>(tracks_.size()));
        if (is_new) {
            tracks_.push_back(track);
            wanted_.push_back(wants(track) ? char{1} : char{0});
        }
        return found->second;
    }

    void add_long() {
        const auto is_wanted = [this](std::uint32_t track) { return wanted_[track] != 0; };
        // The events of the last span show all that is open after them.
        const bool has_open =
            !range_.is_bounded && std::ranges::none_of(edges_, [this](const TrackSpan* span) {
                return is_last_span(*span);
            });
        const auto add = [&](const LongInterval& one) {
            const bool is_over =
                one.ended ? !range_.is_bounded || *one.ended < range_.end : has_open;
            const auto interval = from_time(one.interval, range_.begin);
            if (is_over && interval) {
                sums_.add_interval(one.track, one.state, *interval, one.count);
            }
        };
        is_damaged_ = !levels_->show_long(is_wanted, add) || is_damaged_;
    }

    dataset::Dataset* traces_;
    const TrackLevels* levels_;
    TracksRange range_;
    const TracksRequest* request_;
    TrackSums sums_;
    std::vector<Track> tracks_;              // by number; first those of the levels
    std::vector<char> wanted_;               // by number
    std::map<Track, std::uint32_t> numbers_; // made on first need
    std::vector<const TrackSpan*> inside_;   // whose bins are added
    std::vector<const TrackSpan*> edges_;    // whose events are read
    std::vector<dataset::Dataset> edge_traces_;
    bool is_damaged_ = false;
    std::optional<TaskPool> pool_; // last: its threads end before what they work on
};

/// Whether the levels of an index answer for the options of a dataset: not of several traces, which
/// can be of one machine and boot.
bool can_use_levels(dataset::Dataset& traces, const TracksRequest& request) {
    const dataset::Options& options = traces.options();
    return traces.readers().size() == 1 && request.processes.empty() && options.where.empty() &&
           options.order == trace::Order::time && traces.is_indexed() &&
           has_usual_states(traces, tracks_form());
}

std::expected<std::optional<TrackBins>, TraceError> by_levels(dataset::Dataset& traces,
                                                              const TracksRequest& request) {
    const auto indexes = traces.indexes();
    const auto levels = levels_in(*indexes.front());
    if (!levels) {
        return std::nullopt;
    }
    const auto filters = traces.filters();
    if (!filters) {
        return std::unexpected(filters.error());
    }
    const auto range = range_of(*levels, traces.readers().front()->info().clock, filters->window);
    return range ? LevelReader(traces, *levels, *range, request).read() : std::nullopt;
}

} // namespace

std::expected<std::vector<TrackBins>, TraceError> tracks_of(dataset::Dataset& traces,
                                                            const TracksRequest& request) {
    if (!request.ignores_levels && can_use_levels(traces, request)) {
        auto found = by_levels(traces, request);
        if (!found) {
            return std::unexpected(std::move(found.error()));
        }
        if (*found) {
            std::vector<TrackBins> one;
            one.push_back(**std::move(found));
            return one;
        }
    }
    TableRequest whole;
    whole.table.slices = request.bins;
    whole.processes = request.processes;
    whole.table.tracks = {.kinds = request.kinds, .has_rows = false};
    const auto table = table_of(traces, tracks_form(), whole);
    if (!table) {
        return std::unexpected(table.error());
    }
    std::vector<TrackBins> all;
    for (const auto& bins : table->bins) {
        TrackBins& mine = all.emplace_back(*bins);
        if (request.wants) {
            std::erase_if(mine.pieces, [&](const TrackPiece& piece) {
                return !request.wants(mine.tracks[piece.track]);
            });
            sort_tracks(mine);
        }
    }
    return all;
}

} // namespace etl::analysis
