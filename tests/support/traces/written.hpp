// What a writer made, as a reader and `etl check` see it. For those who link etl_trace.
#pragma once

#include "tests/support/traces/trace_content.hpp"
#include "trace/summary.hpp"

#include <string>

namespace etl::test {

struct Written : Content {
    std::vector<std::string> checked; // findings of trace::check, those of reading included

    std::vector<std::int64_t> sequences() const {
        std::vector<std::int64_t> all;
        for (const trace::BufferEntry& buffer : buffers) {
            all.push_back(buffer.sequence);
        }
        return all;
    }
};

inline Written read_written(const Image& image) {
    Written written{content_of(image), {}};
    DiagnosticList findings;
    auto reader = trace::Reader::open(in_memory(image), {.diagnostics = &findings});
    if (!reader) {
        written.error = reader.error();
        return written;
    }
    trace::check(**reader, findings);
    for (const Diagnostic& finding : findings.list()) {
        written.checked.emplace_back(finding.what);
    }
    return written;
}

} // namespace etl::test
