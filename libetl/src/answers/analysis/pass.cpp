#include "analysis/dispatch.hpp"
#include "analysis/limits.hpp"
#include "analysis/parts.hpp"
#include "analysis/parts/part_rows.hpp"
#include "analysis/team_work.hpp"
#include "analysis/window_sums.hpp"
#include "base/prefetch.hpp"
#include "base/task_pool.hpp"
#include "facts/relevance.hpp"
#include "flow/event.hpp"
#include "flow/losses.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <deque>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace etl::analysis {

// The range of an analysis. docs/analysis.md

/// The range T, found on the way.
struct Range {
    std::int64_t from = never;
    std::int64_t to = std::numeric_limits<std::int64_t>::max();
    std::optional<std::int64_t> first;
    std::int64_t last = never;
    bool reached_to = false;

    std::int64_t begin() const noexcept { return std::max(first.value_or(0), from); }

    std::int64_t end() const noexcept {
        return std::max(begin(), reached_to ? to : std::min(last, to));
    }
};

// Copies of a few events, which outlive their buffers.

class KeptEvents {
public:
    void add(const flow::Event& event);

    const std::vector<flow::Event>& events() const noexcept { return events_; }

    /// Orders them by time; those of the same time stay in the order in which they were added.
    void sort();

    /// Events that were not copied because of limits::analysis_fact_bytes.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    std::vector<flow::Event> events_;
    std::vector<std::unique_ptr<std::byte[]>> blocks_; // of records
    std::size_t left_ = 0;                             // bytes of the last block
    std::byte* at_ = nullptr;
    std::deque<flow::BufferContext> buffers_; // by processor, as far as needed
    std::size_t bytes_ = 0;
    std::uint64_t dropped_ = 0;
};

namespace {

constexpr std::size_t block_size = 1U << 18U; // several records of the largest size

} // namespace

void KeptEvents::add(const flow::Event& event) {
    if (bytes_ + event.size > limits::analysis_fact_bytes || event.size > block_size) {
        ++dropped_;
        return;
    }
    if (event.size > left_) {
        blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(block_size));
        at_ = blocks_.back().get();
        left_ = block_size;
    }
    bytes_ += event.size;
    std::copy_n(event.record, event.size, at_);
    const auto known =
        std::ranges::find(buffers_, event.buffer->processor, &flow::BufferContext::processor);
    if (known == buffers_.end()) {
        buffers_.push_back(*event.buffer);
        buffers_.back().bytes = {};
        buffers_.back().is_mapped = false;
    }
    flow::Event copy = event;
    copy.record = at_;
    copy.buffer = known == buffers_.end() ? &buffers_.back() : &*known;
    events_.push_back(copy);
    at_ += event.size;
    left_ -= event.size;
}

void KeptEvents::sort() {
    std::ranges::stable_sort(events_, {}, &flow::Event::raw_time);
}

namespace {

const facts::Facts& facts_of(const flow::TraceInfo& trace, const PassOptions& options) {
    static const facts::Facts none; // of a trace without facts
    const facts::Facts* const of_trace = options.facts->find(trace.file);
    return options.scope         ? (*options.facts)[*options.scope]
           : of_trace != nullptr ? *of_trace
                                 : none;
}

/// One of the tables of a pass, which asks for the events of its subscriptions.
struct PassTable {
    Analyzer* analyzer = nullptr;
    const PassOptions* options = nullptr;
    Subscriptions subscriptions{};
    Context context{};
    std::int64_t planned_end = 0;

    PassTable(Analyzer& of, const PassOptions& with) : analyzer(&of), options(&with) {
        of.subscribe(subscriptions);
    }
};

bool has_condition(const PassOptions& options) {
    return options.where && !options.where->is_always_true();
}

/// Whether tables with these options can be of one pass: it reads the same events for both, and
/// finds the same threads and processes.
bool are_alike(const PassOptions& one, const PassOptions& other) {
    return one.facts == other.facts && one.scope == other.scope && one.schemas == other.schemas &&
           one.pointer_size == other.pointer_size && one.processes == other.processes &&
           one.from == other.from && one.to == other.to && one.is_ordered == other.is_ordered &&
           !has_condition(one) && !has_condition(other);
}

/// Shows events to one table, or to several whose options are alike. Tables have the numbers 0 to
/// N-1.
class Pass {
public:
    Pass(const flow::TraceInfo& trace, Analyzer& analyzer, const PassOptions& options)
        : Pass(trace, PassTable(analyzer, options)) {}

