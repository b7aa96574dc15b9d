// The lines before the first event.
#include "base/text.hpp"
#include "dumper/cells/clean_text.hpp"
#include "dumper/survey.hpp"

#include <algorithm>

namespace etl::dumper {

namespace {

std::string version_of(const flow::TraceInfo& trace) {
    std::string text;
    append_decimal(text, trace.header.major_version);
    text.push_back('.');
    append_decimal(text, trace.header.minor_version);
    text.push_back('.');
    append_decimal(text, trace.header.provider_version);
    return text;
}

std::string names_of(std::span<const flow::TraceInfo* const> traces) {
    std::string names;
    for (const flow::TraceInfo* trace : traces) {
        names += names.empty() ? "" : "; ";
        append_cell_text(names, trace->name);
    }
    return names;
}

/// Sums of the headers.
struct Totals {
    std::uint64_t size = 0, events_lost = 0, buffers_lost = 0;
    std::int64_t end = 0; // FILETIME
};

Totals totals_of(std::span<const flow::TraceInfo* const> traces, const Survey::State& survey) {
    Totals totals;
    for (const flow::TraceInfo* trace : traces) {
        totals.size += trace->file_size;
        totals.events_lost += trace->header.events_lost;
        totals.buffers_lost += trace->header.buffers_lost;
        const auto last = survey.last_events.find(trace->file);
        const std::int64_t end = trace->header.end_time != 0 ? trace->header.end_time
                                 : last != survey.last_events.end()
                                     ? trace->clock.to_filetime(last->second).ticks
                                     : survey.options.start.ticks;
        totals.end = std::max(totals.end, end);
    }
    return totals;
}

void append_trace_line(std::string& to, std::span<const flow::TraceInfo* const> traces,
                       const Survey::State& survey) {
    const Totals totals = totals_of(traces, survey);
    const std::int64_t start = survey.options.start.ticks;
    constexpr std::uint64_t kilobyte = 1024;
    to.append("OS Version: ").append(version_of(*traces.front())).append(", Trace Size: ");
    append_decimal(to, totals.size / kilobyte);
    to.append("KB, Events Lost: ");
    append_decimal(to, totals.events_lost);
    to.append(", Buffers lost: ");
    append_decimal(to, totals.buffers_lost);
    to.append(", Trace Start: ");
    append_decimal(to, start);
    to.append(", Trace Length: ");
    append_decimal(to, std::max<std::int64_t>(totals.end - start, 0) / Filetime::per_second);
    to.append(" sec, PointerSize: ");
    append_decimal(to, traces.front()->header.pointer_size);
    to.append(", Trace Name: ").append(names_of(traces)).append("\n");
}

} // namespace

std::vector<std::string> counter_columns(const Survey::State& survey) {
    std::vector<std::string> names = survey.counter_names;
    names.resize(survey.counters);
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty()) {
            names[i] = "Counter";
            append_decimal(names[i], i + 1);
        }
    }
    return names;
}

/// Time since the start at which events of all processors are there. A sequential trace has them
/// from the start; of context switches, the first one of each processor says what ran before.
std::int64_t Survey::State::first_reliable(const flow::TraceInfo& trace, bool is_switch) const {
    constexpr std::uint32_t overwriting = format::log_mode::circular | format::log_mode::buffering;
    std::int64_t reliable = 0;
    if (!is_switch && (trace.header.log_file_mode & overwriting) == 0) {
        return reliable;
    }
    for (const auto& [key, raw] : is_switch ? first_switches : first_events) {
        if (key.first == trace.file) {
            const std::int64_t since = trace.clock.to_filetime(raw).ticks - options.start.ticks;
            reliable = std::max(reliable, since / per_microsecond);
        }
    }
    return reliable;
}

void Survey::State::append_schemas(std::string& to, bool is_64_bit) const {
    const auto all = kinds();
    const auto append_kind = [&](std::size_t i) {
        if (known[i]) {
            to.append(schema_of(all[i], shown[i], is_64_bit)).push_back('\n');
        }
    };
    for (std::size_t i = 0; i < first_known; ++i) {
        append_kind(i);
    }
    to.append("FirstReliableEventTimeStamp,  TimeStamp\n"
              "FirstReliableCSwitchEventTimeStamp,  TimeStamp\n");
    for (std::size_t i = first_known; i < all.size(); ++i) {
        append_kind(i);
    }
    if (counters > 0) {
        append_name(to, "Pmc");
        to.append(",  TimeStamp,   ThreadID");
        for (const std::string& name : counter_columns(*this)) {
            to.append(", ").append(name);
        }
        to.push_back('\n');
    }
    if (has_stacks) {
        append_name(to, "Stack");
        to.append(",  TimeStamp,   ThreadID");
        if (!options.joins_stacks) {
            constexpr std::size_t wide = 18, narrow = 10;
            to.append(", No., ");
            append_padded(to, "Address", is_64_bit ? wide : narrow);
        }
        to.append(",            Image!Function\n");
    }
    for (const auto& [name, columns] : others) {
        append_name(to, name);
        to.append(columns).push_back('\n');
    }
}

std::string Survey::head(std::span<const flow::TraceInfo* const> traces) const {
    std::string head = "BeginHeader\n";
    const bool is_64_bit = traces.empty() || traces.front()->header_pointer_size == 8;
    state_->append_schemas(head, is_64_bit);
    head += "EndHeader\n";
    if (traces.empty()) {
        return head;
    }
    append_trace_line(head, traces, *state_);
    std::int64_t events = 0, switches = 0;
    for (const flow::TraceInfo* trace : traces) {
        events = std::max(events, state_->first_reliable(*trace, false));
        switches = std::max(switches, state_->first_reliable(*trace, true));
    }
    head += "FirstReliableEventTimeStamp, ";
    append_decimal(head, events);
    head += "\nFirstReliableCSwitchEventTimeStamp, ";
    append_decimal(head, switches);
    head += '\n';
    return head;
}

} // namespace etl::dumper
