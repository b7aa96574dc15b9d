#include "captures/pcapng.hpp"

#include "captures/capture.hpp"
#include "captures/packet_output.hpp"
#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/provider_spec.hpp"
#include "flow/context.hpp"
#include "packets/capture_file.hpp"
#include "sink/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

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

/// Writes events that are not packets, with the line that `etl dump` prints.
class OtherEvents {
public:
    OtherEvents(const PcapngOptions& options, const Capture& capture, CaptureFile& file,
                PacketOutput& output)
        : how_(options.events), schemas_(capture.schemas), file_(&file), output_(&output) {
        etl::sink::Options sink;
        sink.schemas = capture.schemas;
        sink.message = true;
        sink.pointer_size = options.capture.pointer_size;
        text_ = std::make_unique<etl::sink::Text>(std::move(sink), etl::sink::TextOptions{});
    }

    void add(const etl::flow::Event& event) {
        if (etl::flow::is_logfile_header(event)) {
            return;
        }
        line_.clear();
        text_->encode(event, line_);
        while (line_.ends_with('\n')) {
            line_.pop_back();
        }
        const std::string provider = label_of(etl::flow::read_header(event).provider,
                                              schemas_.store_for(event.trace().file).get());
        if (how_ == PcapngOptions::Events::etw) {
            file_->add_event(event, line_, provider, output_->text());
        } else {
            CaptureFile::add_entry(event, line_, provider, output_->text());
        }
    }

private:
    PcapngOptions::Events how_;
    etl::schema::SchemasByTrace schemas_;
    CaptureFile* file_;
    PacketOutput* output_;
    std::unique_ptr<etl::sink::Text> text_;
    std::string line_;
};

ExitCode write(const PcapngOptions& options, Capture& capture) {
    PacketOutput output(options.output);
    if (!output.open()) {
        return ExitCode::failed;
    }
    PacketPass pass(capture);
    CaptureFile file(pass.extractor(), {.application = "etl " ETL_VERSION,
                                        .drop_names = etl::packets::DropNames(capture.schemas),
                                        .names = capture.names,
                                        .labels = capture.labels,
                                        .with_processes = options.with_processes,
                                        .headers_only = !capture.has_payloads});
    bool has_begun = false;
    const auto begin = [&] {
        if (!std::exchange(has_begun, true)) {
            file.begin(output.text(), *capture.traces.front());
        }
    };
    OtherEvents others(options, capture, file, output);
    OtherEvent other;
    if (options.capture.with_events) {
        other = [&](const etl::flow::Event& event) {
            begin();
            others.add(event);
        };
    }
    ExitCode exit = pass.run(
        [&](const Packet& packet) {
            begin();
            file.add(packet, output.text());
            return output.write_batch();
        },
        [&] { return output.flush(); }, other);
    if (has_begun) {
        file.finish(output.text());
    }
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
    if (!options.capture.permits(options.output, options.force)) {
        return ExitCode::failed;
    }
    if (options.output == "-" && etl::io::standard_output_is_terminal()) {
        say("standard output is a terminal; name a file with -o, or use a pipe");
        return ExitCode::usage;
    }
    return read_capture(options.capture, [&](Capture& capture) { return write(options, capture); });
}

} // namespace cli