    Pass(const flow::TraceInfo& trace, PassTable table)
        : trace_(&trace), options_(table.options), facts_(&facts_of(trace, *options_)),
          owners_(*facts_, options_->processes),
          dispatch_(std::make_unique<Dispatch>(owners_, options_->schemas, options_->pointer_size,
                                               options_->facts)) {
        const PassOptions& options = *options_;
        add(std::move(table));
        if (has_condition(options)) {
            dispatch_->set_condition(match::Matcher(*options.where, options.matcher));
        }
        range_.from = options.from ? trace.clock.to_raw(*options.from) : range_.from;
        range_.to = options.to ? trace.clock.to_raw(*options.to) : range_.to;
    }

    /// Whether it may have the table as well: both can share something.
    bool takes(const flow::TraceInfo& trace, const PassTable& table) const {
        return trace_ == &trace && tables_.front().subscriptions.shared() != nullptr &&
               table.subscriptions.shared() != nullptr && are_alike(*options_, *table.options);
    }

    /// Adds a table before the first event, and returns its number.
    std::size_t add(PassTable table) {
        dispatch_->add_table(*table.analyzer, table.subscriptions);
        table.context = {.trace = trace_,
                         .facts = facts_,
                         .all_facts = options_->facts,
                         .owners = &owners_,
                         .names = &table.options->names,
                         .schemas = &options_->schemas};
        tables_.push_back(std::move(table));
        return tables_.size() - 1;
    }

    /// Returns whether later events can matter. `processes` are those of PreparedEvents, or empty.
    bool read(flow::Run run, std::span<const std::uint32_t> processes = {}) {
        if (options_->scope && options_->facts->number_of(run.front()) != *options_->scope) {
            note_header(run);
            return true; // all of one buffer
        }
        // Records follow each other in a buffer, which another thread has loaded.
        constexpr std::size_t distance = 512;
        for (std::size_t i = 0; i < run.size(); ++i) {
            const flow::Event& event = run[i];
            prefetch(event.record, distance);
            const std::int64_t time = event.raw_time;
            if (time >= next_cut_) [[unlikely]] {
                cut_up_to(time);
            }
            if (time >= range_.to) [[unlikely]] {
                is_in_window(event); // counts it
                range_.reached_to = true;
                if (options_->is_ordered) {
                    return false;
                }
                continue;
            }
            if (time == never || is_about_the_trace(event)) [[unlikely]] {
                has_unknown_losses_ = has_unknown_losses_ || flow::indicates_unknown_losses(event);
                continue;
            }
            if (time < window_begin_ && facts::may_have_sampling_interval(event)) {
                has_late_interval_ = true;
            }
            if (!range_.first) [[unlikely]] {
                begin(time);
            }
            if (time < last_cut_) [[unlikely]] {
                give_up_sums();
            }
            range_.last = time > range_.last ? time : range_.last;
            latest_ = time > latest_ ? time : latest_;
            const bool in_range = is_in_window(event) && time >= range_.from;
            events_ += in_range ? 1 : 0;
            untimed_ += in_range && !event.has_time ? 1 : 0;
            has_times_ = has_times_ || event.has_time;
            dispatch_->pass(event, in_range,
                            processes.empty() ? std::nullopt : std::optional(processes[i]));
        }
        return true;
    }

    /// The same, without looking at events that nobody asked for.
    bool read(const PreparedEvents& prepared) {
        const bool is_in_range = prepared.earliest() >= range_.from;
        const bool is_of_scope = !options_->scope || prepared.scope() == options_->scope;
        const bool has_one_answer =
            prepared.is_plain() && is_of_scope && prepared.latest() < range_.to &&
            (is_in_range || prepared.latest() < range_.from) && range_.first &&
            prepared.latest() < next_cut_ && prepared.earliest() >= last_cut_ &&
            (window_begin_ == never || prepared.earliest() >= window_begin_);
        const std::span<const std::uint32_t> processes = prepared.processes();
        if (!has_one_answer) {
            std::size_t place = 0;
            return std::ranges::all_of(prepared.runs(), [&](const flow::Run& run) {
                const std::size_t first = std::exchange(place, place + run.size());
                return read(run,
                            processes.empty() ? processes : processes.subspan(first, run.size()));
            });
        }
        const flow::Run events = prepared.events();
        const bool are_ascending =
            prepared.is_ascending() && prepared.earliest() >= latest_ && options_->scope;
        range_.last = std::max(range_.last, prepared.latest());
        latest_ = std::max(latest_, prepared.latest());
        events_ += is_in_range ? events.size() : 0;
        has_times_ = true;
        if (dispatch_->pass_together(prepared, is_in_range, are_ascending)) {
            for_each_taken(prepared,
                           [&](std::size_t i) { dispatch_->pass_rest(events[i], is_in_range); });
            return true;
        }
        for (std::size_t i = 0; i < events.size(); ++i) {
            dispatch_->pass_rest(events[i], is_in_range,
                                 processes.empty() ? std::nullopt : std::optional(processes[i]));
        }
        return true;
    }

