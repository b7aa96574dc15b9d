#include "captures/absence.hpp"

#include "cli/console.hpp"
#include "cli/plural.hpp"
#include "flow/losses.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

struct Advice {
    std::string reason, next;
};

std::string filters_of(const etl::packets::Rundown& rundown) {
    std::string text;
    for (const std::string& filter : rundown.filters()) {
        text += "; its capture " + filter;
    }
    return text;
}

Advice advice_on(const etl::packets::Survey& survey) {
    using etl::packets::NoPackets;
    constexpr const char* pktmon = "record packets with `pktmon start --capture --pkt-size 0`";
    switch (why_no_packets(survey)) {
    case NoPackets::unknown_layout:
        return {fmt::format("it contains {} of a version whose layout is not known",
                            plural(survey.unknown_layouts, "packet event")),
                "`etl dump` prints their headers; please report the version"};
    case NoPackets::counted_only:
        return {fmt::format("pktmon counted {} but the trace contains none: it recorded counters "
                            "or drops only, or a circular file overwrote them",
                            plural(survey.counted_packets(), "packet")),
                pktmon};
    case NoPackets::nothing_seen:
        return {"pktmon ran but no packet was recorded: nothing matched its filter, or it "
                "recorded counters or drops only" +
                    filters_of(survey.rundown),
                std::string(pktmon) + " and watch `pktmon counters`"};
    case NoPackets::capture_idle:
        return {"the NDIS capture driver (Microsoft-Windows-NDIS-PacketCapture) ran and saw no "
                "packet",
                "reproduce the traffic before `netsh trace stop`, and check the filters of `netsh "
                "trace show status`"};
    case NoPackets::not_captured:
        return {fmt::format("the trace contains {} of the network stack, but packets were not "
                            "captured",
                            plural(survey.network, "event")),
                "record with `netsh trace start capture=yes` or `pktmon start --capture "
                "--pkt-size 0`; profiles of WPR do not contain packets"};
    case NoPackets::not_a_network_trace:
        break;
    }
    return {"the providers that capture packets do not occur "
            "(Microsoft-Windows-NDIS-PacketCapture, Microsoft-Windows-PktMon)",
            "record with `netsh trace start capture=yes` or `pktmon start --capture --pkt-size 0`"};
}

} // namespace

void explain_no_packets(const etl::trace::Reader& trace, const etl::packets::Survey& survey) {
    const etl::flow::TraceInfo& info = trace.info();
    const std::string name = printable(info.name);
    const Advice advice = advice_on(survey);
    say(fmt::format("{}: no packets: {}; {}", name, advice.reason, advice.next));
    const etl::flow::StatedLosses losses = etl::flow::stated_losses(info);
    const std::uint64_t events = losses.events.value_or(0), buffers = losses.buffers.value_or(0);
    if (events + buffers > 0) {
        say(fmt::format("{}: note: {}{} and {} are lost, which may include packets", name,
                        losses.are_totals ? "" : "at least ", plural(events, "event"),
                        plural(buffers, "buffer")));
    } else if (!losses.are_totals) {
        say(fmt::format("{}: note: losses are unknown and may include packets", name));
    }
    if (trace.damage() > 0) {
        say(fmt::format("{}: note: the trace is damaged; `etl repair` may recover packets", name));
    }
}

} // namespace cli
