// Any bytes as an event log that is read as a trace. Beyond "does not crash": each record that can
// be read is an event of the trace that its own metadata decodes, well-formed as XML, and one event
// of a log when it is written again.
#include "eventlog/convert.hpp"
#include "flow/context.hpp"
#include "fuzz/require.hpp"
#include "sink/event_log.hpp"
#include "sink/event_xml.hpp"
#include "sink/json.hpp"
#include "tests/support/xml_rules.hpp"
#include "trace/reader.hpp"

#include <string>

using namespace etl;

namespace {

using fuzz::require;

std::string encoded(flow::Encoder& encoder, const flow::Event& event) {
    std::string text;
    require(encoder.encode(event, text));
    return text;
}

void require_sound(const std::shared_ptr<const io::InputFile>& trace, std::uint64_t events_in_log) {
    auto reader = trace::Reader::open(trace);
    require(reader.has_value());
    sink::JsonLines json(sink::Options{});
    sink::EventXml xml({}, {.root = ""});
    sink::EventLog log({}, {});
    StringOutput file;
    evtx::PackedEvents packed(file);
    std::uint64_t count = 0;
    flow::EventCursor events(**reader);
    while (const flow::Event* event = events.next()) {
        if (flow::is_logfile_header(*event)) {
            continue;
        }
        ++count;
        // Metadata of more fields than a schema may have is not decoded.
        const std::string line = encoded(json, *event);
        require(line.contains("\"source\":\"evtx\"") || line.contains("\"decode_error\""));
        std::string element = encoded(xml, *event);
        std::erase(element, '\0');
        require(test::xml_problem(element).empty());
        require(packed.write(encoded(log, *event)).has_value());
    }
    require(count == events_in_log);
    require(packed.finish().has_value());
    require(packed.counts().records + packed.refused() == count);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const auto log = io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz.evtx");
    const auto converted = eventlog::convert(*log);
    if (converted) {
        require_sound(converted->trace,
                      converted->counts.records - converted->undecodable - converted->too_large);
    }
    return 0;
}