    /// The sums that its tables ask for.
    std::vector<SumsBy> wanted_sums() const {
        return is_state_ ? std::vector<SumsBy>() : dispatch_->wanted_sums(); // nothing is in range
    }

    const PassOptions& options() const noexcept { return *options_; }

    /// What the header buffer says of the whole trace.
    void note_header(flow::Run run) noexcept {
        if (run.front().buffer->number == 0) {
            has_unknown_losses_ =
                has_unknown_losses_ || std::ranges::any_of(run, flow::indicates_unknown_losses);
        }
    }

    /// Whether an event may be in a window that was asked for: not without a usable time.
    bool is_in_window(const flow::Event& event) const {
        if (event.has_time || !(options_->from || options_->to)) [[likely]] {
            return true;
        }
        for (const PassTable& table : tables_) {
            if (table.options->where) {
                ++table.options->where->notes().untimed;
            }
        }
        return false;
    }

    /// Begins with the known range instead of the first event.
    void begin_range() {
        if (options_->range->first < range_.to) {
            begin(options_->range->first);
        }
    }

    std::size_t tables() const noexcept { return tables_.size(); }

    /// Extends the range by what another pass has read.
    void widen(const Pass& other) noexcept {
        range_.last = std::max(range_.last, other.range_.last);
        range_.reached_to = range_.reached_to || other.range_.reached_to;
        has_unknown_losses_ = has_unknown_losses_ || other.has_unknown_losses_;
        has_times_ = has_times_ || other.has_times_;
    }

    /// Begins a part of the trace, of which the range is known.
    void begin_part(const PartPlace& place) {
        window_begin_ = place.begin;
        for (PassTable& table : tables_) {
            table.context.is_part = true;
            table.context.part_begin = place.begin;
        }
        range_.reached_to = place.reached_to;
        if (options_->range) {
            range_.last = options_->range->second;
            begin_range();
            show_earlier(place);
        }
    }

    /// Begins with the events from a state on. False: the state is not that of such a table.
    bool begin_window(const PartPlace& place, const TableState* before) {
        window_begin_ = place.begin;
        range_.reached_to = place.reached_to;
        if (!options_->range) {
            return true;
        }
        range_.last = options_->range->second;
        begin_range();
        has_times_ = place.begin != never; // those that are not read have times
        if (before != nullptr && range_.first) {
            Archive archive(before->carried);
            tables_.front().analyzer->load_state(archive);
            has_unknown_losses_ = before->has_unknown_losses;
            if (!archive.is_complete()) {
                return false;
            }
        }
        show_earlier(place);
        return true;
    }

    /// The table after begin_window(). Nothing: it depends on more than the state says.
    std::optional<Table> table_after(const TableState* before) {
        cut_up_to(last_limit);
        Table table = part(0);
        if (before != nullptr && !follow(table, *before)) {
            return std::nullopt;
        }
        const bool has_dropped =
            std::ranges::any_of(table.coverage.remainders, [](const Remainder& one) {
                return one.value != 0 && one.name.starts_with("dropped");
            });
        if (has_dropped || has_late_interval_) {
            return std::nullopt;
        }
        complete(table, 0);
        return table;
    }

    /// Begins what precedes a window that is not known yet: nothing is in range.
    void begin_state() noexcept {
        is_state_ = true;
        for (PassTable& table : tables_) {
            table.context.is_part = true;
            table.context.is_state = true;
        }
        range_.from = std::numeric_limits<std::int64_t>::max();
    }

    bool has_begun() const noexcept { return range_.first.has_value(); }

    TableState state(const Cut& cut, std::size_t number) {
        tables_[number].context.last_cut = cut.raw;
        const TablePart part = part_of(this->part(number));
        return {.table = {},
                .by = {},
                .missing = part.missing,
                .remainders = part.remainders,
                .other_versions = part.other_versions,
                .has_unknown_losses = has_unknown_losses_,
                .carried = state_of(*tables_[number].analyzer)};
    }

    void end_states() {
        for (const PassTable& table : tables_) {
            if (range_.first) {
                table.analyzer->end_states(range_.last);
            }
        }
    }

    /// Whether the part contains a sampling interval that show_earlier() has shown before it.
    bool has_late_interval() const noexcept { return has_late_interval_; }

