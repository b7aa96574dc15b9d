// A byte of options, then any record; events of ids 0 to 63 have a schema. Beyond "does not crash":
// each event is a well-formed element, the same whenever it is written; the rows of tracerpt end
// with one line end.
#include "fuzz/outputs/sink/every_type.hpp"
#include "fuzz/walk_rules.hpp"
#include "sink/event_xml.hpp"
#include "sink/tracerpt_csv.hpp"
#include "tests/support/xml_rules.hpp"

using namespace etl;

namespace {

std::string written(flow::Encoder& encoder, const flow::Event& event) {
    std::string text;
    encoder.encode(event, text);
    std::string again;
    encoder.encode(event, again);
    fuzz::require(text == again);
    return text;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
    const format::RecordShape shape = format::record_at(bytes);
    if (shape.kind == format::RecordKind::none) {
        return 0;
    }
    flow::TraceInfo trace;
    flow::BufferContext buffer;
    buffer.trace = &trace;
    buffer.bytes = bytes;
    const flow::Event event{bytes.data(), shape.time, &buffer,
                            shape.size,   shape.kind, shape.has_time};
    const unsigned wish = data[0];
    static const auto store = fuzz::every_type();
    const sink::Options options{
        .schemas = store, .message = (wish & 2U) != 0, .enumerations = (wish & 8U) == 0};
    for (const auto layout :
         {sink::XmlOptions::Layout::windows, sink::XmlOptions::Layout::tracerpt}) {
        sink::EventXml xml(options, {.layout = layout,
                                     .rendering = (wish & 1U) != 0,
                                     .raw_times = (wish & 4U) != 0,
                                     .accept_short_payloads = (wish & 16U) != 0});
        std::string element = written(xml, event);
        // The number of the record, unless the event has one.
        fuzz::require(std::erase(element, '\0') <=
                      (layout == sink::XmlOptions::Layout::windows ? 1U : 0U));
        fuzz::require(test::xml_problem(element).empty());
    }
    sink::TracerptCsv csv(options, {.accept_short_payloads = (wish & 16U) != 0});
    fuzz::require(written(csv, event).ends_with("\r\n"));
    return 0;
}
