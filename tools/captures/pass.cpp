#include "captures/capture.hpp"
#include "cli/console.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

etl::packets::Choice choice_of(const Capture& capture) {
    etl::packets::Choice choice = capture.options.choice;
    choice.skip = capture.skip;
    choice.limit = capture.limit;
    return choice;
}

} // namespace

PacketPass::PacketPass(Capture& capture)
    : capture_(&capture), pass_(capture.rundowns, capture.labels, choice_of(capture)) {}

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
    etl::packets::PassEvents events{.receive = receive, .pause = pause, .other = other};
    if (!capture_->is_stream) {
        events.progress = [&](std::uint64_t count, const etl::flow::Event& newest) {
            bar.show(fraction_by_place(newest), count);
        };
    }
    if (capture_->anonymizer != nullptr) {
        events.edit_joined = [&](const etl::packets::Packet& packet) { return scrubbed(packet); };
    }
    if (const auto read = pass_.run(capture_->events, events); !read) {
        say(printable(capture_->traces.front()->name), read.error());
        return ExitCode::damaged;
    }
    return ExitCode::well;
}

ExitCode PacketPass::report_without_places() const {
    const etl::packets::Extractor::Counts& counts = pass_.extractor().counts();
    ExitCode exit = ExitCode::well;
    for (const std::string& word : pass_.selection().unmatched()) {
        say(fmt::format("warning: --component '{}' matches no component or interface with "
                        "packets; `etl pcapng` without it lists them",
                        printable(word)));
        exit = ExitCode::damaged;
    }
    if (capture_->options.choice.adapters_only && pass_.selection().has_unknown_components()) {
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
    if (packets() == 0) {
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
    const etl::packets::Selection& selection = pass_.selection();
    const std::uint64_t all = selection.everywhere(), adapters = selection.at_adapters();
    const bool knows_adapters = // from the rundown
        !capture_->is_stream && !selection.has_unknown_components();
    if (knows_adapters && !capture_->options.choice.adapters_only && adapters > 0 &&
        adapters < all && packets() == all) {
        say(fmt::format("note: {} at all places of the network stack, {} at network adapters; "
                        "--nic keeps those",
                        plural(all, "packet"), adapters));
    }
    return exit;
}

} // namespace cli