    TablePart table_part(std::size_t number) {
        const PassTable& table = tables_[number];
        TablePart part = part_of(this->part(number));
        part.events = events_;
        part.used_events = dispatch_->used(number);
        Coverage coverage;
        fill(coverage, 0, 0);
        using enum format::ClockType;
        const format::ClockType type = trace_->header.clock_type();
        part.whole = {.has_ticks = type == qpc || type == cpu_cycles,
                      .start = trace_->header.start_time,
                      .reference = trace_->reference_time,
                      .frequency = trace_->clock.frequency(),
                      .has_events = range_.first.has_value(),
                      .begin = table.context.begin,
                      .end = table.context.end,
                      .planned_end = table.planned_end,
                      .processors = coverage.processors,
                      .lost_events = coverage.lost_events,
                      .lost_buffers = coverage.lost_buffers};
        part.carried = carried_of(*table.analyzer);
        return part;
    }

    Table table(std::size_t number) {
        cut_up_to(last_limit);
        Table table = part(number);
        complete(table, number);
        return table;
    }

    /// The table of what this pass and others have read, each for one table.
    Table table(std::span<const std::unique_ptr<Pass>> others) {
        std::ranges::for_each(others, [&](const auto& other) { widen(*other); });
        std::uint64_t events = events_, used = dispatch_->used(0);
        Table table = part(0);
        table.add_up();
        for (const auto& other : others) {
            other->widen(*this);
            Table more = other->part(0);
            more.add_up();
            table.add(std::move(more));
            events += other->events_;
            used += other->dispatch_->used(0);
        }
        fill(table.coverage, events, used);
        table.convert_ticks(trace_->clock.frequency());
        return table;
    }

private:
    /// Turns what was read of a whole range into its table.
    void complete(Table& table, std::size_t number) const {
        const PassTable& of = tables_[number];
        if (auto* const sums = sums_of(of)) {
            of.analyzer->adds_windows() ? sums->end(table) : sums->give_up();
        }
        table.blank_missing();
        table.add_up();
        fill(table.coverage, events_, dispatch_->used(number));
        table.convert_ticks(trace_->clock.frequency());
    }

    /// What this pass has read, with ticks, and without the coverage of the trace.
    Table part(std::size_t number) {
        end();
        Table table = tables_[number].analyzer->finish();
        table.coverage.other_versions = dispatch_->other_versions(number);
        table.coverage.remainders.push_back({"dropped", owners_.dropped() + dropped_});
        table.coverage.remainders.push_back({"untimed_events", untimed_});
        return table;
    }

    void begin(std::int64_t time) {
        range_.first = time;
        for (PassTable& table : tables_) {
            Context& context = table.context;
            context.last_cut = time;
            context.begin = range_.begin();
            if (table.options->range) { // T as it will be found
                const std::int64_t last = table.options->range->second;
                context.end = std::max(context.begin, last >= range_.to ? range_.to : last);
            }
            table.planned_end = context.end;
            if (auto* const sums = sums_of(table)) {
                sums->begin(trace_->clock, context.begin, context.end);
            }
        }
        find_next_cut();
        start();
    }

    // Sums of slices, which some tables have: all of these at the same times.

    /// The latest time that a limit of slices can have.
    static constexpr std::int64_t last_limit = std::numeric_limits<std::int64_t>::max() - 1;

    /// Null: the table has none.
    static WindowSums* sums_of(const PassTable& table) noexcept {
        return table.options->range ? table.options->sums.get() : nullptr;
    }

    void find_next_cut() noexcept {
        next_cut_ = std::numeric_limits<std::int64_t>::max();
        last_cut_ = never;
        for (const PassTable& table : tables_) {
            if (const auto* const sums = sums_of(table)) {
                next_cut_ = std::min(next_cut_, sums->next_cut());
                last_cut_ = std::max(last_cut_, sums->last_cut());
            }
        }
    }

    /// Shows the tables up to each cut that is not after a time. All events before it were read.
    void cut_up_to(std::int64_t time) {
        for (; next_cut_ <= time; find_next_cut()) {
            std::vector<std::int64_t> ends;
            for (PassTable& table : tables_) {
                ends.push_back(std::exchange(table.context.end, next_cut_));
                table.context.is_cut = true;
            }
            for (const PassTable& table : tables_) {
                auto* const sums = sums_of(table);
                if (sums != nullptr && sums->next_cut() == next_cut_) {
                    sums->add(table.analyzer->finish());
                }
            }
            for (std::size_t i = 0; i < tables_.size(); ++i) {
                tables_[i].context.end = ends[i];
                tables_[i].context.is_cut = false;
            }
        }
    }

    /// An event belongs to a slice that has ended.
    void give_up_sums() noexcept {
        for (const PassTable& table : tables_) {
            if (auto* const sums = sums_of(table)) {
                sums->give_up();
            }
        }
        find_next_cut();
    }

    void start() {
        has_started_ = true;
        std::ranges::for_each(tables_,
                              [](PassTable& table) { table.analyzer->start(table.context); });
    }

