#include "analysis/tracks.hpp"

#include "analysis/indexed/track_levels.hpp"
#include "analysis/indexed/track_sums.hpp"
#include "analysis/table_list.hpp"
#include "analysis/times/operations.hpp"
#include "format/thread_states.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <unordered_map>
#include <utility>

namespace etl::analysis {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(TrackKind::kinds)> kind_names{
    "processor", "interrupts", "thread",   "samples", "disk", "files",
    "faults",    "gc",         "activity", "events",  "heap"};

} // namespace

std::span<const std::string_view> track_kind_names() noexcept {
    return kind_names;
}

std::string_view name(TrackKind kind) noexcept {
    return kind_names[static_cast<std::size_t>(kind)];
}

std::optional<TrackKind> find_track_kind(std::string_view word) noexcept {
    for (std::uint8_t i = 0; i < static_cast<std::uint8_t>(TrackKind::kinds); ++i) {
        if (equals_ignoring_case(name(static_cast<TrackKind>(i)), word)) {
            return static_cast<TrackKind>(i);
        }
    }
    return std::nullopt;
}

namespace {

std::string thread_state_name(std::uint32_t state) {
    if (state < ThreadState::waiting) {
        return state == ThreadState::running ? "running" : "ready";
    }
    const std::uint32_t reason = state - ThreadState::waiting;
    const std::string_view known = format::wait_reason_name(reason);
    return known.empty() ? "wait reason " + std::to_string(reason) : std::string(known);
}

template <std::size_t count>
std::string name_in(const std::string_view (&names)[count], std::uint32_t state) {
    return state < count ? std::string(names[state]) : std::to_string(state);
}

constexpr std::string_view disk_states[] = {"read", "write", "flush"};
constexpr std::string_view activity_states[] = {"exact", "by_fields", "guessed"};

std::string file_state_name(std::uint32_t type) {
    return is_file_operation(type) ? std::string(file_operation_name(type)) : std::string("other");
}

} // namespace

std::string state_name(const TrackBins& bins, const TrackPiece& piece) {
    switch (bins.tracks[piece.track].kind) {
    case TrackKind::processor: {
        const auto id =
            piece.state < bins.tracks.size() ? bins.tracks[piece.state].id : std::nullopt;
        return id ? "thread " + std::to_string(*id) : "unknown";
    }
    case TrackKind::interrupts:
        return piece.state < std::size(interrupt_kinds)
                   ? std::string(interrupt_kinds[piece.state].name)
                   : std::to_string(piece.state);
    case TrackKind::thread:
        return thread_state_name(piece.state);
    case TrackKind::samples:
        return "sampled";
    case TrackKind::disk:
        return name_in(disk_states, piece.state);
    case TrackKind::files:
        return file_state_name(piece.state);
    case TrackKind::faults:
        return "read";
    case TrackKind::gc:
        return "suspended";
    case TrackKind::activity:
        return name_in(activity_states, piece.state);
    case TrackKind::events:
        return "level " + std::to_string(piece.state);
    case TrackKind::heap:
        return "size";
    case TrackKind::kinds:
        break;
    }
    return {};
}

bool has_duration(TrackKind kind) noexcept {
    return kind != TrackKind::samples && kind != TrackKind::events && kind != TrackKind::heap;
}

bool has_size(TrackKind kind) noexcept {
    return kind == TrackKind::disk || kind == TrackKind::events || kind == TrackKind::heap;
}

bool has_mean_size(TrackKind kind) noexcept {
    return kind == TrackKind::heap;
}

std::uint64_t bytes_of(TrackKind kind, const TrackSum& sum) noexcept {
    return has_mean_size(kind) && sum.count != 0 ? sum.bytes / sum.count : sum.bytes;
}

