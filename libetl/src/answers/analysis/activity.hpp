// What happened on a machine, one thing after the other, for the formats of profilers. Not
// thread-safe. docs/profilers.md
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/frames.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace etl::analysis {

/// Index of a thread in ActivityThreads.
using ThreadRow = std::uint32_t;

/// A row of `etl cpu --by thread`: uses of a thread ID in one process.
struct ActivityThread {
    OwnerRef owner = Owners::unknown;
    std::optional<std::uint32_t> id; // none: DPC, ISR
    std::string name;                // UTF-8; empty: not recorded so far
};

/// The threads so far, at most limits::analysis_threads; row 0 is for all others.
class ActivityThreads {
public:
    ActivityThreads();

    ThreadRow row_of(OwnerRef owner, std::optional<std::uint32_t> id);

    void set_name(ThreadRow row, std::string name) { all_[row].name = std::move(name); }

    const ActivityThread& operator[](ThreadRow row) const noexcept { return all_[row]; }

    std::size_t size() const noexcept { return all_.size(); }

    /// Uses of row 0 for a thread.
    std::uint64_t dropped() const noexcept { return dropped_; }

private:
    std::vector<ActivityThread> all_;
    std::unordered_map<std::uint64_t, ThreadRow> by_id_;
    std::uint64_t dropped_ = 0;
};

/// What a hardware counter counts. Sources beyond limits::analysis_counter_sources are one.
struct CounterSource {
    std::string name; // UTF-8; as in docs/analysis.md#counters
    /// Samples stand for events of the counter; false: the interval is not recorded, and they are
    /// counted.
    bool counts_events = false;
};

/// What the events refer to. Valid until the pass is over.
struct ActivityContext {
    const Context* pass = nullptr;
    const Frames* frames = nullptr;
    const ActivityThreads* threads = nullptr;
    const std::vector<CounterSource>* sources = nullptr; // of samples so far

    /// Nanoseconds from the beginning of the range to a raw time; 0 if it is earlier.
    std::uint64_t since_begin(std::int64_t time) const noexcept {
        return nanoseconds_of(pass->cut(pass->begin, time), pass->trace->clock.frequency());
    }

    const Owner& owner_of(const ActivityThread& thread) const noexcept {
        return (*pass->owners)[thread.owner];
    }
};

/// A sample of a processor, in no idle thread. Valid during the call.
struct ThreadSample {
    std::int64_t time = 0; // raw
    ThreadRow thread = 0;
    std::uint16_t processor = 0;
    std::uint64_t weight_ns = 0;   // as in docs/analysis.md#cpu
    std::uint64_t interval_ns = 0; // between two samples
    Stack stack;                   // innermost first; not empty
};

/// A sample of a hardware counter, in no idle thread. It is no time. Valid during the call.
struct CounterSample {
    std::int64_t time = 0; // raw
    ThreadRow thread = 0;
    std::uint16_t processor = 0;
    std::uint32_t source = 0; // index in ActivityContext::sources
    std::uint64_t weight = 0; // events, or 1
    Stack stack;              // innermost first; not empty
};

/// A thread ran on a processor, by context switches. Not of the idle thread.
struct ThreadRun {
    std::int64_t from = 0, to = 0; // raw
    ThreadRow thread = 0;
    std::uint16_t processor = 0;
};

/// A wait ended, and the thread ran. Valid during the call.
struct ThreadWait {
    std::int64_t from = 0, to = 0; // raw; `to`: readied, or switched in
    ThreadRow thread = 0;
    std::string_view reason;        // name of OldThreadWaitReason, or empty: unknown
    std::optional<ThreadRow> waker; // none: unknown
    bool by_dpc = false;            // readied in a DPC
};

/// A context switch as recorded: Thread CSwitch. Fields that its version does not have are 0.
struct ThreadSwitch {
    std::int64_t time = 0; // raw
    std::uint32_t to = 0, from = 0;
    std::int8_t to_priority = 0, from_priority = 0;
    std::uint8_t c_state = 0, wait_reason = 0, wait_mode = 0, state = 0;
    std::uint8_t ideal_processor = 0;
    std::uint32_t wait_time = 0;
    std::uint16_t processor = 0;
};

/// A thread became ready: Thread ReadyThread.
struct ThreadReady {
    std::int64_t time = 0; // raw
    std::uint32_t thread = 0, by = flow::no_id;
    std::uint8_t adjust_reason = 0, flag = 0;
    std::int8_t adjust_increment = 0;
    std::uint16_t processor = 0;
};

/// A record of file or disk I/O as logged. Valid during the call.
struct IoRecord {
    /// The classes of FileIo, and reads and writes of DiskIo. `numbers` are their fields except the
    /// text, in the order of version 3: TTID before CreateOptions, after FileKey and ExtraInfo.
    enum class Kind : std::uint8_t {
        create,     // FileIo_Create; text: OpenPath
        directory,  // FileIo_DirEnum; text: FileName
        info,       // FileIo_Info
        read_write, // FileIo_ReadWrite
        simple,     // FileIo_SimpleOp
        end,        // FileIo_OpEnd
        path,       // FileIo_PathOperation; text: FileName
        disk,       // DiskIo_TypeGroup1 without Reserved
    };
    static constexpr std::size_t max_numbers = 8;

    static constexpr std::size_t numbers_of(Kind kind) noexcept {
        constexpr std::size_t numbers[] = {6, 7, 6, 7, 4, 3, 6, 8};
        return numbers[static_cast<std::size_t>(kind)];
    }

    static constexpr bool has_text(Kind kind) noexcept {
        return kind == Kind::create || kind == Kind::directory || kind == Kind::path;
    }

    Kind kind = Kind::simple;
    std::int64_t time = 0;              // raw
    std::uint32_t thread = flow::no_id; // that logged it
    std::uint16_t processor = 0;
    std::uint8_t opcode = 0;
    std::span<const std::uint64_t> numbers; // numbers_of(kind); 0: not in this version
    std::string_view text;                  // UTF-8
};

/// An interval with a name: of a processor, otherwise of a thread. Valid during the call.
struct Slice {
    std::int64_t from = 0, to = 0; // raw
    ThreadRow thread = 0;
    std::optional<std::uint16_t> processor;
    std::string_view category, name; // UTF-8
    /// No other nested slice of the thread begins or ends inside it and is not contained in it.
    bool is_nested = false;
};

/// A point in time with a name. Valid during the call.
struct Mark {
    std::int64_t time = 0; // raw
    ThreadRow thread = 0;
    std::string_view category, name; // UTF-8
};

/// A value that changes over time. Valid during the call.
struct CounterValue {
    std::int64_t time = 0;            // raw
    OwnerRef owner = Owners::unknown; // process; unknown: the machine
    std::string_view name;            // static
    std::uint64_t value = 0;
};

/// Receives what happened: samples, switches, marks, and counters in time order, intervals when
/// they end.
class ActivitySink {
public:
    ActivitySink() = default;
    ActivitySink(const ActivitySink&) = delete;
    ActivitySink& operator=(const ActivitySink&) = delete;
    virtual ~ActivitySink() = default;

    /// Called once, before anything else.
    virtual void start(const ActivityContext& context) = 0;

    virtual void sample(const ThreadSample& sample) = 0;

    virtual void counter_sample(const CounterSample& /*sample*/) {}

    /// Whether the following functions are called.
    virtual bool takes_samples_only() const noexcept { return true; }

    virtual void ran(const ThreadRun& /*run*/) {}

    virtual void waited(const ThreadWait& /*wait*/) {}

    virtual void switched(const ThreadSwitch& /*one*/) {}

    virtual void readied(const ThreadReady& /*one*/) {}

    virtual void io(const IoRecord& /*one*/) {}

    virtual void slice(const Slice& /*slice*/) {}

    virtual void mark(const Mark& /*mark*/) {}

    virtual void counter(const CounterValue& /*value*/) {}

    /// Called once, after everything else; Context::end is known.
    virtual void finish() = 0;
};

/// Shows what happened in the range to a sink, which must outlive it. The table has one row:
/// `samples`, `sampled_ns`, as the total of `etl cpu --by function`, `counter_samples`, as that of
/// the table `counters`, and `switches`, `slices`, `marks`, and `counters`, if the sink takes them.
/// Requires facts of Scope::everything.
std::unique_ptr<Analyzer> make_activity(ActivitySink& sink);

} // namespace etl::analysis