    /// What one table ends can be shown to others.
    void end() {
        if (!has_started_) {
            start();
        }
        std::ranges::for_each(tables_, [&](PassTable& table) { table.context.end = range_.end(); });
    }

    /// Shows the events before a part that later ones are weighted by.
    void show_earlier(const PartPlace& place) {
        KeptEvents kept;
        if (!place.show_earlier || !range_.first || window_begin_ == never) {
            return;
        }
        place.show_earlier([&](flow::Run events) {
            for (const flow::Event& event : events) {
                if (event.raw_time < place.begin && is_in_any_range(event) &&
                    facts::may_have_sampling_interval(event)) {
                    kept.add(event);
                }
            }
        });
        dropped_ += kept.dropped();
        kept.sort();
        for (const flow::Event& event : kept.events()) {
            dispatch_->pass(event, false);
        }
    }

    void fill(Coverage& coverage, std::uint64_t events, std::uint64_t used) const {
        coverage.events = events;
        coverage.used_events = used;
        coverage.processors = trace_->has_header && trace_->header.number_of_processors != 0
                                  ? trace_->header.number_of_processors
                                  : trace_->processors;
        const flow::StatedLosses losses = flow::stated_losses(*trace_, has_unknown_losses_);
        coverage.lost_events = losses.events;
        coverage.lost_buffers = losses.buffers;
        if (range_.first && has_times_) {
            coverage.begin = trace_->clock.to_filetime(range_.begin());
            coverage.end = trace_->clock.to_filetime(range_.end());
            coverage.duration_ns = nanoseconds_of(static_cast<std::uint64_t>(range_.end()) -
                                                      static_cast<std::uint64_t>(range_.begin()),
                                                  trace_->clock.frequency());
        }
    }

    /// Calls `take` with the numbers of the events that are taken, in order.
    template <typename Take>
    void for_each_taken(const PreparedEvents& prepared, Take&& take) {
        taken_.clear();
        for (const PreparedEvents::Kind& kind : prepared.kinds()) {
            if (dispatch_->takes(kind.code)) {
                taken_.push_back(&kind.events);
            }
        }
        if (taken_.size() == 1) {
            std::ranges::for_each(*taken_.front(), take);
        } else if (taken_.size() > 1) {
            constexpr std::size_t bits = 64;
            is_taken_.assign(prepared.size() / bits + 1, 0);
            for (const std::vector<std::uint32_t>* const numbers : taken_) {
                for (const std::uint32_t number : *numbers) {
                    is_taken_[number / bits] |= std::uint64_t{1} << number % bits;
                }
            }
            for (std::size_t i = 0; i < is_taken_.size(); ++i) {
                for (std::uint64_t left = is_taken_[i]; left != 0; left &= left - 1) {
                    take(i * bits + static_cast<std::size_t>(std::countr_zero(left)));
                }
            }
        }
    }

    const flow::TraceInfo* trace_;
    std::vector<PassTable> tables_; // at least one
    const PassOptions* options_;    // of the first one
    const facts::Facts* facts_;
    Owners owners_;
    std::unique_ptr<Dispatch> dispatch_; // large
    Range range_;
    std::int64_t latest_ = never;                          // time of the events so far
    std::vector<const std::vector<std::uint32_t>*> taken_; // of one PreparedEvents
    std::vector<std::uint64_t> is_taken_;                  // a bit for each event of that
    std::uint64_t events_ = 0, dropped_ = 0, untimed_ = 0;
    std::int64_t next_cut_ = std::numeric_limits<std::int64_t>::max(), last_cut_ = never;
    std::int64_t window_begin_ = never; // earlier events are not read
    bool has_started_ = false, is_state_ = false;
    bool has_late_interval_ = false;
    bool has_times_ = false; // of an event
    bool has_unknown_losses_ = false;
};

using Progress = std::function<bool(std::uint64_t events, const flow::Event& newest)>;

/// Events from one call of `progress` to the next.
constexpr std::uint64_t often = 1U << 16U;

/// What is the same in all events of several passes, so that it is found once.
class Preparation {
public:
    Preparation(std::span<const std::unique_ptr<Pass>> passes, unsigned threads) {
        const auto is_common = [&](const auto& pass) {
            return pass->options().facts == passes.front()->options().facts;
        };
        if (std::ranges::all_of(passes, is_common)) { // also of none
            facts_ = passes.empty() ? nullptr : passes.front()->options().facts.get();
        }
        const auto asking =
            std::ranges::find_if(passes, [](const auto& pass) { return needs_lookups(*pass); });
        const auto is_answer = [&](const auto& pass) {
            return !needs_lookups(*pass) ||
                   (pass->options().facts == (*asking)->options().facts &&
                    pass->options().schemas == (*asking)->options().schemas);
        };
        if (asking == passes.end() || !std::ranges::all_of(passes, is_answer)) {
            return;
        }
        for (unsigned i = 0; i < threads; ++i) {
            EventLookups& mine = lookups_.emplace_back((*asking)->options().schemas);
            for (const auto& pass : passes) {
                for (const SumsBy by : pass->wanted_sums()) {
                    mine.ask_for(by, (*asking)->options().facts);
                }
            }
        }
    }