std::vector<Column> track_columns() {
    return {key_column("track", Unit::text), key_column("process", Unit::text),
            key_column("pid", Unit::id),     key_column("id", Unit::id),
            key_column("name", Unit::text),  key_column("state", Unit::text),
            key_column("begin", Unit::time), key_column("end", Unit::time),
            ticks_column("duration_ns"),     sum_column("count"),
            sum_column("bytes", Unit::bytes)};
}

namespace {

Cell time_of(const TrackBins& bins, std::uint64_t bin) {
    const auto raw = static_cast<std::int64_t>(bin << bins.shift);
    return static_cast<std::uint64_t>(bins.clock.to_filetime(raw).ticks);
}

std::vector<Cell> cells_of(const TrackBins& bins, const TrackPiece& piece) {
    const Track& track = bins.tracks[piece.track];
    const Track& whose = track.kind == TrackKind::processor ? bins.tracks[piece.state] : track;
    const std::uint64_t first = unsigned_time(piece.bin);
    return {Cell(std::string(name(track.kind))),
            whose.process.empty() ? Cell() : Cell(whose.process),
            whose.pid ? Cell(std::uint64_t{*whose.pid}) : Cell(),
            track.id ? Cell(*track.id) : Cell(),
            track.name.empty() ? Cell() : Cell(track.name),
            Cell(state_name(bins, piece)),
            time_of(bins, first),
            time_of(bins, first + piece.bins),
            has_duration(track.kind) ? Cell(piece.each.ticks * piece.bins) : Cell(),
            piece.each.count,
            has_size(track.kind) ? Cell(bytes_of(track.kind, piece.each)) : Cell()};
}

} // namespace

std::vector<Row> track_rows(const TrackBins& bins) {
    std::vector<Row> rows;
    rows.reserve(bins.pieces.size());
    for (const TrackPiece& piece : bins.pieces) {
        const TrackKind kind = bins.tracks[piece.track].kind;
        rows.push_back({.cells = cells_of(bins, piece), .in_total = !has_mean_size(kind)});
    }
    return rows;
}

Coverage coverage_of(std::span<const TrackBins> all) {
    // All sources, with how to record them.
    static const auto sources = empty_table(tracks_table.forms.front()).coverage.not_recorded;
    Coverage coverage;
    std::uint64_t dropped = 0;
    for (const TrackBins& bins : all) {
        dropped += bins.dropped;
    }
    coverage.remainders.push_back({"dropped_rows", dropped});
    std::ranges::copy_if(
        sources, std::back_inserter(coverage.not_recorded), [&](const NotRecorded& source) {
            return std::ranges::all_of(all, [&](const TrackBins& bins) {
                return std::ranges::find(bins.missing, source.source) != bins.missing.end();
            });
        });
    return coverage;
}

Table table_of(std::vector<TrackBins> all) {
    Table table;
    table.name = tracks_table.name;
    table.columns = track_columns();
    table.is_ordered = true;
    table.coverage = coverage_of(all);
    for (TrackBins& bins : all) {
        Table one;
        one.columns = table.columns;
        one.rows = track_rows(bins);
        one.convert_ticks(bins.clock.frequency());
        std::ranges::move(one.rows, std::back_inserter(table.rows));
        table.bins.push_back(std::make_shared<const TrackBins>(std::move(bins)));
    }
    for (Column& column : table.columns) {
        column.in_ticks = false;
    }
    return table;
}

unsigned shift_for(const Interval& range, std::uint64_t bins) noexcept {
    const std::uint64_t ticks = range.to > range.from ? static_cast<std::uint64_t>(range.to) -
                                                            static_cast<std::uint64_t>(range.from)
                                                      : 0;
    const std::uint64_t width = ticks / std::max<std::uint64_t>(bins, 1);
    return width == 0 ? 0 : static_cast<unsigned>(std::bit_width(width)) - 1;
}

