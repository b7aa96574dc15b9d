// etl timeline --by provider, --by process. docs/analysis.md#timeline
#include <etl/facts/attributor.hpp>

#include "analysis/disk_operations.hpp"
#include "analysis/group_table.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/times/event_names.hpp"
#include "analysis/times/gc_pauses.hpp"
#include "analysis/times/makers.hpp"
#include "analysis/times/slices.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace etl::analysis {

namespace {

constexpr std::uint32_t series_gc_tag = 1;

/// Sums of the slices of each series.
class Series final : public Analyzer, private SchedulingSink {
public:
    Series(SeriesBy by, const TableOptions& options)
        : by_(by), slices_(options.slices), scheduling_(*this, options.excludes_interrupts) {}

    void ask(Wishes& wishes) override {
        wishes.everything();
        if (by_ == SeriesBy::process) {
            scheduling_.ask(wishes);
            Samples::ask(wishes);
            DiskOperations::ask(wishes);
            GcPauses::ask(wishes, series_gc_tag);
        }
    }

    void start(Context& context) override {
        Analyzer::start(context);
        slices_.start(context);
        scheduling_.start(context);
        kinds_.emplace(*context.schemas);
        if (context.all_facts != nullptr) {
            attributor_.emplace(context.all_facts, *context.schemas);
        }
    }

    void add(const Record& record) override {
        if (record.tag == everything_tag) {
            add_any(record);
        } else if (Samples::takes(record.tag)) {
            if (samples_.take(record) && record.number32(Samples::thread_id) != 0) {
                Owners& owners = *context().owners;
                add_value(owners.of_thread_id(record.number32(Samples::thread_id), record.time),
                          record, samples, 1);
            }
        } else if (DiskOperations::takes(record.tag)) {
            add_disk(record);
        } else if (record.tag == series_gc_tag) {
            add_gc(record);
        } else {
            scheduling_.add(record);
        }
    }

    Table finish() override {
        scheduling_.finish();
        Table table;
        table.name = "timeline";
        table.is_ordered = true;
        table.columns = {key_column("slice", Unit::id), key_column("begin", Unit::time)};
        add_series_columns(table.columns);
        add_rows(table);
        report_missing(table);
        scheduling_.report_excluded(table.coverage);
        table.coverage.remainders.push_back({"dropped_rows", sums_.dropped()});
        table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
        return table;
    }

private:
    enum Value : std::size_t { events, bytes, samples, running, disk_bytes, gc_pause, values };

    static constexpr std::size_t provider_values = 2;

    using Sums = std::array<std::uint64_t, values>;

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
        if (!samples_.has_samples()) {
            set_missing(table, "samples", {"samples"}, record_samples);
        }
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
        std::vector<std::uint64_t> all;
        std::ranges::transform(totals, std::back_inserter(all),
                               [](auto& one) { return one.first; });
        std::set<std::uint64_t> chosen;
        for (std::size_t i = 0; i < measures(); ++i) {
            const auto is_more = [&](std::uint64_t a, std::uint64_t b) {
                return std::pair(totals[b][i], a) < std::pair(totals[a][i], b);
            };
            const auto end = all.begin() + static_cast<std::ptrdiff_t>(
                                               std::min(all.size(), limits::analysis_series));
            std::ranges::partial_sort(all, end, is_more);
            std::copy_if(all.begin(), end, std::inserter(chosen, chosen.end()),
                         [&](std::uint64_t series) { return totals[series][i] != 0; });
        }
        std::vector<std::uint64_t> ordered(chosen.begin(), chosen.end());
        std::ranges::sort(ordered, [&](std::uint64_t a, std::uint64_t b) {
            return std::pair(totals[b][events], a) < std::pair(totals[a][events], b);
        });
        return ordered;
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

    void add_value(OwnerRef owner, const Record& record, Value value, std::uint64_t much) {
        if (record.in_range && (*context().owners)[owner].is_selected) {
            sums_.find({slices_.of(record.time), owner, 0})[value] += much;
        }
    }

    void add_any(const Record& record) {
        if (!record.in_range) {
            return;
        }
        std::uint64_t series = 0;
        if (by_ == SeriesBy::provider) {
            series = kinds_->find(*record.event, [&](const decode::DecodedEvent& decoded) {
                return GroupKey{texts_.number_of(provider_of(decoded)), 0, 0};
            })[0];
        } else {
            const std::uint32_t process =
                attributor_ ? attributor_->attribute(*record.event).process : flow::no_id;
            const OwnerRef owner = context().owners->process(process, record.time);
            if (!(*context().owners)[owner].is_selected) {
                return;
            }
            series = owner;
        }
        std::uint64_t* const row = sums_.find({slices_.of(record.time), series, 0});
        ++row[events];
        row[bytes] += record.event->size;
    }

    void add_disk(const Record& record) {
        const auto operation = disk_.take(record);
        if (operation && record.tag != DiskOperations::flush_tag) {
            add_value(context().owners->of_thread_id(operation->thread, record.time), record,
                      disk_bytes, record.number(DiskOperations::size));
        }
    }

    void add_gc(const Record& record) {
        const auto pause = pauses_.add(record);
        Owners& owners = *context().owners;
        const OwnerRef owner = owners.process_now(record.process, record.time);
        if (pause && record.in_range && owners[owner].is_selected) {
            slices_.spread(pause->begin, pause->end, [&](std::size_t slice, std::uint64_t ticks) {
                sums_.find({slice, owner, 0})[gc_pause] += ticks;
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
                   const Record& /*record*/) override {}

    SeriesBy by_;
    Slices slices_;
    Scheduling scheduling_;
    Samples samples_;
    DiskOperations disk_;
    GcPauses pauses_;
    std::optional<KeysByKind> kinds_;
    std::optional<facts::Attributor> attributor_;
    Texts texts_;
    Groups sums_{values}; // by slice and series
};

} // namespace

std::unique_ptr<Analyzer> make_series(SeriesBy by, const TableOptions& options) {
    return std::make_unique<Series>(by, options);
}

} // namespace etl::analysis
