#include "verbs/tracerpt/summary.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace cli {

namespace {

constexpr std::size_t box_width = 87; // between the corners

std::string boxed(const std::string& row) {
    const std::size_t size = std::min(row.size(), box_width);
    return "|" + row + std::string(box_width - size, ' ') + "|\n";
}

} // namespace

std::uint64_t InputTotals::elapsed_seconds() const noexcept {
    return begin && end
               ? static_cast<std::uint64_t>((end->ticks - begin->ticks) / etl::Filetime::per_second)
               : 0;
}

InputTotals totals_of(const Traces& traces, const EventCounts& counts) {
    InputTotals totals;
    for (const auto& reader : traces.readers()) {
        const etl::flow::TraceInfo& trace = reader->info();
        totals.files.push_back(printable(trace.name));
        totals.buffers += trace.buffers;
        totals.lost_events += trace.header.events_lost;
    }
    totals.events = counts.events();
    if (const auto& times = counts.times()) {
        totals.begin = times->first;
        totals.end = times->second;
    }
    return totals;
}

std::string time_text(etl::Filetime time, int utc_offset_minutes) {
    const int size = std::abs(utc_offset_minutes);
    const std::string zone = utc_offset_minutes == 0
                                 ? "Z"
                                 : fmt::format("{}{:02}:{:02}", utc_offset_minutes < 0 ? '-' : '+',
                                               size / 60, size % 60);
    std::string text;
    etl::append_rfc3339(
        text, {time.ticks + std::int64_t{utc_offset_minutes} * 60 * etl::Filetime::per_second},
        zone);
    return text;
}

std::string summary_text(const InputTotals& totals, const EventCounts& counts,
                         int utc_offset_minutes) {
    std::string text = "Files Processed:\n";
    for (const std::string& file : totals.files) {
        text += fmt::format("\t{}\n", file);
    }
    text += fmt::format("Total Buffers Processed {}\n"
                        "Total Events  Processed {}\n"
                        "Total Events  Lost      {}\n",
                        totals.buffers, totals.events, totals.lost_events);
    if (totals.begin && totals.end) {
        text += fmt::format("Start Time              {}\n"
                            "End Time                {}\n",
                            time_text(*totals.begin, utc_offset_minutes),
                            time_text(*totals.end, utc_offset_minutes));
    }
    text += fmt::format("Elapsed Time            {} sec\n", totals.elapsed_seconds());
    const std::string line = "+" + std::string(box_width, '-') + "+\n";
    text += line + boxed("Event Count   Event Name           Event Type  Guid") + line;
    for (const auto& [name, count] : counts.by_name()) {
        text += boxed(fmt::format("{:10}    {:<20} {:<10}  {:<36}", count, printable(name.event),
                                  printable(name.type), to_string(name.guid)));
    }
    return text + line;
}

} // namespace cli
