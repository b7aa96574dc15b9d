#include "analysis/analyzer.hpp"
#include "analysis/groups.hpp"
#include "analysis/parts/archive.hpp"
#include "analysis/parts/pairs.hpp"
#include "analysis/table_list.hpp"
#include "analysis/times/gc_pauses.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace etl::analysis {

// Which events are garbage collections, and not a repetition.
// docs/analysis.md#gc

struct GcCollection {
    std::optional<std::uint64_t> count, depth, type;
    GroupKey row{};
    bool counts = false; // in range, and of a selected process
};

/// .NET Framework logs several versions of the same event. The first one of a part may repeat the
/// last one of an earlier part.
class GcCollections {
public:
    void start(const Context& context) noexcept { continues_ = context.continues(); }

    /// Whether it is known that the event does not repeat another one. `runtime`: process and
    /// instance.
    bool is_new(const GroupKey& runtime, const GcCollection& gc) {
        Last& last = of(runtime);
        if (!last.is_known && continues_) {
            last = {.count = gc.count, .is_known = true, .first = gc};
            return false;
        }
        const bool is_repeated = last.is_known && gc.count && last.count == gc.count;
        last.count = gc.count ? gc.count : last.count;
        last.is_known = true;
        return !is_repeated;
    }

    std::uint64_t dropped() const noexcept { return dropped_; }

    /// `visit_row(archive, row)` writes or reads a row.
    template <typename VisitRow>
    void save(Archive& to, VisitRow&& visit_row) {
        std::vector<std::pair<GroupKey, Last>> all(lasts_.begin(), lasts_.end());
        visit(to, all, visit_row);
    }

    /// Calls `show(collection)` for those of which only this shows that they are new.
    template <typename VisitRow, typename Show>
    void stitch(Archive& from, VisitRow&& visit_row, Show&& show) {
        std::vector<std::pair<GroupKey, Last>> all;
        visit(from, all, visit_row);
        for (const auto& [runtime, part] : all) {
            if (part.first && is_new(runtime, *part.first)) {
                show(*part.first);
            }
            Last& mine = of(runtime);
            mine.count = part.count ? part.count : mine.count;
            mine.is_known = true;
        }
    }

private:
    struct Last {
        std::optional<std::uint64_t> count{};
        bool is_known = false;
        std::optional<GcCollection> first{}; // of a part
    };

    Last& of(const GroupKey& runtime) {
        if (lasts_.size() >= limits::analysis_operations) {
            ++dropped_;
            lasts_.clear();
        }
        return lasts_[runtime];
    }

    template <typename VisitRow>
    static void visit(Archive& archive, std::vector<std::pair<GroupKey, Last>>& all,
                      VisitRow&& visit_row) {
        archive.list(all, [&](std::pair<GroupKey, Last>& one) {
            archive.number(one.first[0]);
            archive.number(one.first[1]);
            archive.optional(one.second.count);
            archive.optional(one.second.first, [&](GcCollection& gc) {
                archive.optional(gc.count);
                archive.optional(gc.depth);
                archive.optional(gc.type);
                visit_row(archive, gc.row);
                archive.number(gc.counts);
            });
        });
    }

    std::unordered_map<GroupKey, Last, GroupKeyHash> lasts_; // by runtime
    std::uint64_t dropped_ = 0;
    bool continues_ = false;
};

// etl gc. Layouts of ClrEtwAll.man. docs/analysis.md#gc

