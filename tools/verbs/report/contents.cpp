#include "verbs/report/contents.hpp"

namespace cli::reports {

namespace {

constexpr std::string_view samples = "event == PerfInfo/SampleProf";
constexpr std::string_view scheduling =
    "event in (PerfInfo/SampleProf, Thread/CSwitch) && process == {process}";
constexpr std::string_view enrich = "--enrich";

constexpr ReportContent contents[] = {
    {"timeline", "all", "Activity over time", ""},
    {"timeline", "provider", "Events over time by provider", "provider == {provider}"},
    {"timeline", "process", "Activity over time by process", "process == {process}"},
    {"slowest", "", "What took longest", "buffer == {buffer} && offset == {offset}", "--raw"},
    {"cpu", "process", "CPU by process", scheduling},
    {"cpu", "thread", "CPU by thread",
     "ThreadId == {tid} || NewThreadId == {tid} || OldThreadId == {tid}"},
    {"cpu", "processor", "CPU by processor",
     "event in (PerfInfo/SampleProf, Thread/CSwitch) && cpu == {cpu}"},
    {"cpu", "function", "CPU by function", samples, enrich},
    {"cpu", "module", "CPU by module", samples, enrich},
    {"waits", "process", "Waits by process",
     "event in (Thread/CSwitch, Thread/ReadyThread) && process == {process}"},
    {"waits", "reason", "Waits by reason", "event == Thread/CSwitch"},
    {"interrupts", "routine", "DPCs and ISRs", "event in (PerfInfo/*DPC, PerfInfo/ISR*)", enrich},
    {"disk", "process", "Disk by process", "event == DiskIo/* && process == {process}"},
    {"disk", "file", "Disk by file", "event in (DiskIo/Read, DiskIo/Write)", enrich},
    {"files", "process", "File operations by process",
     "event in (FileIo/*, PageFault/HardFault) && process == {process}"},
    {"files", "file", "File operations by file", "event in (FileIo/*, PageFault/HardFault)",
     enrich},
    {"network", "process", "Network by process",
     "event in (TcpIp/*, UdpIp/*) && process == {process}"},
    {"network", "peer", "Network by peer", "daddr == {address} && dport == {port}"},
    {"gc", "", ".NET runtime",
     "provider == Microsoft-Windows-DotNETRuntime && process == {process}"},
    {"processes", "", "Processes",
     "event in (Process/Start, Process/End, Process/DCStart, Process/DCEnd) && ProcessId == {pid}"},
    {"images", "", "Programs and libraries",
     "event in (Image/Load, Image/UnLoad, Image/DCStart, Image/DCEnd) && ProcessId == {pid} && "
     "FileName == {image}"},
    {"stats", "provider", "Events by provider", "provider == {provider}"},
    {"stats", "event", "Events by kind",
     "provider == {provider} && event == {event} && version == {version}"},
    {"stats", "process", "Events by process", "process == {process}"},
    {"stats", "processor", "Events by processor", "cpu == {cpu}"},
};

constexpr ReportContent of_flows{"flows", "", "Conversations in captured packets", ""};
constexpr ReportContent of_packets{"packets", "", "Captured packets",
                                   "buffer == {buffer} && offset == {offset}", "--raw"};

} // namespace

std::span<const ReportContent> report_contents() noexcept {
    return contents;
}

const ReportContent& flow_content() noexcept {
    return of_flows;
}

const ReportContent& packet_content() noexcept {
    return of_packets;
}

} // namespace cli::reports
