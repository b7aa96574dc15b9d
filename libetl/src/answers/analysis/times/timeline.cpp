#include "analysis/disk_operations.hpp"
#include "analysis/groups.hpp"
#include "analysis/limits.hpp"
#include "analysis/names.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/table_list.hpp"
#include "analysis/times/gc_pauses.hpp"
#include "analysis/times/slices.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

// Which series a timeline shows. docs/analysis.md#timeline

/// Returns the series with most of any of their first `measures` values, most of the first value
/// first. `label_of(series)` decides between equals.
template <typename Values, typename Label>
std::vector<std::uint64_t> largest_series(const std::unordered_map<std::uint64_t, Values>& totals,
                                          std::size_t measures, Label&& label_of) {
    const auto comes_before = [&](std::size_t value) {
        return [&, value](std::uint64_t a, std::uint64_t b) {
            const std::uint64_t mine = totals.at(a)[value], other = totals.at(b)[value];
            return mine != other ? mine > other : label_of(a) < label_of(b);
        };
    };
    std::vector<std::uint64_t> all;
    std::ranges::transform(totals, std::back_inserter(all), [](auto& one) { return one.first; });
    std::set<std::uint64_t> chosen;
    for (std::size_t i = 0; i < measures; ++i) {
        const auto end = all.begin() +
                         static_cast<std::ptrdiff_t>(std::min(all.size(), limits::analysis_series));
        std::ranges::partial_sort(all, end, comes_before(i));
        std::copy_if(all.begin(), end, std::inserter(chosen, chosen.end()),
                     [&](std::uint64_t series) { return totals.at(series)[i] != 0; });
    }
    std::vector<std::uint64_t> ordered(chosen.begin(), chosen.end());
    std::ranges::sort(ordered, comes_before(0));
    return ordered;
}

// etl timeline. docs/analysis.md#timeline

namespace {

enum class SeriesBy : std::uint8_t { provider, process };

constexpr std::uint32_t disk_tag = 1;

class Timeline final : public Analyzer, private SchedulingSink {
public:
    explicit Timeline(const TableOptions& options)
        : scheduling_(*this, options.excludes_interrupts), slices_(options.slices) {}

    void subscribe(Subscriptions& subscriptions) override {
        subscriptions.sums(SumsBy::nothing);
        scheduling_.subscribe(subscriptions);
        Samples::subscribe(subscriptions);
        constexpr auto flush = format::DiskOperation::flush; // transfers nothing
        for (const auto& [hook, operation] : format::disk_hooks) {
            if (operation != flush) {
                subscriptions.hook(hook, disk_tag, {"TransferSize"});
            }
        }
        for (const auto& [id, operation] : format::disk_events) {
            if (operation != flush) {
                subscriptions.provider(format::kernel_disk_guid, disk_tag, {id}, Use::values,
                                       {"TransferSize"});
            }
        }
    }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
        slices_.start(context);
        sums_.resize(slices_.count());
    }

    void add(const Record& record) override {
        switch (record.tag) {
        case Samples::sample_tag:
        case Samples::interval_tag:
        case Samples::counter_tag:
            if (samples_.take(record) && record.number32(Samples::thread_id) != 0) {
                ++of(record).samples;
            }
            break;
        case disk_tag:
            has_disk_ = true;
            if (record.in_range && !is_disk_repetition(record, context())) {
                of(record).disk_bytes += record.number(0);
            }
            break;
        default:
            break;
        }
    }

    void add_sums(const EventSums& sums) override {
        Sums& mine = sums_[slices_.of(sums.first())];
        mine.events += sums.events;
        mine.bytes += sums.bytes;
        mine.lost += sums.lost;
    }

    bool may_sum(std::int64_t first, std::int64_t last) const override {
        return slices_.are_together(first, last);
    }

    Table finish() override {
        scheduling_.finish();
        Table table;
        table.name = "timeline";
        table.is_ordered = true;
        table.columns = {key_column("slice", Unit::id),
                         key_column("begin", Unit::time),
                         sum_column("events"),
                         sum_column("bytes", Unit::bytes),
                         sum_column("samples"),
                         ticks_column("running_ns"),
                         sum_column("disk_bytes", Unit::bytes),
                         sum_column("lost")};
        for (std::size_t i = 0; i < sums_.size(); ++i) {
            const Sums& sums = sums_[i];
            table.rows.push_back(
                {.cells = {std::uint64_t{i},
                           static_cast<std::uint64_t>(
                               context().trace->clock.to_filetime(slices_.begin(i)).ticks),
                           sums.events, sums.bytes, sums.samples, sums.running, sums.disk_bytes,
                           sums.lost}});
        }
        samples_.report_counts(table, {"samples"});
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {"running_ns"}, record_switches);
        }
        scheduling_.report_excluded(table.coverage);
        if (!has_disk_) {
            set_missing(table, "disk I/O", {"disk_bytes"}, record_disk);
        }
        return table;
    }

    void save(Archive& to) override { scheduling_.save(to); }

    void stitch(Archive& from) override { scheduling_.stitch(from); }