namespace {

enum ClrEvent : std::uint16_t {
    gc_start = 1,
    allocation_tick = 10,
    exception = 80,
    contention_start = 81,
    contention_stop = 91,
    method_load = 141,
    method_load_verbose = 143,
};

enum GcValue : std::size_t {
    gcs,
    gen0,
    gen1,
    gen2,
    background,
    pauses,
    pause,
    max_pause,
    suspend,
    allocated,
    jitted,
    exceptions,
    contentions,
    contention,
    gc_values,
};

/// What a source of columns needs to be recorded.
enum GcSource : std::size_t {
    from_gc,
    from_ticks,
    from_methods,
    from_exceptions,
    from_contention,
    gc_sources
};

class Gc final : public Analyzer {
public:
    void subscribe(Subscriptions& subscriptions) override {
        subscriptions.provider(format::dotnet_runtime_guid, 0,
                               {gc_start, GcPauses::suspend_begin, GcPauses::suspend_end,
                                GcPauses::restart_end, allocation_tick, method_load,
                                method_load_verbose, exception, contention_start, contention_stop});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        pauses_.start(context);
        contended_.start(context);
        collections_.start(context);
    }

    void add(const Record& record) override {
        const ClrPayload payload(record.payload);
        switch (record.id) {
        case gc_start:
            add_gc(record, payload);
            break;
        case GcPauses::suspend_begin:
        case GcPauses::suspend_end:
        case GcPauses::restart_end:
            add_suspension(record);
            break;
        case allocation_tick:
            add_allocation(record, payload);
            break;
        case method_load:
        case method_load_verbose:
            add_method(record, payload);
            break;
        case exception:
            add_exception(record, payload);
            break;
        case contention_start:
        case contention_stop:
            add_contention(record, payload);
            break;
        default:
            break;
        }
    }

    Table finish() override {
        const KeyColumn keys[] = {{KeyPart::owner, {}}, {KeyPart::number, "clr_instance"}};
        const Column columns[] = {sum_column("gcs"),
                                  sum_column("gen0_gcs"),
                                  sum_column("gen1_gcs"),
                                  sum_column("gen2_gcs"),
                                  sum_column("background_gcs"),
                                  sum_column("pauses"),
                                  ticks_column("pause_ns"),
                                  ticks_column("max_pause_ns", Adding::maximum),
                                  ticks_column("suspend_ns"),
                                  sum_column("allocated_bytes", Unit::bytes),
                                  sum_column("jitted_methods"),
                                  sum_column("exceptions"),
                                  sum_column("contentions"),
                                  ticks_column("contention_ns")};
        Table table = table_of("gc", groups_, *context().owners, {}, keys, columns);
        table.sort_column = *table.find("pause_ns");
        report_missing(table);
        table.coverage.remainders.push_back(
            {"open_pauses", context().is_part ? 0 : pauses_.open()});
        table.coverage.remainders.push_back(
            {"dropped_operations",
             collections_.dropped() + pauses_.dropped() + contended_.dropped()});
        return table;
    }

    void save(Archive& to) override {
        pauses_.save(to);
        contended_.save(to, visitors());
        collections_.save(to, row_visitor());
    }

    void stitch(Archive& from) override {
        pauses_.stitch(from, [this](const GcPause& pause) { add_pause(pause); });
        contended_.stitch(
            from, visitors(),
            [this](std::int64_t begin, const ContentionEnd& end) { add_contention(begin, end); },
            [](std::int64_t /*begin*/) {});
        collections_.stitch(from, row_visitor(), [this](const GcCollection& gc) { add_gc(gc); });
    }

private:
    struct ContentionEnd {
        std::int64_t time = 0;
        GroupKey row{};
        bool counts = false;
    };

    using Contentions = Pairs<GroupKey, std::int64_t, ContentionEnd, GroupKeyHash>; // by thread

    /// Rows are of a process and a runtime.
    void visit_row(Archive& archive, GroupKey& row) {
        auto owner = static_cast<OwnerRef>(row[0]);
        visit_owner(archive, *context().owners, owner);
        archive.number(row[1]);
        row[0] = owner;
    }

    std::function<void(Archive&, GroupKey&)> row_visitor() {
        return [this](Archive& archive, GroupKey& row) { visit_row(archive, row); };
    }

    static void visit_key(Archive& archive, GroupKey& key) {
        archive.number(key[0]);
        archive.number(key[1]);
    }

