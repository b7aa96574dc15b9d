// Reads a trace in memory to its end and keeps what was seen. For those who link etl_trace.
#pragma once

#include "tests/support/traces/trace_builder.hpp"
#include "trace/reader.hpp"

namespace etl::test {

/// What a test wants to know of an event after its source has gone on.
struct Seen {
    std::int64_t time = 0; // raw
    std::uint16_t processor = 0;
    std::uint16_t id = 0;
    std::uint64_t buffer = 0;
    std::uint32_t offset = 0;
    format::RecordKind kind = format::RecordKind::none;
    bool has_time = false;

    bool operator==(const Seen&) const = default;
};

inline Seen seen(const flow::Event& event) {
    return {.time = event.raw_time,
            .processor = event.buffer->processor,
            .id = flow::read_header(event).id,
            .buffer = event.buffer->number,
            .offset = event.offset(),
            .kind = event.kind,
            .has_time = event.has_time};
}

struct Reading {
    std::optional<Error> error; // of open
    flow::TraceInfo info;
    std::vector<trace::BufferEntry> buffers;
    std::vector<Seen> events; // the log file header record included
    std::vector<Diagnostic> findings;
    std::uint64_t damage = 0;

    /// Ids of the EVENT records, in the order read.
    std::vector<int> ids() const {
        std::vector<int> ids;
        for (const Seen& event : events) {
            if (format::is_event(event.kind)) {
                ids.push_back(event.id);
            }
        }
        return ids;
    }

    bool found(std::string_view what) const {
        for (const Diagnostic& finding : findings) {
            if (std::string_view(finding.what).find(what) != std::string_view::npos) {
                return true;
            }
        }
        return false;
    }
};

inline std::shared_ptr<const io::InputFile> in_memory(Image image) {
    return io::InputFile::from_memory(std::move(image), "made.etl");
}

inline Reading read(Image image, trace::ReaderOptions options = {}) {
    Reading reading;
    DiagnosticList findings;
    options.diagnostics = &findings;
    auto reader = trace::Reader::open(in_memory(std::move(image)), options);
    if (!reader) {
        reading.error = reader.error();
        return reading;
    }
    trace::Reader& source = **reader;
    for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
        for (const flow::Event& event : run) {
            reading.events.push_back(seen(event));
        }
    }
    reading.info = source.info();
    reading.buffers.assign(source.buffers().begin(), source.buffers().end());
    reading.findings = findings.list();
    reading.damage = source.damage();
    return reading;
}

} // namespace etl::test
