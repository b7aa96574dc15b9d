// Traces as captures, in one call: packets, conversations, a capture file. docs/packets.md
//
//     auto traces = dataset::Dataset::open({"capture.etl"});
//     auto flows = packets::flows_of(traces);              // an analysis::Table
//     auto count = packets::write_capture(traces, output); // pcapng
#pragma once

#include "analysis/table.hpp"
#include "base/output.hpp"
#include "dataset/dataset.hpp"
#include "packets/capture_file.hpp"
#include "packets/pass.hpp"
#include "packets/survey.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace etl::packets {

/// Numbers of the buffers of a trace that contain schemas.
using SchemaBuffers = std::vector<std::uint32_t>;

/// What is known of a trace before its packets are read.
struct SurveyedTrace {
    Survey survey;
    SchemaBuffers with_schemas;
};

/// Reads all buffers once, in parallel. The rundown is finished. `threads` is at least 1.
SurveyedTrace survey_of(trace::Reader& reader, unsigned threads);

/// What is known of traces before their packets are read.
struct Capture {
    std::vector<SurveyedTrace> traces; // by number
    Rundowns rundowns{};
    NameTable names{}; // of addresses, in all traces

    bool has_packets() const noexcept;
    bool has_drops() const noexcept;
    bool has_schemas() const noexcept;
};

/// Surveys all traces.
Capture survey(dataset::Dataset& traces);

/// Empty for one trace.
TraceLabels labels_of(const dataset::Dataset& traces);

/// The schemas of dropped packets, from schema files and the built-in schemas.
std::shared_ptr<const schema::SchemaStore> schemas_of_drops(const std::vector<std::string>& paths);

/// The same over those that the traces carry. Reads the buffers that the survey found.
schema::SchemasByTrace schemas_of_drops(dataset::Dataset& traces, const Capture& capture);

// The following choose events by the options of the dataset, and read the traces twice. Errors:
// those of the options, of schema files, and of reading.

/// Packets as a table, as `etl packets` prints it.
std::expected<analysis::Table, TraceError> packets_of(dataset::Dataset& traces,
                                                      const Choice& choice = {});

/// Conversations as a table, as `etl flows` prints it.
std::expected<analysis::Table, TraceError> flows_of(dataset::Dataset& traces,
                                                    const Choice& choice = {});

/// Writes the packets as a capture file (pcapng). Writes nothing if there are none. Returns their
/// number. Errors: also those of the output, about "output".
std::expected<std::uint64_t, TraceError> write_capture(dataset::Dataset& traces, Output& to,
                                                       const Choice& choice = {},
                                                       const std::string& application = "libetl");

} // namespace etl::packets