    Contentions::Visitors visitors() {
        return {.key = visit_key,
                .begin = [](Archive& archive, std::int64_t& time) { archive.number(time); },
                .end =
                    [this](Archive& archive, ContentionEnd& end) {
                        archive.number(end.time);
                        visit_row(archive, end.row);
                        archive.number(end.counts);
                    }};
    }

    void report_missing(Table& table) const {
        const auto report = [&](GcSource source, std::string_view name,
                                std::vector<std::string_view> columns, std::string_view record) {
            if (!seen_[source]) {
                set_missing(table, name, std::move(columns), record);
            }
        };
        report(from_gc, "garbage collections",
               {"gcs", "gen0_gcs", "gen1_gcs", "gen2_gcs", "background_gcs"}, record_gc);
        if (!pauses_.has_events()) {
            set_missing(table, "suspensions", {"pauses", "pause_ns", "max_pause_ns", "suspend_ns"},
                        record_gc);
        }
        report(from_ticks, "allocation ticks", {"allocated_bytes"},
               "Microsoft-Windows-DotNETRuntime, keyword 0x1 (GC), level verbose");
        report(from_methods, "methods", {"jitted_methods"},
               "Microsoft-Windows-DotNETRuntime, keyword 0x10 (JIT)");
        report(from_exceptions, "exceptions", {"exceptions"},
               "Microsoft-Windows-DotNETRuntime, keyword 0x8000 (exception)");
        report(from_contention, "contention", {"contentions", "contention_ns"},
               "Microsoft-Windows-DotNETRuntime, keyword 0x4000 (contention)");
    }

    GroupKey key_of(const Record& record, std::optional<std::uint64_t> instance) {
        const OwnerRef owner = context().owners->process_now(record.process, record.time);
        return {owner, instance.value_or(no_part), 0};
    }

    /// Whether an event is in range, and of a selected process.
    bool counts(const Record& record, const GroupKey& row) const {
        return record.in_range && (*context().owners)[static_cast<OwnerRef>(row[0])].is_selected;
    }

    /// The row of an event that counts; null: it does not.
    std::uint64_t* row_of(const Record& record, std::optional<std::uint64_t> instance) {
        const GroupKey row = key_of(record, instance);
        return counts(record, row) ? groups_.find(row) : nullptr;
    }

    // v0: Count, Reason; v1: Count, Depth, Reason, Type u32, ClrInstanceID u16
    void add_gc(const Record& record, const ClrPayload& payload) {
        seen_[from_gc] = true;
        const bool is_long = record.version >= 1;
        const auto depth = is_long ? payload.at<std::uint32_t>(4) : std::nullopt;
        const auto type = is_long ? payload.at<std::uint32_t>(12) : std::nullopt;
        const auto instance = is_long ? payload.at<std::uint16_t>(16) : std::nullopt;
        const GroupKey runtime{record.process, instance.value_or(no_part), 0};
        const GroupKey row = key_of(record, instance);
        const GcCollection gc{payload.at<std::uint32_t>(0), depth, type, row, counts(record, row)};
        if (collections_.is_new(runtime, gc)) {
            add_gc(gc);
        }
    }

    void add_gc(const GcCollection& gc) {
        if (!gc.counts) {
            return;
        }
        std::uint64_t* const row = groups_.find(gc.row);
        ++row[gcs];
        if (gc.depth && *gc.depth <= 2) {
            ++row[gen0 + *gc.depth];
        }
        row[background] += gc.type == 1 ? 1U : 0U;
    }

    void add_suspension(const Record& record) {
        if (const auto pause = pauses_.add(record)) {
            add_pause(*pause);
        }
    }

    void add_pause(const GcPause& one) {
        if (!one.end.counts) {
            return;
        }
        std::uint64_t* const row = groups_.find({one.end.owner, one.clr_instance, 0});
        const std::uint64_t time = context().cut(one.begin, one.end.time);
        ++row[pauses];
        row[pause] += time;
        row[max_pause] = std::max(row[max_pause], time);
        row[suspend] += one.suspended ? context().cut(one.begin, *one.suspended) : 0;
    }