    /// Of all passes; null: they differ.
    const facts::FactsByTrace* facts() const noexcept { return facts_; }

    /// For the thread with a number; null: no pass asks, or not all of them the same.
    EventLookups* lookups(unsigned thread) noexcept {
        return lookups_.empty() ? nullptr : &lookups_[thread];
    }

private:
    static bool needs_lookups(const Pass& pass) noexcept { return !pass.wanted_sums().empty(); }

    const facts::FactsByTrace* facts_ = nullptr;
    std::vector<EventLookups> lookups_; // by thread
};

/// Events that all passes of a team read.
struct TeamBatch {
    /// Two of them are in memory, with what was found out about each event, and their buffers.
    static constexpr std::uint64_t max_events = 1U << 14U;

    std::vector<PreparedEvents> parts; // the first `count`; their memory is used again
    std::size_t count = 0;
    std::uint64_t events = 0;
    std::vector<flow::Pin> pins;

    void add(const flow::Source& source, flow::Run run) {
        constexpr std::size_t events_of_part = 4096;
        if (count == 0 || parts[count - 1].size() >= events_of_part) {
            ++count;
            parts.resize(std::max(parts.size(), count));
            parts[count - 1].clear();
        }
        parts[count - 1].add(run);
        if (flow::Pin pin = source.pin()) {
            pins.push_back(std::move(pin));
        }
        events += run.size();
    }

    void clear() noexcept {
        count = 0;
        events = 0;
        pins.clear();
    }
};

/// Shows events to passes, on several threads: each pass reads them in order, and all have read
/// what they were shown when flush() returns. What they all ask about events is found before. While
/// the other threads work on a batch, the caller reads the next one; then it helps them.
class PassTeam {
public:
    PassTeam(std::span<const std::unique_ptr<Pass>> passes, unsigned threads)
        : preparation_(passes, threads_for(passes, threads)),
          pool_(threads_for(passes, threads) - 1) {
        std::ranges::transform(passes, std::back_inserter(readers_), &std::unique_ptr<Pass>::get);
    }

    /// Whether no pass goes on, as far as is known.
    bool is_done() const noexcept { return readers_.empty(); }

    /// `source` has just returned the run, which is not empty, or the run is a part of it.
    void show(const flow::Source& source, flow::Run run) {
        const bool is_one_table = readers_.size() == 1 && readers_.front()->tables() == 1;
        if (is_one_table && pool_.threads() == 0) { // nothing to share
            std::erase_if(readers_, [&](Pass* pass) { return !pass->read(run); });
            return;
        }
        filled_->add(source, run);
        if (filled_->events >= events_of_batch_) {
            events_of_batch_ = std::min(TeamBatch::max_events, events_of_batch_ * 2);
            hand_over();
            if (pool_.threads() == 0 || events_of_batch_ < TeamBatch::max_events) {
                finish(); // the first batches say whether more are needed
            }
        }
    }

    void flush() {
        hand_over();
        finish();
    }

private:
    static unsigned threads_for(std::span<const std::unique_ptr<Pass>> passes, unsigned threads) {
        std::size_t tables = 0;
        std::ranges::for_each(passes, [&](const auto& pass) { tables += pass->tables(); });
        return static_cast<unsigned>(
            std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(tables, 1)));
    }

    /// Gives the batch that was filled to the other threads.
    void hand_over() {
        finish();
        if (filled_->count == 0) {
            return;
        }
        std::swap(filled_, at_work_);
        goes_on_.assign(readers_.size(), 1);
        work_.begin(at_work_->count, readers_.size());
        for (unsigned i = 0; i < pool_.threads(); ++i) {
            helpers_.push_back(pool_.start([this, i] { work(i + 1); }));
        }
    }

    /// Helps with the batch that is at work, until all passes have read it.
    void finish() {
        if (at_work_->count == 0) {
            return;
        }
        work(0);
        std::ranges::for_each(helpers_, [](std::future<void>& one) { one.get(); });
        helpers_.clear();
        std::size_t i = 0;
        std::erase_if(readers_, [&](Pass*) { return goes_on_[i++] == 0; });
        at_work_->clear();
    }

