// Samples and their weights. Private to analysis. docs/analysis.md#cpu
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/frames.hpp"
#include "analysis/groups.hpp"

#include <optional>
#include <utility>

namespace etl::analysis {

// The stacks of events. docs/analysis.md#cpu

/// Processes up to that of the system have no user mode.
inline constexpr std::uint32_t system_process = 4;

/// The parts of a stack; null: not recorded.
struct EventStack {
    const facts::StackPart* kernel = nullptr;
    const facts::StackPart* user = nullptr;
};

/// Returns the first kernel part and the first user part recorded for an event of a thread.
inline EventStack stack_of(const Context& context, std::uint32_t thread, std::int64_t time) {
    EventStack stack;
    const auto all = context.facts->stacks(time);
    for (const facts::StackPart& part :
         all.first(std::min(all.size(), limits::analysis_stack_parts))) {
        const bool is_kernel = part.where == facts::StackPart::Where::kernel;
        const facts::StackPart*& mine = is_kernel ? stack.kernel : stack.user;
        if (part.thread == thread && mine == nullptr &&
            part.where != facts::StackPart::Where::runtime) {
            mine = &part;
        }
    }
    return stack;
}

/// Calls `add(address, where)` for the return addresses of a stack, innermost first: without the
/// first frame if it is the sampled address. Returns whether there is a stack.
template <typename Add>
bool for_each_return_address(const Context& context, const EventStack& stack,
                             std::optional<std::uint64_t> sampled, Add&& add) {
    bool is_first = true;
    for (const facts::StackPart* const part : {stack.kernel, stack.user}) {
        if (part == nullptr) {
            continue;
        }
        for (const std::uint64_t frame : context.facts->frames(*part)) {
            if (!std::exchange(is_first, false) || frame != sampled) {
                add(frame, part->where);
            }
        }
    }
    return !is_first;
}

/// The same for `add(address)` and a sample.
template <typename Add>
bool for_each_return_address(const Context& context, std::uint32_t thread, std::int64_t time,
                             std::uint64_t sampled, Add&& add) {
    return for_each_return_address(
        context, stack_of(context, thread, time), sampled,
        [&](std::uint64_t address, facts::StackPart::Where) { add(address); });
}

inline constexpr std::string_view record_samples = "xperf -on PROFILE, or wpr -start CPU";
inline constexpr std::string_view record_switches = "xperf -on CSWITCH, or wpr -start CPU";
inline constexpr std::string_view record_readies = "xperf -on DISPATCHER, or wpr -start CPU";

class Samples {
public:
    static constexpr std::uint32_t sample_tag = 200, interval_tag = 201, counter_tag = 202;

    /// Before the first record. Until an event sets another interval, the first that any event
    /// states holds; the end of a collection may be the only one that does.
    void start(const Context& context) {
        const auto stated = context.facts->first_sampling_interval();
        is_assumed_ = !stated;
        interval_ = stated.value_or(default_interval);
    }

    enum Field : unsigned { address, thread_id, count, reserved };

    static void subscribe(Subscriptions& subscriptions) {
        subscriptions.hook(0x0F2E, sample_tag,
                           {"InstructionPointer", "ThreadId", "Count", "Reserved"});
        for (std::uint16_t hook = 0x0F48; hook <= 0x0F4A; ++hook) {
            subscriptions.hook(hook, interval_tag, {"Source", "NewInterval"}, Use::context);
        }
        subscriptions.hook(0x0F2F, counter_tag, {}, Use::context); // PmcCounterProf
    }

    static bool takes(std::uint32_t tag) noexcept {
        return tag >= sample_tag && tag <= counter_tag;
    }