    // v0: AllocationAmount, AllocationKind u32; v1: ClrInstanceID u16; v2: AllocationAmount64 u64
    void add_allocation(const Record& record, const ClrPayload& payload) {
        seen_[from_ticks] = true;
        std::uint64_t* const row =
            row_of(record, record.version >= 1 ? payload.at<std::uint16_t>(8) : std::nullopt);
        if (row != nullptr) {
            const auto wide = record.version >= 2 ? payload.at<std::uint64_t>(10) : std::nullopt;
            row[allocated] += wide ? *wide : payload.at<std::uint32_t>(0).value_or(0);
        }
    }

    // MethodID, ModuleID, MethodStartAddress u64, MethodSize, MethodToken, MethodFlags u32;
    // verbose: three texts; v1: ClrInstanceID u16
    void add_method(const Record& record, const ClrPayload& payload) {
        constexpr std::size_t flags_at = 32, fixed = 36;
        constexpr std::uint64_t is_jitted = 8;
        seen_[from_methods] = true;
        if ((payload.at<std::uint32_t>(flags_at).value_or(0) & is_jitted) == 0) {
            return;
        }
        std::size_t end = fixed;
        for (int i = 0; i < 3 && record.id == method_load_verbose; ++i) {
            end = payload.after_text(end);
        }
        std::uint64_t* const row =
            row_of(record, record.version >= 1 ? payload.at<std::uint16_t>(end) : std::nullopt);
        if (row != nullptr) {
            ++row[jitted];
        }
    }

    // v1: type, message, EIP, HRESULT u32, flags u16, ClrInstanceID u16
    void add_exception(const Record& record, const ClrPayload& payload) {
        seen_[from_exceptions] = true;
        std::uint64_t* const row =
            row_of(record, record.version >= 1 ? payload.last16() : std::nullopt);
        if (row != nullptr) {
            ++row[exceptions];
        }
    }

    // v1: Flags u8, ClrInstanceID u16; stop v0 as well
    void add_contention(const Record& record, const ClrPayload& payload) {
        seen_[from_contention] = true;
        const GroupKey key{record.process, record.thread, 0};
        if (record.id == contention_start) {
            contended_.begin(key, record.time);
            return;
        }
        const GroupKey row = key_of(record, payload.at<std::uint16_t>(1));
        const ContentionEnd end{record.time, row, counts(record, row)};
        if (const auto begin = contended_.end(key, [&] { return end; })) {
            add_contention(*begin, end);
        }
    }

    void add_contention(std::int64_t begin, const ContentionEnd& end) {
        if (end.counts) {
            std::uint64_t* const row = groups_.find(end.row);
            ++row[contentions];
            row[contention] += context().cut(begin, end.time);
        }
    }

    Groups groups_{gc_values};
    GcPauses pauses_;
    Contentions contended_;
    GcCollections collections_;
    std::array<bool, gc_sources> seen_{};
};

constexpr auto gc_forms = forms_of(
    gc_table, {
                  {.needs = TableNeeds::processes,
                   .make = make<Gc>,
                   .parts = PartsOf::carried,
                   .state = "gc",
                   .title = ".NET runtime",
                   .events = "provider == Microsoft-Windows-DotNETRuntime && process == {process}",
                   .places = {.report = 90, .brief = 70, .tracerpt = 42}},
              });

} // namespace

constinit const TableKind gc_table{
    .name = "gc",
    .summary = "Print garbage collections, JIT compilation, and exceptions of .NET processes",
    .question = "How long did .NET pause?",
    .examples = R"(  etl gc trace.etl
  etl gc --process kettle --from +1s trace.etl)",
    .is_compared = true,
    .forms = gc_forms,
};

} // namespace etl::analysis