private:
    struct Sums {
        std::uint64_t events = 0, bytes = 0, samples = 0, running = 0, disk_bytes = 0, lost = 0;
    };

    Sums& of(const Record& record) { return sums_[slices_.of(record.time)]; }

    void ran(std::uint16_t /*processor*/, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        if (context().owners->id_of(thread) != 0) {
            slices_.spread(from, to, [&](std::size_t slice, std::uint64_t ticks) {
                sums_[slice].running += ticks;
            });
        }
    }

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void was_ready(ThreadRef /*thread*/, std::int64_t /*from*/, const Wait* /*after*/,
                   const SwitchIn& /*at*/) override {}

    Scheduling scheduling_;
    Samples samples_;
    Slices slices_;
    std::vector<Sums> sums_; // by slice
    bool has_disk_ = false;
};

constexpr std::uint32_t series_gc_tag = 1;

/// Sums of the slices of each series.
class Series final : public Analyzer, private SchedulingSink {
public:
    Series(SeriesBy by, const TableOptions& options)
        : by_(by), slices_(options.slices), scheduling_(*this, options.excludes_interrupts) {}

    void subscribe(Subscriptions& subscriptions) override {
        subscriptions.sums(by_ == SeriesBy::process ? SumsBy::process : SumsBy::kind);
        if (by_ == SeriesBy::process) {
            scheduling_.subscribe(subscriptions);
            Samples::subscribe(subscriptions);
            DiskOperations::subscribe(subscriptions);
            GcPauses::subscribe(subscriptions, series_gc_tag);
        }
    }

    void start(Context& context) override {
        Analyzer::start(context);
        slices_.start(context);
        scheduling_.start(context);
        disk_.start(context);
        pauses_.start(context);
        kinds_.emplace(*context.schemas);
    }

    void add(const Record& record) override {
        if (Samples::takes(record.tag)) {
            if (samples_.take(record) && record.number32(Samples::thread_id) != 0) {
                Owners& owners = *context().owners;
                const OwnerRef owner =
                    owners.of_thread_id(record.number32(Samples::thread_id), record.time);
                add_value(owner, record.time, samples, record.in_range ? 1 : 0);
            }
        } else if (DiskOperations::takes(record.tag)) {
            add_disk(record);
        } else if (record.tag == series_gc_tag) {
            add_gc(record);
        }
    }

    void add_sums(const EventSums& sums) override {
        std::uint64_t series = 0;
        if (by_ == SeriesBy::provider) {
            series = kinds_->find(*sums.event, [&](const decode::DecodedEvent& decoded) {
                return GroupKey{texts_.number_of(provider_of(decoded)), 0, 0};
            })[0];
        } else {
            const OwnerRef owner = context().owners->process(sums.about, sums.first());
            if (!(*context().owners)[owner].is_selected) {
                return;
            }
            series = owner;
        }
        std::uint64_t* const row = sums_.find({slices_.of(sums.first()), series, 0}, sums.events);
        row[events] += sums.events;
        row[bytes] += sums.bytes;
    }

    bool may_sum(std::int64_t first, std::int64_t last) const override {
        return slices_.are_together(first, last);
    }

    Table finish() override {
        scheduling_.finish();
        Table table;
        table.name = "timeline";
        table.is_ordered = true;
        table.columns = {key_column("slice", Unit::id), key_column("begin", Unit::time)};
        add_series_columns(table.columns);
        if (!context().is_part) {
            add_rows(table);
        }
        report_missing(table);
        scheduling_.report_excluded(table.coverage);
        table.coverage.remainders.push_back({"dropped_rows", sums_.dropped()});
        table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
        if (disk_.dropped() + pauses_.dropped() != 0) {
            table.coverage.remainders.push_back(
                {"dropped_operations", disk_.dropped() + pauses_.dropped()});
        }
        return table;
    }

    void save(Archive& to) override {
        std::vector<std::size_t> rows(sums_.size());
        std::iota(rows.begin(), rows.end(), std::size_t{0});
        to.list(rows, [&](std::size_t row) {
            GroupKey key = sums_.key(row);
            Sums sums{};
            std::copy_n(sums_.values(row), sums.size(), sums.begin());
            visit(to, key, sums);
        });
        scheduling_.save(to);
        disk_.save(to);
        pauses_.save(to);
    }

