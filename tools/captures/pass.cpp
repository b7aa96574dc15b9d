#include "captures/capture.hpp"
#include "cli/plural.hpp"

#include <fmt/format.h>

namespace cli {

PacketPass::PacketPass(Capture& capture)
    : capture_(&capture), extractor_(capture.rundowns),
      selection_(capture.options, extractor_, capture.labels) {}

bool PacketPass::is_wanted(const etl::packets::Packet& packet) {
    return selection_.selects(packet) && ++selected_ > capture_->skip;
}

/// Fragments pass the anonymizer unchanged: only what was put together has all of its headers.
etl::packets::Packet PacketPass::scrubbed(const etl::packets::Packet& packet) {
    using etl::anonymize::Link;
    using etl::packets::LinkType;
    const Link link = packet.link == LinkType::ip     ? Link::ip
                      : packet.link == LinkType::wifi ? Link::wifi
                                                      : Link::unknown; // a tunnel is not Ethernet
    scratch_.assign(packet.data.begin(), packet.data.end());
    capture_->anonymizer->scrub_packet(scratch_,
                                       packet.has_beginning ? std::optional(link) : std::nullopt);
    etl::packets::Packet result = packet;
    result.data = scratch_;
    return result;
}

ExitCode PacketPass::run(etl::FunctionRef<bool(const etl::packets::Packet&)> receive,
                         etl::FunctionRef<bool()> pause, const OtherEvent& other) {
    ProgressBar bar(capture_->options.progress);
    etl::flow::Source& source = capture_->events;
    const std::uint64_t limit = capture_->limit.value_or(UINT64_MAX);
    bool goes_on = limit > 0;
    const auto take = [&](const etl::packets::Packet& packet) {
        ++seen_;
        if (goes_on && is_wanted(packet)) {
            ++packets_;
            const bool is_raw = packet.is_joined && capture_->anonymizer != nullptr;
            goes_on = (is_raw ? receive(scrubbed(packet)) : receive(packet)) && packets_ < limit;
        }
    };
    std::uint64_t events = 0;
    while (goes_on) {
        const etl::flow::Run run = source.next_run();
        if (run.empty()) {
            if (!source.is_paused() || !pause()) {
                break;
            }
            continue;
        }
        events += run.size();
        for (const etl::flow::Event& event : run) {
            if (other && etl::packets::kind_of(event) == etl::packets::EventKind::none) {
                other(event);
            } else {
                extractor_.add(event, take);
            }
        }
        if (!capture_->is_stream) {
            bar.show(fraction_by_place(run.back()), events);
        }
    }
    extractor_.finish(take);
    if (const etl::Error* const error = source.error()) {
        say(printable(capture_->traces.front()->name), *error);
        return ExitCode::damaged;
    }
    return ExitCode::well;
}

ExitCode PacketPass::report_without_places() const {
    const etl::packets::Extractor::Counts& counts = extractor_.counts();
    ExitCode exit = selection_.report_unmatched() ? ExitCode::damaged : ExitCode::well;
    if (capture_->options.adapters_only && selection_.has_unknown_components()) {
        say("warning: --nic: the trace does not describe all components (PktMon does so when the "
            "capture stops); packets at the others are kept, too");
        exit = ExitCode::damaged;
    }
    if (counts.unknown_layouts > 0) {
        say(fmt::format("warning: {} omitted: the layout of their version is not known; `etl dump` "
                        "prints the headers",
                        plural(counts.unknown_layouts, "packet event was", "packet events were")));
        exit = ExitCode::damaged;
    }
    if (counts.no_link > 0) {
        say(fmt::format("note: {} without a link layer (HTTP messages, parts of packets) omitted",
                        plural(counts.no_link, "packet event was", "packet events were")));
    }
    if (counts.malformed > 0) {
        say(fmt::format("warning: {} too short for {} layout",
                        plural(counts.malformed, "packet event was omitted: it is",
                               "packet events were omitted: they are"),
                        counts.malformed == 1 ? "its" : "their"));
        exit = ExitCode::damaged;
    }
    if (counts.incomplete > 0) {
        say(fmt::format("warning: fragments of {} are missing in the trace; they are marked as "
                        "incomplete",
                        plural(counts.incomplete, "packet")));
        exit = ExitCode::damaged;
    }
    if (counts.dropped > 0) {
        say(fmt::format("warning: {} of packets beyond the limits omitted",
                        plural(counts.dropped, "fragment")));
        exit = ExitCode::damaged;
    }
    if (packets_ == 0) {
        say(counts.events == 0 ? "no packets: no packet event matched the filters"
                               : fmt::format("no packets: {} read, but none matched the choice of "
                                             "packets",
                                             plural(counts.events, "packet event")));
        exit = worst(exit, ExitCode::damaged);
    }
    return exit;
}

ExitCode PacketPass::report() const {
    const ExitCode exit = report_without_places();
    const std::uint64_t all = selection_.everywhere(), adapters = selection_.at_adapters();
    const bool knows_adapters = // from the rundown
        !capture_->is_stream && !selection_.has_unknown_components();
    if (knows_adapters && !capture_->options.adapters_only && adapters > 0 && adapters < all &&
        packets_ == all) {
        say(fmt::format("note: {} at all places of the network stack, {} at network adapters; "
                        "--nic keeps those",
                        plural(all, "packet"), adapters));
    }
    return exit;
}

} // namespace cli
