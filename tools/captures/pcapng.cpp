#include "captures/pcapng.hpp"

#include <etl/packets/capture_file.hpp>

#include "captures/capture.hpp"
#include "captures/packet_output.hpp"
#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "outputs/output_guard.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

using etl::packets::CaptureFile;
using etl::packets::CaptureInterface;
using etl::packets::Packet;

/// A row for each interface, with its counts and times.
void print_summary(const CaptureFile& file) {
    constexpr std::string_view heading = "interface";
    std::size_t width = heading.size();
    for (const CaptureInterface& one : file.interfaces()) {
        width = std::max(width, printable(one.name).size());
    }
    say_plainly(fmt::format("{:<{}}  {:<8}  {:>9}  {:>7}  {:<28}  last", heading, width, "link",
                            "packets", "drops", "first"));
    for (const CaptureInterface& one : file.interfaces()) {
        say_plainly(fmt::format("{:<{}}  {:<8}  {:>9}  {:>7}  {:<28}  {}", printable(one.name),
                                width, name(one.link), one.packets, one.drops, rfc3339(one.first),
                                rfc3339(one.last)));
    }
}

ExitCode write(const PcapngOptions& options, Capture& capture) {
    PacketOutput output(options.output);
    if (!output.open()) {
        return ExitCode::failed;
    }
    PacketPass pass(capture);
    CaptureFile file(pass.extractor(), {.application = "etl " ETL_VERSION,
                                        .drop_names = etl::packets::DropNames(capture.schemas),
                                        .several_traces = capture.several_traces,
                                        .with_processes = options.with_processes});
    ExitCode exit = pass.run(
        [&](const Packet& packet) {
            if (file.packets() == 0) {
                file.begin(output.text(), capture.first_trace);
            }
            file.add(packet, output.text());
            return output.write_batch();
        },
        [&] { return output.flush(); });
    file.finish(output.text());
    exit = worst(exit, output.finish());
    if (exit == ExitCode::failed) {
        return exit;
    }
    if (file.packets() > 0) {
        print_summary(file);
    }
    if (file.omitted() > 0) {
        say(fmt::format("warning: {} omitted: too many interfaces",
                        plural(file.omitted(), "packet")));
        exit = worst(exit, ExitCode::damaged);
    }
    return worst(exit, pass.report());
}

} // namespace

ExitCode write_pcapng(const PcapngOptions& options) {
    OutputGuard guard;
    guard.reads(options.capture.traces);
    guard.reads(options.capture.schemas);
    if (!guard.permits(options.output, existing_files(options.force))) {
        return ExitCode::failed;
    }
    if (options.output == "-" && etl::io::standard_output_is_terminal()) {
        say("standard output is a terminal; name a file with -o, or use a pipe");
        return ExitCode::usage;
    }
    return read_capture(options.capture, [&](Capture& capture) { return write(options, capture); });
}

} // namespace cli