    void work(unsigned thread) {
        while (const auto task = work_.next()) {
            // Others wait for it, even if it fails.
            struct Finish {
                TeamWork& work;
                const TeamWork::Task& task;

                ~Finish() { work.finish(task); }
            } const finish{work_, *task};

            PreparedEvents& part = at_work_->parts[task->part];
            if (!task->reader) {
                part.prepare(preparation_.facts(), preparation_.lookups(thread));
            } else if (goes_on_[*task->reader] != 0) {
                goes_on_[*task->reader] = readers_[*task->reader]->read(part) ? 1 : 0;
            }
        }
    }

    Preparation preparation_;
    std::vector<Pass*> readers_;
    std::array<TeamBatch, 2> batches_;
    TeamBatch* filled_ = &batches_.front();
    TeamBatch* at_work_ = &batches_.back(); // empty: none
    TeamWork work_;                         // of that
    std::vector<char> goes_on_;             // by pass
    std::uint64_t events_of_batch_ = 64;    // grows: windows end soon
    std::vector<std::future<void>> helpers_;
    TaskPool pool_; // last: its threads end before what they work on
};

/// Shows all events to all passes, until none goes on.
void read(flow::Source& source, std::span<const std::unique_ptr<Pass>> passes,
          const Progress& progress, unsigned threads = 1) {
    PassTeam team(passes, threads);
    std::uint64_t total = 0, next = often;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        team.show(source, run);
        total += run.size();
        if (team.is_done()) {
            break;
        }
        if (total >= next) {
            next = total + often;
            if (progress && !progress(total, run.back())) {
                break;
            }
        }
    }
    team.flush();
}

/// The passes of jobs: tables that share something have one.
struct PassesOfJobs {
    struct Place {
        std::size_t pass = 0, table = 0;
    };

    std::vector<std::unique_ptr<Pass>> passes;
    std::vector<Place> places; // by job

    PassesOfJobs(std::span<const Job> jobs, const flow::TraceInfo& trace) {
        for (const Job& job : jobs) {
            const flow::TraceInfo& of = job.trace != nullptr ? *job.trace : trace;
            PassTable table(*job.analyzer, job.options);
            const auto known = std::ranges::find_if(
                passes, [&](const auto& pass) { return pass->takes(of, table); });
            const auto place = static_cast<std::size_t>(known - passes.begin());
            if (known == passes.end()) {
                passes.push_back(std::make_unique<Pass>(of, std::move(table)));
                places.push_back({place, 0});
            } else {
                places.push_back({place, (*known)->add(std::move(table))});
            }
        }
    }
};

} // namespace

bool is_in_any_range(const flow::Event& event) noexcept {
    return event.raw_time != never && !is_about_the_trace(event);
}

Result<Table> run(flow::Source& source, const flow::TraceInfo& trace, Analyzer& analyzer,
                  const PassOptions& options) {
    const Job job{&analyzer, options};
    auto tables = run(source, trace, {&job, 1}, options.progress);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    return std::move(tables->front());
}

Result<std::vector<Table>> run(flow::Source& source, const flow::TraceInfo& trace,
                               std::span<const Job> jobs, const Progress& progress,
                               unsigned threads) {
    const PassesOfJobs of(jobs, trace);
    read(source, of.passes, progress, threads);
    if (source.error() != nullptr) {
        return std::unexpected(*source.error());
    }
    std::vector<Table> tables;
    for (const auto& [pass, number] : of.places) {
        tables.push_back(of.passes[pass]->table(number));
    }
    return tables;
}

Result<TablePart> run_part(flow::Source& source, const flow::TraceInfo& trace, Analyzer& analyzer,
                           const PassOptions& options, const PartPlace& place) {
    std::vector<std::unique_ptr<Pass>> passes;
    passes.push_back(std::make_unique<Pass>(trace, analyzer, options));
    passes.front()->begin_part(place);
    read(source, passes, options.progress);
    if (source.error() != nullptr) {
        return std::unexpected(*source.error());
    }
    if (passes.front()->has_late_interval()) {
        return fail(ErrorCode::unsupported, "a sampling interval after later events, in parts");
    }
    return passes.front()->table_part(0);
}

Result<Table> run_window(flow::Source& source, const flow::TraceInfo& trace, Analyzer& analyzer,
                         const PassOptions& options, const PartPlace& place,
                         const TableState* before) {
    std::vector<std::unique_ptr<Pass>> passes;
    passes.push_back(std::make_unique<Pass>(trace, analyzer, options));
    constexpr const char* other = "the table depends on more than the state before its window";
    if (!passes.front()->begin_window(place, before)) {
        return fail(ErrorCode::unsupported, other);
    }
    read(source, passes, options.progress);
    if (source.error() != nullptr) {
        return std::unexpected(*source.error());
    }
    auto table = passes.front()->table_after(before);
    return table ? Result<Table>(*std::move(table)) : fail(ErrorCode::unsupported, other);
}

