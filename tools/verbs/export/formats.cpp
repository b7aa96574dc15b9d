#include "verbs/export/formats.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cli {

namespace {

constexpr ExportFormat formats[] = {
    {"xml", ".xml", "XML as the event log of Windows renders events", export_xml},
    {"evtx", ".evtx", "an event log for Event Viewer and forensic tools", export_evtx},
    {"pcapng", ".pcapng", "captured packets, for Wireshark", nullptr, export_pcapng},
    {"parquet", ".parquet", "a directory of tables, one for each kind of event, for databases",
     nullptr, export_columns},
    {"arrow", ".arrow", "the same tables as Arrow IPC files, for data frames", nullptr,
     export_columns},
    {"pprof", ".pb.gz", "samples, for go tool pprof", nullptr, export_profile},
    {"speedscope", ".speedscope.json", "samples by thread, for speedscope", nullptr,
     export_profile},
    {"firefox", ".firefox.json", "samples and slices by thread, for the Firefox Profiler", nullptr,
     export_profile},
    {"chrome", ".chrome.json", "a timeline of threads and processors, for trace viewers of Chrome",
     nullptr, export_profile},
    {"perfetto", ".perfetto-trace", "a timeline of threads and processors, for Perfetto", nullptr,
     export_profile},
};

std::string names_of_formats() {
    std::vector<std::string_view> names;
    for (const ExportFormat& format : formats) {
        names.push_back(format.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

std::span<const ExportFormat> export_formats() noexcept {
    return formats;
}

const ExportFormat* format_of(const ExportOptions& options) {
    const std::string name = etl::to_lower_ascii(options.to);
    const std::string output = etl::to_lower_ascii(options.output);
    const auto* const found = std::ranges::find_if(formats, [&](const ExportFormat& format) {
        return name.empty() ? output.ends_with(format.extension) : name == format.name;
    });
    if (found != std::end(formats)) {
        return found;
    }
    if (name.empty()) {
        say(fmt::format("the format is missing; use --to with one of: {}", names_of_formats()));
    } else {
        say(fmt::format("--to: expected one of {}; found '{}'", names_of_formats(),
                        printable(options.to)));
    }
    return nullptr;
}

} // namespace cli