namespace {

/// Numbers of tracks.
class TrackNumbers {
public:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    /// Returns `none` for tracks beyond the limit.
    std::uint32_t of(Track track) {
        const auto known = numbers_.find(track);
        if (known != numbers_.end()) {
            return known->second;
        }
        if (all_.size() >= limits::analysis_rows) {
            ++dropped_;
            return none;
        }
        all_.push_back(track);
        return numbers_.emplace(std::move(track), static_cast<std::uint32_t>(all_.size() - 1))
            .first->second;
    }

    const std::vector<Track>& all() const noexcept { return all_; }

    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    std::map<Track, std::uint32_t> numbers_;
    std::vector<Track> all_;
    std::uint64_t dropped_ = 0;
};

class Tracks final : public Operations {
public:
    explicit Tracks(const TableOptions& options)
        : options_(options.tracks), slices_(options.slices) {
        wants_.fill(options_.kinds.empty());
        for (const TrackKind kind : options_.kinds) {
            wants_[static_cast<std::size_t>(kind)] = true;
        }
    }

    void subscribe(Subscriptions& subscriptions) override {
        Operations::subscribe(subscriptions);
        if (has_to_read(TrackKind::samples)) {
            Samples::subscribe(subscriptions);
        }
        if (wants(TrackKind::heap)) {
            subscribe_to_heaps(subscriptions, heap_tag);
        }
        if (wants(TrackKind::events)) {
            subscriptions.everything();
        }
    }

    void start(Context& context) override {
        Operations::start(context);
        samples_.start(context);
        kinds_.emplace(*context.schemas);
        begin_ = options_.recorder != nullptr ? context.last_cut
                                              : options_.begin.value_or(context.begin);
        if (options_.recorder == nullptr) {
            const Interval range{context.begin, context.end};
            sums_.emplace(options_.shift.value_or(shift_for(range, slices_)),
                          limits::analysis_rows);
        }
    }

    void add(const Record& record) override {
        if (record.tag == everything_tag) {
            add_event(record);
        }
        if (Samples::takes(record.tag)) {
            add_sample(record);
        } else if (record.tag == heap_tag) {
            add_heap(record);
        } else {
            Operations::add(record);
        }
    }

    Table finish() override {
        if (options_.has_open && !context().is_part) {
            finish_operations();
            scheduling().show_open();
        }
        Table table;
        table.name = "tracks";
        table.is_ordered = true;
        table.columns = track_columns();
        if (sums_) {
            add_bins(table);
        }
        report_sources(table);
        table.coverage.remainders.push_back(
            {"dropped_rows", numbers_.dropped() + (sums_ ? sums_->dropped() : 0)});
        report_dropped(table);
        return table;
    }

    void save_state(Archive& to) override {
        if (options_.recorder != nullptr) {
            options_.recorder->cut(context().last_cut);
        }
        Operations::save_state(to);
    }

    void end_states(std::int64_t last) override {
        if (options_.recorder != nullptr) {
            end_ = last;
            scheduling().end_running(last);
            scheduling().show_open();
            if (numbers_.dropped() == 0) {
                options_.recorder->finish({begin_, last}, numbers_.all(), missing_sources());
            }
        }
    }

private:
    Kinds wanted_kinds() const override {
        using enum TrackKind;
        return {.threads = has_to_read(processor) || has_to_read(thread),
                .disk = has_to_read(disk),
                .pauses = has_to_read(gc),
                .interrupts = has_to_read(interrupts),
                .files = has_to_read(files),
                .faults = has_to_read(faults),
                .activities = has_to_read(activity)};
    }

    bool has_to_read(TrackKind kind) const noexcept { return wants(kind) || options_.has_sources; }

    void report_sources(Table& table) const {
        report_missing(table);
        samples_.report_counts(table, {});
        if (!scheduling().has_switches()) {
            table.coverage.not_recorded.push_back({"context switches", {}, record_switches});
        }
    }