    void stitch(Archive& from) override {
        std::vector<std::pair<GroupKey, Sums>> rows;
        from.list(rows,
                  [&](std::pair<GroupKey, Sums>& row) { visit(from, row.first, row.second); });
        for (const auto& [key, sums] : rows) {
            std::uint64_t* const mine = sums_.find(key);
            for (std::size_t i = 0; i < sums.size(); ++i) {
                mine[i] += sums[i];
            }
        }
        stitch_operations(from);
    }

    /// Of series by process; there are no sums before a window.
    void save_state(Archive& to) override {
        scheduling_.save(to);
        disk_.save(to);
        pauses_.save(to);
    }

    void load_state(Archive& from) override { stitch_operations(from); }

private:
    enum Value : std::size_t { events, bytes, samples, running, disk_bytes, gc_pause, values };

    static constexpr std::size_t provider_values = 2;

    void stitch_operations(Archive& from) {
        scheduling_.stitch(from);
        disk_.stitch(from, [this](const DiskCompletion& one) { add_completion(one); });
        pauses_.stitch(from, [this](const GcPause& pause) { add_pause(pause); });
    }

    using Sums = std::array<std::uint64_t, values>;

    void visit(Archive& archive, GroupKey& key, Sums& sums) {
        archive.number(key[0]);
        visit_key_part(archive, by_ == SeriesBy::provider ? KeyPart::text : KeyPart::owner,
                       *context().owners, texts_, key[1]);
        for (std::uint64_t& value : sums) {
            archive.number(value);
        }
    }

    std::size_t measures() const noexcept {
        return by_ == SeriesBy::provider ? provider_values : std::size_t{values};
    }

    void add_series_columns(std::vector<Column>& columns) const {
        if (by_ == SeriesBy::provider) {
            columns.push_back(key_column("provider", Unit::text));
        } else {
            columns.push_back(key_column("process", Unit::text));
            columns.push_back(key_column("pid", Unit::id));
        }
        columns.push_back(sum_column("events"));
        columns.push_back(sum_column("bytes", Unit::bytes));
        if (by_ == SeriesBy::process) {
            columns.push_back(sum_column("samples"));
            columns.push_back(ticks_column("running_ns"));
            columns.push_back(sum_column("disk_bytes", Unit::bytes));
            columns.push_back(ticks_column("gc_pause_ns"));
        }
    }