namespace {

/// Finds cuts: all events before one are earlier, and no event from it on is.
class Cutter {
public:
    Cutter(const flow::Clock& clock, std::uint64_t spacing) : clock_(&clock), spacing_(spacing) {}

    /// Returns the cut before an event, if there shall be one. Counts the event.
    std::optional<Cut> before(const flow::Event& event) {
        std::optional<Cut> cut;
        if (bytes_ >= spacing_ && event.raw_time > latest_) {
            const Filetime time = clock_->to_filetime(event.raw_time);
            const std::int64_t raw = clock_->to_raw(time);
            if (raw > latest_ && raw <= event.raw_time) { // times of files are coarser
                cut = Cut{time, raw};
                bytes_ = 0;
                counts_.cuts.push_back({*cut, counts_.events});
            }
        }
        bytes_ += event.size;
        ++counts_.events;
        counts_.irregular += !event.has_time || event.raw_time < latest_ ? 1U : 0U;
        latest_ = std::max(latest_, event.raw_time);
        return cut;
    }

    EventCounts take_counts() { return std::move(counts_); }

private:
    const flow::Clock* clock_;
    std::uint64_t spacing_, bytes_ = 0;
    std::int64_t latest_ = never;
    EventCounts counts_;
};

} // namespace

Result<StatesRun> run_states(flow::Source& source, const flow::TraceInfo& trace,
                             std::span<const Job> jobs, std::span<const Job> whole,
                             const CutOptions& options, TakeStates take) {
    PassesOfJobs states(jobs, trace), tables(whole, trace);
    std::ranges::for_each(states.passes, [](const auto& pass) { pass->begin_state(); });
    std::ranges::for_each(tables.passes, [](const auto& pass) { pass->begin_part({}); });
    std::vector<std::unique_ptr<Pass>> passes;
    std::ranges::move(states.passes, std::back_inserter(passes));
    std::ranges::move(tables.passes, std::back_inserter(passes));
    const std::span of_states = std::span(passes).first(states.passes.size());
    const std::span of_tables = std::span(passes).subspan(states.passes.size());
    PassTeam team(passes, options.threads);
    Cutter cutter(trace.clock, options.spacing);
    std::uint64_t total = 0, next = often;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        auto begin = run.begin();
        for (auto at = begin; at != run.end(); ++at) {
            const auto cut = cutter.before(*at);
            if (!cut) {
                continue;
            }
            if (at != begin) {
                team.show(source, {begin, at});
                begin = at;
            }
            team.flush();
            if (!of_states.empty() && of_states.front()->has_begun()) {
                std::vector<TableState> found;
                std::ranges::transform(states.places, std::back_inserter(found),
                                       [&](const auto& place) {
                                           return of_states[place.pass]->state(*cut, place.table);
                                       });
                take(*cut, std::move(found));
            }
        }
        team.show(source, {begin, run.end()});
        total += run.size();
        if (options.progress && total >= next) {
            next = total + often;
            options.progress(total, run.back());
        }
    }
    team.flush();
    if (source.error() != nullptr) {
        return std::unexpected(*source.error());
    }
    std::ranges::for_each(of_states, [](const auto& pass) { pass->end_states(); });
    StatesRun result{.parts = {}, .counts = cutter.take_counts()};
    std::ranges::transform(tables.places, std::back_inserter(result.parts), [&](const auto& place) {
        return of_tables[place.pass]->table_part(place.table);
    });
    return result;
}

std::vector<std::optional<Table>> run_in_parallel(ShowEvents show, const flow::TraceInfo& trace,
                                                  std::span<ParallelJob> jobs) {
    std::vector<std::vector<std::unique_ptr<Pass>>> all; // by job and thread
    for (ParallelJob& job : jobs) {
        job.options.is_ordered = false;
        job.options.sums = nullptr; // which one pass fills, in order
        auto& passes = all.emplace_back();
        for (const auto& analyzer : job.analyzers) {
            passes.push_back(std::make_unique<Pass>(trace, *analyzer, job.options));
            passes.back()->begin_range();
        }
    }
    show([&](unsigned thread, flow::Run events) {
        for (const auto& passes : all) {
            passes[thread]->read(events);
        }
    });
    std::vector<std::optional<Table>> tables;
    for (const auto& passes : all) {
        Table table = passes.front()->table(std::span(passes).subspan(1));
        const bool has_all = std::ranges::all_of(
            table.coverage.remainders, [](const Remainder& one) { return one.value == 0; });
        tables.push_back(has_all ? std::optional(std::move(table)) : std::nullopt);
    }
    return tables;
}

} // namespace etl::analysis