    /// Their names.
    std::vector<std::string> missing_sources() const {
        Table table;
        report_sources(table);
        std::vector<std::string> names;
        for (const NotRecorded& one : table.coverage.not_recorded) {
            names.emplace_back(one.source);
        }
        return names;
    }

    bool wants(TrackKind kind) const noexcept { return wants_[static_cast<std::size_t>(kind)]; }

    /// Of tracks of a process, by --process.
    bool wants(TrackKind kind, OwnerRef owner) const noexcept {
        return wants(kind) && (*context().owners)[owner].is_selected;
    }

    /// Of tracks of no process.
    bool wants_of_none(TrackKind kind) const noexcept {
        return wants(kind) && !context().owners->is_selective();
    }

    // Numbers of tracks, which events look up again and again.

    std::uint32_t thread_track(ThreadRef thread) {
        if (thread >= threads_.size()) {
            threads_.resize(std::max<std::size_t>(thread + std::size_t{1}, threads_.size() * 2),
                            unknown_track);
        }
        std::uint32_t& number = threads_[thread];
        if (number == unknown_track) {
            Owners& owners = *context().owners;
            number = numbers_.of(
                track_of(TrackKind::thread, owners.owner_of(thread), owners.id_of(thread)));
        }
        return number;
    }

    std::uint32_t track_by_id(TrackKind kind, std::uint64_t id) {
        const auto [found, is_new] = by_id_.try_emplace(key(kind, id), unknown_track);
        if (is_new) {
            found->second = numbers_.of({.kind = kind, .id = id});
        }
        return found->second;
    }

    std::uint32_t track_by_owner(TrackKind kind, OwnerRef owner) {
        const auto [found, is_new] = by_owner_.try_emplace(key(kind, owner), unknown_track);
        if (is_new) {
            found->second = numbers_.of(track_of(kind, owner, std::nullopt));
        }
        return found->second;
    }

    Track track_of(TrackKind kind, OwnerRef ref, std::optional<std::uint64_t> id) const {
        const Owner& owner = (*context().owners)[ref];
        return {.kind = kind, .pid = owner.pid, .process = owner.name.value_or(""), .id = id};
    }

    static std::uint64_t key(TrackKind kind, std::uint64_t number) noexcept {
        return number << 4U | static_cast<std::uint64_t>(kind);
    }

    // What happens.

    void add_point(std::uint32_t track, std::uint32_t state, std::int64_t time, TrackSum sum) {
        if (track == TrackNumbers::none || time < std::max(begin_, options_.since)) {
            return;
        }
        if (options_.recorder != nullptr) {
            options_.recorder->add(track, state, time, sum);
        } else {
            sums_->add(track, state, time, sum);
        }
    }

    /// `ended`: by an event at that time; none: it is open at the end.
    void add_interval(std::uint32_t track, std::uint32_t state, const Interval& interval,
                      std::optional<std::int64_t> ended) {
        add_interval(track, state, interval, ended, ended ? 1 : 0);
    }

    void add_interval(std::uint32_t track, std::uint32_t state, const Interval& interval,
                      std::optional<std::int64_t> ended, std::uint64_t count) {
        const bool is_left_out = ended && interval.from < options_.since;
        const auto in_range = is_left_out ? std::nullopt : from_time(interval, begin_);
        if (track == TrackNumbers::none || !in_range) {
            return;
        }
        if (options_.recorder != nullptr) {
            options_.recorder->add_interval(track, state, *in_range, count, ended);
        } else {
            sums_->add_interval(track, state, *in_range, count);
        }
    }

    void add_event(const Record& record) {
        if (!wants_of_none(TrackKind::events) || !record.event->has_time) {
            return;
        }
        const GroupKey& found =
            kinds_->find(*record.event, [this](const decode::DecodedEvent& decoded) {
                return GroupKey{
                    numbers_.of({.kind = TrackKind::events, .name = provider_of(decoded)}), 0, 0};
            });
        const std::uint32_t level = format::is_event(record.event->kind)
                                        ? flow::stored<format::event_record::level>(*record.event)
                                        : 0U;
        add_point(static_cast<std::uint32_t>(found[0]), level, record.time,
                  {.count = 1, .bytes = record.event->size});
    }

