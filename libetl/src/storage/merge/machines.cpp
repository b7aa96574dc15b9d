#include "merge/machines.hpp"

#include "base/limits.hpp"
#include "flow/merged_inputs.hpp"

#include <algorithm>

namespace etl::merge {

namespace {

/// Within a part of the greater one; numbers that are not told fit all others.
bool are_near(std::uint64_t a, std::uint64_t b, std::uint64_t part) noexcept {
    const auto [less, greater] = std::minmax(a, b);
    return less == 0 || greater - less <= greater / part;
}

std::uint64_t not_negative(std::int64_t value) noexcept {
    return value > 0 ? static_cast<std::uint64_t>(value) : 0;
}

/// One boot of a machine, as long as traces tell of it.
struct Boot {
    const flow::TraceInfo* trace; // the first of its traces
    std::int64_t until;
};

struct Machine {
    std::vector<Boot> boots;
    std::uint32_t processors = 1;
};

std::int64_t end_of(const flow::TraceInfo& trace) noexcept {
    return std::max(trace.header.end_time, trace.header.start_time);
}

bool overlap(const Boot& boot, const flow::TraceInfo& trace) noexcept {
    return boot.trace->header.boot_time < end_of(trace) && trace.header.boot_time < boot.until;
}

/// Adds the trace when it may be of this machine.
bool take(Machine& machine, const flow::TraceInfo& trace) {
    const auto same = std::ranges::find_if(
        machine.boots, [&](const Boot& b) { return is_one_boot(*b.trace, trace); });
    if (!may_be_one_machine(*machine.boots.front().trace, trace)) {
        return false;
    }
    if (same != machine.boots.end()) {
        same->until = std::max(same->until, end_of(trace));
        return true;
    }
    if (std::ranges::any_of(machine.boots, [&](const Boot& b) { return overlap(b, trace); })) {
        return false;
    }
    machine.boots.push_back({&trace, end_of(trace)});
    return true;
}

} // namespace

bool has_one_stream(const flow::TraceInfo& trace) noexcept {
    return (trace.header.log_file_mode & format::log_mode::no_per_processor_buffering) != 0;
}

std::uint32_t processors_of(const flow::TraceInfo& trace) noexcept {
    const std::uint32_t told = trace.header.number_of_processors;
    return std::max({1U, told <= limits::processors ? told : 0U,
                     std::min(trace.processors, limits::processors)});
}

bool are_boots_unknown(const flow::TraceInfo& a, const flow::TraceInfo& b) noexcept {
    return a.header.boot_time <= 0 && b.header.boot_time <= 0;
}

bool is_one_boot(const flow::TraceInfo& a, const flow::TraceInfo& b) noexcept {
    if (are_boots_unknown(a, b)) {
        return a.header.start_time > 0 && a.header.start_time == b.header.start_time &&
               a.reference_time == b.reference_time &&
               a.header.session_name == b.header.session_name;
    }
    const auto [less, greater] = std::minmax(a.header.boot_time, b.header.boot_time);
    return less > 0 && greater - less <= flow::boot_tolerance;
}

bool may_be_one_machine(const flow::TraceInfo& a, const flow::TraceInfo& b) noexcept {
    constexpr std::uint64_t percent = 100;
    const bool same_processors = has_one_stream(a) || has_one_stream(b) ||
                                 a.header.number_of_processors == b.header.number_of_processors;
    return same_processors && are_near(a.header.cpu_speed_mhz, b.header.cpu_speed_mhz, percent) &&
           are_near(not_negative(a.header.perf_freq), not_negative(b.header.perf_freq), percent);
}

ProcessorPlan plan_processors(std::span<const flow::TraceInfo* const> traces) {
    std::vector<Machine> machines;
    std::vector<std::size_t> machine_of;
    for (const flow::TraceInfo* trace : traces) {
        auto machine =
            std::ranges::find_if(machines, [&](Machine& each) { return take(each, *trace); });
        if (machine == machines.end()) {
            machines.push_back({{{trace, end_of(*trace)}}});
            machine = machines.end() - 1;
        }
        machine->processors = std::max(machine->processors, processors_of(*trace));
        machine_of.push_back(static_cast<std::size_t>(machine - machines.begin()));
    }
    ProcessorPlan plan;
    std::vector<ProcessorPlan::Range> ranges;
    for (const Machine& machine : machines) {
        ranges.push_back({plan.processors, machine.processors});
        plan.processors += std::min(machine.processors, UINT32_MAX - plan.processors);
    }
    for (const std::size_t machine : machine_of) {
        plan.ranges.push_back(ranges[machine]);
    }
    return plan;
}

} // namespace etl::merge
