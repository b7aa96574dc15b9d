#include "merge/correlate.hpp"

#include "merge/machines.hpp"

#include <string_view>

namespace etl::merge {

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