    void add_sample(const Record& record) {
        samples_.take(record);
        if (record.tag != Samples::sample_tag || record.number32(Samples::thread_id) == 0) {
            return;
        }
        const OwnerRef owner =
            context().owners->of_thread_id(record.number32(Samples::thread_id), record.time);
        if (wants(TrackKind::samples, owner)) {
            add_point(track_by_owner(TrackKind::samples, owner), 0, record.time, {.count = 1});
        }
    }

    void add_heap(const Record& record) {
        const OwnerRef owner = context().owners->process_now(record.process, record.time);
        const auto size = wants(TrackKind::heap, owner) ? heap_size_of(record) : std::nullopt;
        if (size) {
            add_point(track_by_owner(TrackKind::heap, owner), 0, record.time,
                      {.count = 1, .bytes = *size});
        }
    }

    void paused(const GcPause& pause) override {
        if (wants(TrackKind::gc, pause.end.owner)) {
            add_interval(track_by_owner(TrackKind::gc, pause.end.owner), 0,
                         {pause.begin, pause.end.time}, pause.end.time);
        }
    }

    void interrupted(const EndedInterrupt& one) override {
        if (wants_of_none(TrackKind::interrupts)) {
            add_interval(track_by_id(TrackKind::interrupts, one.processor),
                         static_cast<std::uint32_t>(one.kind), {one.begin, one.end.time},
                         one.end.time);
        }
    }

    void faulted(const HardFault& fault) override {
        if (wants(TrackKind::faults, fault.owner)) {
            add_interval(track_by_owner(TrackKind::faults, fault.owner), 0,
                         {fault.begin, fault.end.time}, fault.end.time);
        }
    }

    void transferred(const DiskCompletion& one) override {
        if (!wants(TrackKind::disk, one.owner)) {
            return;
        }
        const std::uint32_t track = track_by_id(TrackKind::disk, one.disk);
        const std::uint32_t operation = one.tag - DiskOperations::read_tag;
        if (one.size != 0 && operation != DiskOperations::flush_tag - DiskOperations::read_tag) {
            add_point(track, operation, one.time, {.bytes = one.size});
        }
        add_interval(track, operation, {one.has_elapsed ? one.begin : one.time, one.time},
                     one.time);
    }

    void completed(const FileOperations::Operation& operation, const IntervalEnd& end) override {
        if (wants(TrackKind::files, operation.owner)) {
            add_interval(track_by_owner(TrackKind::files, operation.owner), operation.type,
                         {operation.time, end.time}, end.time);
        }
    }

    void stopped(const StartStopEdge& start, const StartStopEdge& stop,
                 PairCertainty certainty) override {
        if (!wants(TrackKind::activity, start.owner)) {
            return;
        }
        const auto [found, is_new] =
            activities_.try_emplace({start.owner, events().kind(stop.kind).activity}, 0U);
        if (is_new) {
            Track track = track_of(TrackKind::activity, start.owner, std::nullopt);
            track.name = events().text(events().kind(stop.kind).activity);
            found->second = numbers_.of(std::move(track));
        }
        using enum PairCertainty;
        const std::uint32_t state = certainty == sure      ? ActivityCertainty::exact
                                    : certainty == guessed ? ActivityCertainty::guessed
                                                           : ActivityCertainty::by_fields;
        add_interval(found->second, state, {start.time, stop.time}, stop.time);
    }

    void unpaired(const StartStopEdge& /*edge*/) override {}

    void ran(std::uint16_t processor, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        add_run(processor, thread, {from, to}, to);
    }

