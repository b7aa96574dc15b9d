// etl waits. docs/analysis.md#waits
#include "analysis/groups.hpp"
#include "analysis/samples.hpp"
#include "analysis/scheduling/scheduling.hpp"
#include "analysis/table_list.hpp"
#include "format/thread_states.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

enum class WaitsBy : std::uint8_t { process, thread, reason, waker };

class Waits final : public Analyzer, private SchedulingSink {
public:
    explicit Waits(WaitsBy by) : by_(by) {}

    void subscribe(Subscriptions& subscriptions) override { scheduling_.subscribe(subscriptions); }

    void start(Context& context) override {
        Analyzer::start(context);
        scheduling_.start(context);
    }

    void add(const Record& /*record*/) override {}

    Table finish() override {
        scheduling_.finish();
        const Column columns[] = {sum_column("waits"),
                                  ticks_column("wait_ns"),
                                  ticks_column("max_wait_ns", Adding::maximum),
                                  sum_column("readies"),
                                  ticks_column("ready_ns"),
                                  ticks_column("max_ready_ns", Adding::maximum)};
        Table table = table_of("waits", groups_, *context().owners, texts_, keys(), columns);
        table.sort_column = *table.find("wait_ns");
        if (!scheduling_.has_switches()) {
            set_missing(table, "context switches", {"waits", "wait_ns", "max_wait_ns"},
                        record_switches);
        }
        if (!scheduling_.has_readies() || !scheduling_.has_switches()) {
            set_missing(table, "ReadyThread", {"readies", "ready_ns", "max_ready_ns"},
                        record_readies);
        }
        table.coverage.remainders.push_back({"dropped_switches", scheduling_.dropped()});
        return table;
    }

    void save(Archive& to) override { scheduling_.save(to); }

    void stitch(Archive& from) override { scheduling_.stitch(from); }

private:
    enum Value : std::size_t { waits, wait, max_wait, readies, ready, max_ready, values };

    std::vector<KeyColumn> keys() const {
        switch (by_) {
        case WaitsBy::process:
            return {{KeyPart::owner, {}}};
        case WaitsBy::thread:
            return {{KeyPart::owner, {}}, {KeyPart::number, "tid"}};
        case WaitsBy::reason:
            return {{KeyPart::text, "reason"}};
        case WaitsBy::waker:
            return {{KeyPart::waker, {}}};
        }
        return {};
    }

    void ran(std::uint16_t /*processor*/, ThreadRef /*thread*/, std::int64_t /*from*/,
             std::int64_t /*to*/) override {}

    void switched(std::uint16_t /*processor*/, ThreadRef /*thread*/,
                  const Record& /*record*/) override {}

    /// `by` null: not a wait. Null: the thread is not selected, or the table has no such row.
    std::uint64_t* row_of(ThreadRef thread, const Wait* by) {
        Owners& owners = *context().owners;
        const OwnerRef owner = owners.owner_of(thread);
        if (!owners[owner].is_selected) {
            return nullptr;
        }
        switch (by_) {
        case WaitsBy::process:
            return groups_.find({owner, 0, 0});
        case WaitsBy::thread:
            return groups_.find({owner, owners.id_of(thread), 0});
        case WaitsBy::reason:
            return by == nullptr ? nullptr : groups_.find({reason_of(by->reason), 0, 0});
        case WaitsBy::waker:
            return by == nullptr ? nullptr : groups_.find({waker_of(*by), 0, 0});
        }
        return nullptr;
    }

    std::uint64_t reason_of(std::uint8_t reason) {
        const std::string_view name = format::wait_reason_name(reason);
        return name.empty() ? texts_.number_of(std::to_string(reason)) : texts_.number_of(name);
    }

    OwnerRef waker_of(const Wait& one) {
        return one.by_dpc  ? Owners::dpc
               : one.waker ? context().owners->owner_of(*one.waker)
                           : Owners::unknown;
    }

    void waited(const Wait& one, const SwitchIn& at) override {
        std::uint64_t* const row = at.in_range ? row_of(one.thread, &one) : nullptr;
        if (row != nullptr) {
            const std::uint64_t time = context().cut(one.from, one.to);
            ++row[waits];
            row[wait] += time;
            row[max_wait] = std::max(row[max_wait], time);
        }
    }

    void was_ready(ThreadRef thread, std::int64_t from, const Wait* after,
                   const SwitchIn& at) override {
        std::uint64_t* const row = at.in_range ? row_of(thread, after) : nullptr;
        if (row != nullptr) {
            const std::uint64_t time = context().cut(from, at.time);
            ++row[readies];
            row[ready] += time;
            row[max_ready] = std::max(row[max_ready], time);
        }
    }

    WaitsBy by_;
    Scheduling scheduling_{*this};
    Groups groups_{values};
    Texts texts_;
};

constexpr std::string_view waits_sums[] = {"waits", "readies"};

constexpr auto waits_forms =
    forms_of(waits_table,
             {
                 {.by = "process",
                  .needs = TableNeeds::processes,
                  .make = make<Waits, WaitsBy::process>,
                  .parts = PartsOf::carried,
                  .state = "scheduling",
                  .kept_as = "thread",
                  .window_sums = waits_sums,
                  .title = "Waits by process",
                  .events = "event in (Thread/CSwitch, Thread/ReadyThread) && process == {process}",
                  .places = {.report = 40, .brief = 30, .tracerpt = 40}},
                 {.by = "thread",
                  .needs = TableNeeds::processes,
                  .make = make<Waits, WaitsBy::thread>,
                  .parts = PartsOf::carried,
                  .state = "scheduling",
                  .kept_as = "thread"},
                 {.by = "reason",
                  .needs = TableNeeds::processes,
                  .make = make<Waits, WaitsBy::reason>,
                  .parts = PartsOf::carried,
                  .state = "scheduling",
                  .window_sums = waits_sums,
                  .title = "Waits by reason",
                  .events = "event == Thread/CSwitch",
                  .places = {.report = 41}},
                 {.by = "waker",
                  .needs = TableNeeds::processes,
                  .make = make<Waits, WaitsBy::waker>,
                  .parts = PartsOf::carried,
                  .state = "scheduling"},
             });

} // namespace

constinit const TableKind waits_table{
    .name = "waits",
    .summary = "Print what threads waited for, and how long",
    .question = "Why does a thread not run?",
    .examples = R"(  etl waits trace.etl
  etl waits --by reason --process kettle trace.etl
  etl waits --by waker --format jsonl trace.etl)",
    .is_compared = true,
    .forms = waits_forms,
};

} // namespace etl::analysis