    void report_missing(Table& table) const {
        if (by_ == SeriesBy::provider) {
            return;
        }
        samples_.report_counts(table, {"samples"});
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {"running_ns"}, record_switches);
        }
        if (!disk_.has_completions()) {
            set_missing(table, "disk I/O", {"disk_bytes"}, record_disk);
        }
        if (!pauses_.has_events()) {
            set_missing(table, "suspensions", {"gc_pause_ns"}, record_gc);
        }
    }

    /// The name of a series, and its process ID.
    std::pair<std::string_view, std::uint32_t> label_of(std::uint64_t series) const {
        if (by_ == SeriesBy::provider) {
            return {texts_.text(series), 0};
        }
        const Owner& owner = (*context().owners)[static_cast<OwnerRef>(series)];
        return {owner.name ? std::string_view(*owner.name) : std::string_view(),
                owner.pid.value_or(0)};
    }

    /// Returns the series with most of any value, most events first.
    std::vector<std::uint64_t> chosen_series() const {
        std::unordered_map<std::uint64_t, Sums> totals;
        for (std::size_t row = 0; row < sums_.size(); ++row) {
            Sums& total = totals[sums_.key(row)[1]];
            for (std::size_t i = 0; i < measures(); ++i) {
                total[i] += sums_.values(row)[i];
            }
        }
        totals.erase(no_part);
        return largest_series(totals, measures(),
                              [this](std::uint64_t series) { return label_of(series); });
    }

    /// Rows in the order of slices, then of the series; series that are not chosen are one.
    void add_rows(Table& table) const {
        const std::vector<std::uint64_t> chosen = chosen_series();
        std::unordered_map<std::uint64_t, std::size_t> places;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            places.emplace(chosen[i], i);
        }
        std::map<std::pair<std::uint64_t, std::size_t>, Sums> rows; // by slice and place
        for (std::size_t row = 0; row < sums_.size(); ++row) {
            const auto place = places.find(sums_.key(row)[1]);
            Sums& sums =
                rows[{sums_.key(row)[0], place == places.end() ? chosen.size() : place->second}];
            for (std::size_t i = 0; i < measures(); ++i) {
                sums[i] += sums_.values(row)[i];
            }
        }
        for (const auto& [key, sums] : rows) {
            const auto& [slice, place] = key;
            Row& row = table.rows.emplace_back();
            row.cells = {number_cell(slice), begin_of(slice)};
            add_names(row.cells,
                      place < chosen.size() ? std::optional(chosen[place]) : std::nullopt);
            row.cells.insert(row.cells.end(), sums.begin(),
                             sums.begin() + static_cast<std::ptrdiff_t>(measures()));
        }
    }

    Cell begin_of(std::uint64_t slice) const {
        return slice == no_part
                   ? Cell{} // of rows beyond the limit
                   : Cell{static_cast<std::uint64_t>(
                         context().trace->clock.to_filetime(slices_.begin(slice)).ticks)};
    }

    void add_names(std::vector<Cell>& cells, std::optional<std::uint64_t> series) const {
        if (by_ == SeriesBy::provider) {
            cells.push_back(series ? texts_.cell(*series) : Cell{"(other)"});
        } else if (series) {
            const Owner& owner = (*context().owners)[static_cast<OwnerRef>(*series)];
            cells.push_back(name_cell(owner));
            cells.push_back(pid_cell(owner));
        } else {
            cells.insert(cells.end(), {Cell{"(other)"}, Cell{}});
        }
    }

    void add_value(OwnerRef owner, std::int64_t time, Value value, std::uint64_t much) {
        if ((*context().owners)[owner].is_selected) {
            sums_.find({slices_.of(time), owner, 0})[value] += much;
        }
    }

    void add_disk(const Record& record) {
        if (const auto one = disk_.take(record)) {
            add_completion(*one);
        }
    }

    void add_completion(const DiskCompletion& one) {
        if (one.in_range && one.tag != DiskOperations::flush_tag) {
            add_value(one.owner, one.time, disk_bytes, one.size);
        }
    }

    void add_gc(const Record& record) {
        if (const auto pause = pauses_.add(record)) {
            add_pause(*pause);
        }
    }

    void add_pause(const GcPause& pause) {
        if (pause.end.counts) {
            slices_.spread(pause.begin, pause.end.time,
                           [&](std::size_t slice, std::uint64_t ticks) {
                               sums_.find({slice, pause.end.owner, 0})[gc_pause] += ticks;
                           });
        }
    }

    void ran(std::uint16_t /*processor*/, ThreadRef thread, std::int64_t from,
             std::int64_t to) override {
        Owners& owners = *context().owners;
        if (owners.id_of(thread) == 0) {
            return;
        }
        const OwnerRef owner = owners.owner_of(thread);
        if (owners[owner].is_selected) {
            slices_.spread(from, to, [&](std::size_t slice, std::uint64_t ticks) {
                sums_.find({slice, owner, 0})[running] += ticks;
            });
        }
    }

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    void was_ready(ThreadRef /*thread*/, std::int64_t /*from*/, const Wait* /*after*/,
                   const SwitchIn& /*at*/) override {}

    SeriesBy by_;
    Slices slices_;
    Scheduling scheduling_;
    Samples samples_;
    DiskOperations disk_;
    GcPauses pauses_;
    std::optional<KeysByKind> kinds_;
    Texts texts_;
    Groups sums_{values}; // by slice and series
};

constexpr auto timeline_forms =
    forms_of(timeline_table, {
                                 {.by = "all",
                                  .has_processes = false,
                                  .make = make<Timeline>,
                                  .parts = PartsOf::carried,
                                  .state = "scheduling",
                                  .kept_as = "all",
                                  .has_slices = true,
                                  .has_bars = true,
                                  .title = "Activity over time",
                                  .places = {.report = 10}},
                                 {.by = "provider",
                                  .needs = TableNeeds::schemas,
                                  .has_processes = false,
                                  .make = make<Series, SeriesBy::provider>,
                                  .parts = PartsOf::carried,
                                  .ignores_earlier_events = true,
                                  .has_slices = true,
                                  .title = "Events over time by provider",
                                  .events = "provider == {provider}",
                                  .places = {.report = 11}},
                                 {.by = "process",
                                  .needs = TableNeeds::processes,
                                  .make = make<Series, SeriesBy::process>,
                                  .parts = PartsOf::carried,
                                  .state = "series",
                                  .has_slices = true,
                                  .title = "Activity over time by process",
                                  .events = "process == {process}",
                                  .places = {.report = 12}},
                             });

} // namespace

constinit const TableKind timeline_table{
    .name = "timeline",
    .summary = "Print activity over time",
    .question = "When did something happen?",
    .examples = R"(  etl timeline trace.etl
  etl timeline --by process --slices 100 --format csv -o timeline.csv trace.etl)",
    .options = {TableOption::slices, TableOption::without_interrupts},
    .mcp_options = "by slices limit format",
    .mcp_place = 2,
    .forms = timeline_forms,
};

} // namespace etl::analysis