    void still_ran(std::uint16_t processor, ThreadRef thread, std::int64_t from,
                   std::int64_t to) override {
        if (options_.has_open || options_.recorder != nullptr) {
            add_run(processor, thread, {from, to}, std::nullopt);
        }
    }

    void add_run(std::uint16_t processor, ThreadRef thread, const Interval& run,
                 std::optional<std::int64_t> ended) {
        const OwnerRef owner = context().owners->owner_of(thread);
        const std::uint32_t track = thread_track(thread);
        if (wants(TrackKind::processor, owner) && track != TrackNumbers::none) {
            add_interval(track_by_id(TrackKind::processor, processor), track, run, ended);
        }
        if (wants(TrackKind::thread, owner) && context().owners->id_of(thread) != 0) {
            add_interval(track, ThreadState::running, run, ended);
        }
    }

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void waited(const Wait& wait, const SwitchIn& at) override {
        if (wants(TrackKind::thread, context().owners->owner_of(wait.thread))) {
            add_interval(thread_track(wait.thread), ThreadState::waiting + wait.reason,
                         {wait.from, wait.to}, at.time);
        }
    }

    void was_ready(ThreadRef thread, std::int64_t from, const Wait* /*after*/,
                   const SwitchIn& at) override {
        if (wants(TrackKind::thread, context().owners->owner_of(thread))) {
            add_interval(thread_track(thread), ThreadState::ready, {from, at.time}, at.time);
        }
    }

    void still(const OpenState& state) override {
        // Another thread can have the ID by now.
        const ThreadRef thread = thread_of(state);
        const std::int64_t end = options_.recorder != nullptr ? end_ : context().end;
        add_states(thread, state, std::min(end, context().owners->end_of(thread)), std::nullopt);
    }

    void ended(const OpenState& state, std::int64_t time) override {
        add_states(thread_of(state), state, time, time);
    }

    ThreadRef thread_of(const OpenState& state) const {
        const std::int64_t since = state.waits_since.value_or(state.ready_since.value_or(0));
        return context().owners->thread(state.thread, since);
    }

    /// States that no switch has ended.
    void add_states(ThreadRef thread, const OpenState& state, std::int64_t end,
                    std::optional<std::int64_t> ended) {
        if (!wants(TrackKind::thread, context().owners->owner_of(thread))) {
            return;
        }
        const std::uint32_t track = thread_track(thread);
        if (state.waits_since) {
            add_interval(track, ThreadState::waiting + state.reason,
                         {*state.waits_since, std::min(state.ready_since.value_or(end), end)},
                         ended, 0);
        }
        if (state.ready_since) {
            add_interval(track, ThreadState::ready, {*state.ready_since, end}, ended, 0);
        }
    }

    // The table.

    /// Tracks have an order of their own, whatever was seen first.
    TrackBins sorted_bins() const {
        TrackBins bins{.shift = sums_->shift(),
                       .tracks = numbers_.all(),
                       .pieces = sums_->pieces(),
                       .dropped = numbers_.dropped() + sums_->dropped(),
                       .clock = context().trace->clock,
                       .missing = missing_sources()};
        sort_tracks(bins);
        return bins;
    }

    void add_bins(Table& table) const {
        const auto bins = std::make_shared<const TrackBins>(sorted_bins());
        table.bins.push_back(bins);
        if (options_.has_rows) {
            table.rows = track_rows(*bins);
        }
    }

    static constexpr std::uint32_t unknown_track = 0xFFFFFFFE, heap_tag = 220;

    struct ActivityHash {
        std::size_t operator()(const std::pair<OwnerRef, std::uint64_t>& one) const noexcept {
            return (one.second << 32U ^ one.first) * std::uint64_t{0x9E3779B97F4A7C15} >> 16U;
        }
    };

