// What threads did, by context switches and ReadyThread. Private to analysis.
// docs/analysis.md#waits
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/parts/archive.hpp"
#include "base/interval.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::analysis {

// Kinds and durations of interrupts: DPCs and ISRs.
// docs/analysis.md#interrupts

struct InterruptKind {
    std::uint16_t hook;
    std::string_view name;
};

inline constexpr InterruptKind interrupt_kinds[] = {{0x0F44, "dpc"},          {0x0F45, "timer_dpc"},
                                                    {0x0F42, "threaded_dpc"}, {0x0F43, "isr"},
                                                    {0x0F32, "isr_msi"},      {0x0F5F, "isr_pass"}};

inline constexpr std::string_view record_interrupts = "xperf -on DPC+INTERRUPT, or wpr -start CPU";

/// Returns whether the event contains the time at which its interrupt began, not after its end.
/// `field` is the number of InitialTime in the subscription.
inline bool has_begin(const Record& record, unsigned field) noexcept {
    return record.has(field) && static_cast<std::int64_t>(record.number(field)) <= record.time;
}

/// Returns the interval of an interrupt; its duration is 0 without has_begin().
inline Interval interval_of(const Record& record, unsigned field) noexcept {
    return {has_begin(record, field) ? static_cast<std::int64_t>(record.number(field))
                                     : record.time,
            record.time};
}

/// Receives what a Scheduling finds. Times are raw and not cut to the range.
class SchedulingSink {
public:
    SchedulingSink() = default;
    SchedulingSink(const SchedulingSink&) = delete;
    SchedulingSink& operator=(const SchedulingSink&) = delete;
    virtual ~SchedulingSink() = default;

    /// A thread ran on a processor.
    virtual void ran(std::uint16_t processor, ThreadRef thread, std::int64_t from,
                     std::int64_t to) = 0;

    /// The same up to the end: it still runs.
    virtual void still_ran(std::uint16_t processor, ThreadRef thread, std::int64_t from,
                           std::int64_t to) {
        ran(processor, thread, from, to);
    }

    /// A processor switched to a thread.
    virtual void switched(std::uint16_t processor, ThreadRef thread, const Record& record) = 0;

    struct Wait {
        ThreadRef thread = 0; // as it was switched in
        std::uint8_t reason = 0;
        bool by_dpc = false;              // readied in a DPC
        std::optional<ThreadRef> waker{}; // thread that readied it
        std::int64_t from = 0, to = 0;
    };

    /// The switch to a thread.
    using SwitchIn = IntervalEnd;

    /// A wait ended; in range if the switch is.
    virtual void waited(const Wait& /*wait*/, const SwitchIn& /*at*/) {}

    /// A thread was ready from `from` to the switch; `after` null: not after a wait.
    virtual void was_ready(ThreadRef thread, std::int64_t from, const Wait* after,
                           const SwitchIn& at) = 0;

    /// What a thread that has not been switched in again does.
    struct OpenState {
        std::uint32_t thread = 0; // ID
        std::uint8_t reason = 0;  // of the wait
        /// When it began to wait, and when it became ready; none: it did not.
        std::optional<std::int64_t> waits_since{}, ready_since{};
        bool by_dpc = false; // as in Wait, of one that became ready
        std::optional<ThreadRef> waker{};
    };

    /// In show_open().
    virtual void still(const OpenState& /*state*/) {}

    /// What a thread did when it ended, or when another one with its ID began. It is no wait that
    /// ended.
    virtual void ended(const OpenState& /*state*/, std::int64_t /*time*/) {}
};

/// One for each table; the tables of a pass share the first of those that are alike.
class Scheduling final : public SharedReceiver {
public:
    /// `excludes_interrupts`: threads do not run during DPCs and ISRs.
    explicit Scheduling(SchedulingSink& sink, bool excludes_interrupts = false)
        : sinks_{&sink}, excludes_interrupts_(excludes_interrupts) {}

    /// Tags of the subscriptions.
    static constexpr std::uint32_t switch_tag = 100, ready_tag = 101, interrupt_tag = 102,
                                   start_tag = 103, end_tag = 104;

    /// Whether it receives its records itself, and can share them, or the analyzer chooses those
    /// that it adds.
    enum class Records : bool { shared, from_analyzer };

    void subscribe(Subscriptions& subscriptions, Records records = Records::shared);

    std::string_view what() const noexcept override {
        return excludes_interrupts_ ? "scheduling without interrupts" : "scheduling";
    }

    void serve(SharedReceiver& other) override;

    void start(Context& context) { context_ = &context; }

    void add(const Record& record) override;

    /// Ends the open intervals, at Context::end; not those of a part. Those of all tables that
    /// share, once: the others find them ended. With Context::is_cut, they go on from there.
    void finish();

