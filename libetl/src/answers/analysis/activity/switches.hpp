// What threads did: runs, waits, and switches as recorded. Private to analysis.
#pragma once

#include "analysis/activity.hpp"
#include "analysis/activity/use_counters.hpp"
#include "analysis/scheduling/scheduling.hpp"

#include <vector>

namespace etl::analysis {

class Switches final : private SchedulingSink {
public:
    Switches(ActivitySink& sink, ActivityThreads& threads, UseCounters& use)
        : sink_(&sink), threads_(&threads), use_(&use) {}

    void subscribe(Subscriptions& subscriptions);

    static bool takes(std::uint32_t tag) noexcept;

    void start(Context& context);
    void add(const Record& record);

    /// Shows the runs that have not ended, at Context::end.
    void finish() { scheduling_.finish(); }

    const Scheduling& scheduling() const noexcept { return scheduling_; }

    std::uint64_t switches() const noexcept { return switches_; }

private:
    void ran(std::uint16_t processor, ThreadRef thread, std::int64_t from,
             std::int64_t to) override;
    void switched(std::uint16_t processor, ThreadRef thread, const Record& record) override;
    void waited(const Wait& wait, const SwitchIn& at) override;

    void was_ready(ThreadRef /*thread*/, std::int64_t /*from*/, const Wait* /*after*/,
                   const SwitchIn& /*at*/) override {}

    void show_switch(const Record& record);
    void show_ready(const Record& record);
    ThreadRow row_of(ThreadRef thread);
    bool is_selected(ThreadRow row) const noexcept;

    ActivitySink* sink_;
    ActivityThreads* threads_;
    UseCounters* use_;
    Context* context_ = nullptr;
    Scheduling scheduling_{*this};
    std::vector<ThreadRow> rows_;        // by ThreadRef; 0: not looked up
    std::vector<std::uint32_t> running_; // thread IDs by processor
    std::uint64_t switches_ = 0;
};

} // namespace etl::analysis
