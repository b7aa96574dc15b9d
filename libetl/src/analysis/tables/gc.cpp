// etl gc. Layouts of ClrEtwAll.man. docs/analysis.md#gc
#include "analysis/group_table.hpp"
#include "analysis/tables/makers.hpp"
#include "analysis/times/gc_pauses.hpp"

#include <algorithm>
#include <utility>

namespace etl::analysis {

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

/// A payload with fields at known places.
class Payload {
public:
    explicit Payload(Bytes bytes) : bytes_(bytes) {}

    template <typename T>
    std::optional<std::uint64_t> at(std::size_t offset) const noexcept {
        return number_at<T>(bytes_, offset);
    }

    /// The last two bytes.
    std::optional<std::uint64_t> last16() const noexcept {
        return bytes_.size() >= 2 ? at<std::uint16_t>(bytes_.size() - 2) : std::nullopt;
    }

    /// The offset of what follows a UTF-16 text.
    std::size_t after_text(std::size_t offset) const noexcept {
        while (const auto unit = at<std::uint16_t>(offset)) {
            offset += 2;
            if (*unit == 0) {
                break;
            }
        }
        return offset;
    }

private:
    Bytes bytes_;
};

class Gc final : public Analyzer {
public:
    void ask(Wishes& wishes) override {
        wishes.provider(format::dotnet_runtime_guid, 0,
                        {gc_start, GcPauses::suspend_begin, GcPauses::suspend_end,
                         GcPauses::restart_end, allocation_tick, method_load, method_load_verbose,
                         exception, contention_start, contention_stop});
    }

    void add(const Record& record) override {
        const Payload payload(record.payload);
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
        table.coverage.remainders.push_back({"dropped_operations", dropped_ + pauses_.dropped()});
        return table;
    }

private:
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

    /// The row of an event in range; null: the process is not selected.
    std::uint64_t* row_of(const Record& record, std::optional<std::uint64_t> instance) {
        const OwnerRef owner = context().owners->process_now(record.process, record.time);
        return record.in_range && (*context().owners)[owner].is_selected
                   ? groups_.find({owner, instance.value_or(no_part), 0})
                   : nullptr;
    }

    /// .NET Framework logs several versions of the same event.
    bool is_repetition(const Record& record, std::optional<std::uint64_t> instance,
                       std::optional<std::uint64_t> count) {
        if (last_counts_.size() >= limits::analysis_operations) {
            ++dropped_;
            last_counts_.clear();
        }
        const auto [last, is_new] = last_counts_.try_emplace(
            {record.process, instance.value_or(no_part), 0}, count.value_or(no_part));
        return !is_new && count && std::exchange(last->second, *count) == *count;
    }

    // v0: Count, Reason; v1: Count, Depth, Reason, Type u32, ClrInstanceID u16
    void add_gc(const Record& record, const Payload& payload) {
        seen_[from_gc] = true;
        const bool is_long = record.version >= 1;
        const auto depth = is_long ? payload.at<std::uint32_t>(4) : std::nullopt;
        const auto type = is_long ? payload.at<std::uint32_t>(12) : std::nullopt;
        const auto instance = is_long ? payload.at<std::uint16_t>(16) : std::nullopt;
        if (is_repetition(record, instance, payload.at<std::uint32_t>(0))) {
            return;
        }
        std::uint64_t* const row = row_of(record, instance);
        if (row != nullptr) {
            ++row[gcs];
            if (depth && *depth <= 2) {
                ++row[gen0 + *depth];
            }
            row[background] += type == 1 ? 1U : 0U;
        }
    }

    void add_suspension(const Record& record) {
        if (const auto pause = pauses_.add(record)) {
            add_pause(row_of(record, pause->clr_instance), *pause);
        }
    }

    void add_pause(std::uint64_t* row, const GcPause& one) const {
        if (row == nullptr) {
            return;
        }
        const std::uint64_t time = context().cut(one.begin, one.end);
        ++row[pauses];
        row[pause] += time;
        row[max_pause] = std::max(row[max_pause], time);
        row[suspend] += one.suspended ? context().cut(one.begin, *one.suspended) : 0;
    }

    // v0: AllocationAmount, AllocationKind u32; v1: ClrInstanceID u16; v2: AllocationAmount64 u64
    void add_allocation(const Record& record, const Payload& payload) {
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
    void add_method(const Record& record, const Payload& payload) {
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
    void add_exception(const Record& record, const Payload& payload) {
        seen_[from_exceptions] = true;
        std::uint64_t* const row =
            row_of(record, record.version >= 1 ? payload.last16() : std::nullopt);
        if (row != nullptr) {
            ++row[exceptions];
        }
    }

    // v1: Flags u8, ClrInstanceID u16; stop v0 as well
    void add_contention(const Record& record, const Payload& payload) {
        seen_[from_contention] = true;
        if (contended_.size() >= limits::analysis_operations) {
            ++dropped_;
            contended_.clear();
        }
        const GroupKey key{record.process, record.thread, 0};
        if (record.id == contention_start) {
            contended_[key] = record.time;
            return;
        }
        const auto begin = contended_.find(key);
        if (begin == contended_.end()) {
            return;
        }
        if (std::uint64_t* const row = row_of(record, payload.at<std::uint16_t>(1))) {
            ++row[contentions];
            row[contention] += context().cut(begin->second, record.time);
        }
        contended_.erase(begin);
    }

    Groups groups_{gc_values};
    GcPauses pauses_;
    std::unordered_map<GroupKey, std::int64_t, GroupKeyHash> contended_;
    std::unordered_map<GroupKey, std::uint64_t, GroupKeyHash> last_counts_; // of collections
    std::array<bool, gc_sources> seen_{};
    std::uint64_t dropped_ = 0;
};

} // namespace

std::unique_ptr<Analyzer> make_gc() {
    return std::make_unique<Gc>();
}

} // namespace etl::analysis
