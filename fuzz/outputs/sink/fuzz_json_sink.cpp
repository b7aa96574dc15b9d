// A byte of options, then any record; events of ids 0 to 63 have a schema. Beyond "does not crash":
// each event is exactly one line of valid JSON, the same whenever it is written; the other sinks
// end it with one line end.
#include "format/records.hpp"
#include "fuzz/outputs/sink/every_type.hpp"
#include "fuzz/walk_rules.hpp"
#include "sink/csv.hpp"
#include "sink/json.hpp"
#include "sink/text.hpp"

#include <simdjson.h>

using namespace etl;

namespace {

std::string encoded(flow::Encoder& encoder, const flow::Event& event) {
    std::string text;
    encoder.encode(event, text);
    return text;
}

void require_json_line(std::string_view line) {
    fuzz::require(line.size() > 1 && line.find('\n') == line.size() - 1);
    simdjson::dom::parser parser;
    const auto parsed = parser.parse(simdjson::padded_string(line));
    fuzz::require(parsed.error() == simdjson::SUCCESS);
    fuzz::require(parsed.value_unsafe().is_object());
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
    sink::Options options{.schemas = store,
                          .raw = (wish & 1U) != 0,
                          .message = (wish & 2U) != 0,
                          .names = (wish & 4U) != 0,
                          .enumerations = (wish & 8U) == 0};
    sink::JsonLines lines(options);
    const std::string line = encoded(lines, event);
    require_json_line(line);
    fuzz::require(encoded(lines, event) == line);
    sink::Text text(options, {.color = (wish & 16U) != 0});
    const std::string shown = encoded(text, event);
    fuzz::require(shown.find('\n') == shown.size() - 1);
    if ((wish & 32U) != 0) {
        options.fields = {"n", "value\t", "value\t.value\t", "value\t#2", "data", "id"};
    }
    sink::Csv table(options, {.style = sink::CsvOptions::Style::tsv});
    const std::string row = encoded(table, event);
    fuzz::require(row.find('\n') == row.size() - 1);
    return 0;
}