    /// Takes a record of one of the tags. Returns whether it is a sample in range.
    bool take(const Record& record) noexcept {
        if (record.tag == interval_tag) {
            set_interval(record);
            return false;
        }
        if (record.tag == counter_tag) {
            counter_samples_ += record.in_range ? 1 : 0;
            return false;
        }
        has_samples_ = true;
        const bool is_idle =
            record.number32(thread_id) == 0 && interrupt_of(record) == Owners::unknown;
        of_assumed_interval_ += record.in_range && is_assumed_ && !is_idle ? 1 : 0;
        return record.in_range;
    }

    /// Whether there was a sample, in range or not.
    bool has_samples() const noexcept { return has_samples_; }

    /// Returns the sampling interval in nanoseconds.
    std::uint64_t interval_ns() const noexcept { return interval_ * unit; }

    /// Returns the weight of a sample in nanoseconds.
    std::uint64_t weight(const Record& record) const noexcept {
        return record.number(count) * interval_ns();
    }

    /// In finish(): adds that there are no samples, for columns of the table; those whose interval
    /// is assumed; and those of hardware counters, which are in no table of time.
    void report(Table& table, std::vector<std::string_view> columns) const {
        report_time(table, std::move(columns), "samples");
        report_counters(table);
    }

    /// The same without those of hardware counters. `source`: what is missing if there are none.
    void report_time(Table& table, std::vector<std::string_view> columns,
                     std::string_view source) const {
        if (!has_samples_) {
            set_missing(table, source, std::move(columns), record_samples);
        }
        table.coverage.remainders.push_back({"samples_of_assumed_interval", of_assumed_interval_});
    }

    /// The same for tables whose values do not depend on the interval.
    void report_counts(Table& table, std::vector<std::string_view> columns) const {
        if (!has_samples_) {
            set_missing(table, "samples", std::move(columns), record_samples);
        }
        report_counters(table);
    }

    /// Returns the special owner of a sample in a DPC or an ISR, otherwise Owners::unknown.
    static OwnerRef interrupt_of(const Record& record) noexcept {
        const std::uint64_t flags = record.number(reserved);
        return (flags & 2U) != 0 ? Owners::isr : (flags & 1U) != 0 ? Owners::dpc : Owners::unknown;
    }

    /// Whose a sample is.
    struct Source {
        OwnerRef owner = Owners::unknown;     // the process of the thread
        OwnerRef interrupt = Owners::unknown; // as interrupt_of()
        StackReader::Place place{};

        bool is_interrupt() const noexcept { return interrupt != Owners::unknown; }
    };

    /// Returns nothing if no program ran, or one that is not selected.
    static std::optional<Source> source_of(const Record& record, Owners& owners) {
        const std::uint32_t thread = record.number32(thread_id);
        Source source{.interrupt = interrupt_of(record)};
        if (thread == 0 && !source.is_interrupt()) {
            return std::nullopt; // Idle
        }
        source.owner = owners.of_thread_id(thread, record.time);
        const Owner& owner = owners[source.owner];
        if (owners.is_selective() && !owner.is_selected) {
            return std::nullopt;
        }
        const std::uint32_t process = owner.pid.value_or(0);
        source.place = {.process = process,
                        .thread = thread,
                        .time = record.time,
                        .sampled = record.number(address),
                        .has_user_mode = !source.is_interrupt() && process > system_process};
        return source;
    }

private:
    void report_counters(Table& table) const {
        table.coverage.remainders.push_back({"counter_samples", counter_samples_});
    }

    void set_interval(const Record& record) noexcept {
        constexpr unsigned source = 0, new_interval = 1;
        if (record.has(source) && record.number(source) == 0 && record.number(new_interval) != 0) {
            interval_ = record.number(new_interval);
        }
    }

    static constexpr std::uint64_t unit = 100; // ns
    static constexpr std::uint64_t default_interval = 10'000;

    bool has_samples_ = false;
    bool is_assumed_ = false; // no event states the interval
    std::uint64_t interval_ = default_interval;
    std::uint64_t of_assumed_interval_ = 0; // samples in range, not of Idle
    std::uint64_t counter_samples_ = 0;
};

} // namespace etl::analysis
