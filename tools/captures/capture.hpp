// Traces as captures: opened, surveyed, filtered, and read packet by packet.
#pragma once

#include "anonymize/anonymize.hpp"
#include "base/function_ref.hpp"
#include "captures/options.hpp"
#include "cli/exit_code.hpp"
#include "packets/capture.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cli {

/// What is known of the traces before their packets are read. Valid during one call.
struct Capture {
    const CaptureOptions& options;
    etl::flow::Source& events;                       // filtered
    std::vector<const etl::flow::TraceInfo*> traces; // at least one
    etl::packets::TraceLabels labels{};              // of several traces
    bool is_stream = false;                          // read once: without rundowns
    bool has_payloads = true; // otherwise they are zeros, which need not be written
    etl::anonymize::Anonymizer* anonymizer = nullptr; // of packets that were joined
    etl::packets::Rundowns rundowns{};
    std::vector<etl::pcapng::ResolvedName> names{};
    etl::schema::SchemasByTrace schemas{}; // with the names of drops
    std::uint64_t skip = 0;                // packets
    std::optional<std::uint64_t> limit{};
};

/// Receives an event that is not part of a capture.
using OtherEvent = std::function<void(const etl::flow::Event& event)>;

/// Uses a capture, once.
using UseCapture = etl::FunctionRef<ExitCode(Capture& capture)>;

/// Opens the traces, a pipe, a machine session, or with --follow a growing file. Prints problems;
/// explains why there are no packets. Returns the worst exit code of this, of `use`, and of the
/// findings.
ExitCode read_capture(const CaptureOptions& options, UseCapture use);

/// The same; `none` writes the output of traces without packets, for which `use` is not called.
ExitCode read_capture(const CaptureOptions& options, UseCapture use,
                      etl::FunctionRef<ExitCode()> none);

/// One pass over the packets of a capture.
class PacketPass {
public:
    explicit PacketPass(Capture& capture);

    const etl::packets::Extractor& extractor() const noexcept { return pass_.extractor(); }

    /// Passes the selected packets to `receive`, which returns false to stop, and calls `pause`
    /// when a stream pauses. Prints errors of the source. `other` may be empty; it requires
    /// CaptureOptions::with_events.
    ExitCode run(etl::FunctionRef<bool(const etl::packets::Packet&)> receive,
                 etl::FunctionRef<bool()> pause, const OtherEvent& other = {});

    /// Number of packets passed on.
    std::uint64_t packets() const noexcept { return pass_.packets(); }

    /// Number of packets left out by the choice of packets, --skip, and --limit.
    std::uint64_t not_chosen() const noexcept { return pass_.not_chosen(); }

    /// Prints what was omitted, and which choice matched nothing; if there were no packets, that.
    /// Call after run().
    ExitCode report() const;

    /// The same for outputs that count each packet once.
    ExitCode report_without_places() const;

private:
    etl::packets::Packet scrubbed(const etl::packets::Packet& packet);

    Capture* capture_;
    etl::packets::Pass pass_;
    std::vector<std::byte> scratch_; // of a scrubbed packet
};

} // namespace cli