    /// Ends what processors run, at a time. Of all tables that share.
    void end_running(std::int64_t end);

    /// Ends them, and lets them go on from there.
    void cut_running(std::int64_t at);

    /// Shows the threads that wait or are ready, in this table.
    void show_open();

    /// As those of Analyzer.
    void save(Archive& to);
    void stitch(Archive& from);

    bool has_switches() const noexcept { return leader_->has_switches_; }

    bool has_readies() const noexcept { return leader_->has_readies_; }

    /// Processors on which a context switch was recorded.
    std::size_t processors() const noexcept { return leader_->seen_processors_; }

    std::uint64_t dropped() const noexcept { return leader_->dropped_; }

    /// Ticks of DPCs and ISRs in range that were left out of known intervals.
    std::uint64_t excluded() const noexcept { return leader_->excluded_; }

    /// Adds what was left out, or could not be.
    void report_excluded(Coverage& coverage) const;

private:
    /// `untouched`: no event was about the thread; of a part: as in the part before it.
    enum class State : std::uint8_t { untouched, unknown, running, waiting, ready };

    struct Thread {
        std::int64_t since = 0;
        std::int64_t readied = 0;
        ThreadRef waker = 0;
        State state = State::untouched;
        std::uint8_t reason = 0;
        bool is_readied = false;
        bool by_dpc = false;
        bool has_waker = false;
        /// The waker is what this processor ran in the part before.
        std::optional<std::uint16_t> waker_of{};
    };

    struct Processor {
        std::int64_t since = 0;
        std::uint32_t thread_id = 0;
        ThreadRef thread = 0;
        bool is_known = false;
        std::vector<Interval> interrupts{}; // that ended since then, none inside of another
    };

    /// A switch to a thread whose wait, or its waker, is in an earlier part.
    struct ThreadEdge {
        std::uint32_t id = 0;
        ThreadRef ref = 0;
        Thread thread;
        SchedulingSink::SwitchIn at;
    };

    /// The first switch of a processor.
    struct ProcessorEdge {
        std::uint16_t number = 0;
        std::uint32_t from = 0; // thread ID
        std::int64_t time = 0;
    };

    /// What a part has at its edges.
    struct Edges {
        bool has_switches = false, has_readies = false;
        std::vector<ThreadEdge> switches;
        std::vector<ThreadEdge> threads; // at the end
        std::vector<ProcessorEdge> first;
        std::vector<std::pair<std::uint16_t, Processor>> processors; // at the end
    };

    /// Calls `call` for the sink of each table.
    template <typename Call>
    void show(Call&& call) const {
        for (SchedulingSink* const sink : sinks_) {
            call(*sink);
        }
    }

    void visit(Archive& archive, Edges& edges);
    void visit(Archive& archive, Thread& thread);
    void visit(Archive& archive, ThreadEdge& edge);
    bool depends_on_earlier(const Thread& thread) const noexcept;
    void keep(const SchedulingSink::SwitchIn& at, std::uint32_t id, ThreadRef ref,
              const Thread& thread);
    void take_over(ThreadEdge& edge);
    void stitch_threads(Edges& edges);
    void stitch_processors(const Edges& edges);
    void find_waker(Thread& thread) const;
    static void be_readied(Thread& thread, const Thread& by);

    Thread& state_of(std::uint32_t id);
    void add_switch(const Record& record);
    void switch_out(const Record& record, std::uint32_t id);
    void switch_in(const SchedulingSink::SwitchIn& at, std::uint32_t id, ThreadRef thread);
    void add_ready(const Record& record);
    void add_end(const Record& record);
    static std::optional<SchedulingSink::OpenState> open_state(std::uint32_t id,
                                                               const Thread& thread);
    void add_interrupt(const Record& record);
    Processor* processor_of(std::uint16_t number);
    void pass_on(std::uint16_t number, Processor& processor, std::int64_t end, std::size_t most,
                 bool is_open = false);

    Scheduling* leader_ = this;          // the one that receives; only that has what follows
    std::vector<SchedulingSink*> sinks_; // the first one is its own
    Context* context_ = nullptr;
    std::vector<Processor> processors_;
    std::vector<Thread> small_; // by thread ID
    std::unordered_map<std::uint32_t, Thread> large_;
    Thread ignored_; // of threads beyond the limit
    Edges edges_;    // those that are found on the way
    std::size_t seen_processors_ = 0;
    std::uint64_t dropped_ = 0;
    std::uint64_t excluded_ = 0;
    bool excludes_interrupts_;
    bool has_switches_ = false, has_readies_ = false, has_interrupts_ = false;
    bool is_finished_ = false;
};

} // namespace etl::analysis
