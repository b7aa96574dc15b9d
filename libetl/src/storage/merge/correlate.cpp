#include "merge/correlate.hpp"

#include "base/limits.hpp"
#include "flow/merged_inputs.hpp"

#include <algorithm>
#include <string_view>

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
    return std::max({1U, told <= etl::limits::processors ? told : 0U,
                     std::min(trace.processors, etl::limits::processors)});
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

namespace {

using flow::TraceInfo;
using format::ClockType;

std::string shown_time(std::int64_t filetime) {
    if (filetime <= 0) {
        return "not recorded";
    }
    std::string text;
    append_rfc3339(text, {filetime});
    return text;
}

std::string with_unit(std::int64_t count, std::string_view unit) {
    return std::to_string(count).append(" ").append(unit);
}

bool differ(std::int64_t a, std::int64_t b) noexcept {
    return a != b;
}

/// What keeps two traces of one boot and one clock apart; null: nothing.
const char* machine_field(const TraceInfo& a, const TraceInfo& b) noexcept {
    if (differ(a.header.provider_version, b.header.provider_version)) {
        return "Windows build";
    }
    if (!has_one_stream(a) && !has_one_stream(b) &&
        differ(a.header.number_of_processors, b.header.number_of_processors)) {
        return "processors";
    }
    if (differ(a.header.perf_freq, b.header.perf_freq)) {
        return "clock frequency";
    }
    const bool counts_cycles = a.header.clock_type() == ClockType::cpu_cycles;
    if (counts_cycles ? differ(a.header.cpu_speed_mhz, b.header.cpu_speed_mhz)
                      : !may_be_one_machine(a, b)) {
        return "CPU speed";
    }
    return nullptr;
}

std::string shown_fact(const TraceInfo& trace, std::string_view field) {
    if (field == "Windows build") {
        return std::to_string(trace.header.provider_version);
    }
    if (field == "processors") {
        return std::to_string(trace.header.number_of_processors);
    }
    if (field == "clock frequency") {
        return with_unit(trace.header.perf_freq, "Hz");
    }
    return with_unit(trace.header.cpu_speed_mhz, "MHz");
}

/// Times of such traces are comparable wherever they were recorded.
bool is_by_wall_time(const TraceInfo& trace) noexcept {
    return trace.header.clock_type() == ClockType::system_time;
}

/// The first mismatch; its field is empty when there is none.
Mismatch compare(const TraceInfo& a, const TraceInfo& b) {
    Mismatch found;
    if (!a.has_header || !b.has_header) {
        found.field = "log file header";
        found.first = a.has_header ? "there" : "none";
        found.other = b.has_header ? "there" : "none";
        return found;
    }
    found.is_other_machine = !may_be_one_machine(a, b);
    if (a.header.clock_type() != b.header.clock_type()) {
        found.field = "clock";
        found.first = name(a.header.clock_type());
        found.other = name(b.header.clock_type());
    } else if (!is_one_boot(a, b) && !(is_by_wall_time(a) && are_boots_unknown(a, b))) {
        found.field = "boot time";
        found.first = shown_time(a.header.boot_time);
        found.other = shown_time(b.header.boot_time);
    } else if (const char* const field = machine_field(a, b)) {
        found.field = field;
        found.first = shown_fact(a, field);
        found.other = shown_fact(b, field);
        found.is_other_machine = true;
    }
    return found;
}

} // namespace

std::vector<Mismatch> correlate(std::span<const TraceInfo* const> traces) {
    std::vector<Mismatch> mismatches;
    for (std::size_t i = 1; i < traces.size(); ++i) {
        Mismatch found = compare(*traces.front(), *traces[i]);
        if (*found.field != '\0') {
            found.input = i;
            mismatches.push_back(std::move(found));
        }
    }
    return mismatches;
}

bool is_same_series(const TraceInfo& a, const TraceInfo& b) {
    constexpr std::uint32_t new_file = format::log_mode::new_file;
    return (a.header.log_file_mode & b.header.log_file_mode & new_file) != 0 &&
           !a.header.session_name.empty() && a.header.session_name == b.header.session_name &&
           *compare(a, b).field == '\0';
}

} // namespace etl::merge