    TrackOptions options_;
    std::size_t slices_;
    std::array<bool, static_cast<std::size_t>(TrackKind::kinds)> wants_{};
    Samples samples_;
    std::optional<KeysByKind> kinds_;
    TrackNumbers numbers_;
    std::vector<std::uint32_t> threads_;                        // tracks, by ThreadRef
    std::unordered_map<std::uint64_t, std::uint32_t> by_id_;    // by kind and ID
    std::unordered_map<std::uint64_t, std::uint32_t> by_owner_; // by kind and owner
    std::unordered_map<std::pair<OwnerRef, std::uint64_t>, std::uint32_t, ActivityHash> activities_;
    std::optional<TrackSums> sums_; // none: a recorder has them
    std::int64_t begin_ = 0;        // what is earlier is left out
    std::int64_t end_ = 0;          // of a recorder
};

} // namespace

std::optional<Interval> from_time(const Interval& interval, std::int64_t begin) noexcept {
    const bool is_before = interval.to < begin || (interval.to == begin && interval.from < begin);
    return is_before || interval.to < interval.from
               ? std::nullopt
               : std::optional(Interval{std::max(interval.from, begin), interval.to});
}

namespace {

/// Orders the pieces by track and state; those of each state are in order.
void sort_states(std::vector<TrackPiece>& pieces) {
    const auto key = [](const TrackPiece& piece) { return std::pair(piece.track, piece.state); };
    std::vector<std::span<const TrackPiece>> states;
    for (auto at = pieces.cbegin(); at != pieces.cend();) {
        const auto end = std::find_if(
            at, pieces.cend(), [&](const TrackPiece& piece) { return key(piece) != key(*at); });
        states.emplace_back(at, end);
        at = end;
    }
    std::ranges::sort(states, {}, [&](const auto& state) { return key(state.front()); });
    std::vector<TrackPiece> sorted;
    sorted.reserve(pieces.size());
    for (const auto& state : states) {
        sorted.insert(sorted.end(), state.begin(), state.end());
    }
    pieces = std::move(sorted);
}

} // namespace

void sort_tracks(TrackBins& bins) {
    const auto of_processor = [&](const TrackPiece& piece) {
        return bins.tracks[piece.track].kind == TrackKind::processor;
    };
    std::vector<char> is_used(bins.tracks.size());
    for (const TrackPiece& piece : bins.pieces) {
        is_used[piece.track] = 1;
        if (of_processor(piece)) {
            is_used[piece.state] = 1;
        }
    }
    std::vector<std::uint32_t> order, places(bins.tracks.size());
    for (std::uint32_t i = 0; i < bins.tracks.size(); ++i) {
        if (is_used[i] != 0) {
            order.push_back(i);
        }
    }
    std::ranges::sort(order, {}, [&](std::uint32_t i) -> const Track& { return bins.tracks[i]; });
    std::vector<Track> sorted;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        places[order[i]] = i;
    }
    for (TrackPiece& piece : bins.pieces) {
        piece.state = of_processor(piece) ? places[piece.state] : piece.state;
        piece.track = places[piece.track];
    }
    for (const std::uint32_t number : order) {
        sorted.push_back(std::move(bins.tracks[number]));
    }
    bins.tracks = std::move(sorted);
    sort_states(bins.pieces);
}

namespace {

constexpr auto tracks_forms = forms_of(tracks_table, {{.needs = TableNeeds::processes_and_schemas,
                                                       .make = make<Tracks>,
                                                       .state = "slowest",
                                                       .has_slices = true}});

} // namespace

constinit const TableKind tracks_table{
    .name = "tracks",
    .summary = "Print what processors, threads, disks, and providers did over time",
    .question = "What did each thread, processor, and disk do at a time?",
    .examples = R"(  etl tracks --from +10s --to +10.1s trace.etl
  etl tracks --slices 1000 --track thread --format csv -o threads.csv trace.etl)",
    .options = {TableOption::slices, TableOption::track_kinds},
    .mcp_options = "slices track limit format",
    .mcp_place = 3,
    .forms = tracks_forms,
};

} // namespace etl::analysis
