// A byte of options, then any record; events of ids 0 to 63 have a schema. Beyond "does not crash":
// each event is exactly one line of valid JSON, the same whenever it is written; the other sinks
// end it with one line end.
#include <etl/format/records.hpp>
#include <etl/sink/csv.hpp>
#include <etl/sink/json.hpp>
#include <etl/sink/text.hpp>

#include "fuzz/walk_rules.hpp"

#include <simdjson.h>

using namespace etl;

namespace {

// The provider of the seeds: every in type there is, each alone and behind a count.
std::shared_ptr<const schema::SchemaStore> every_type() {
    constexpr Guid provider = *parse_guid("7e57ab1e-0000-4000-8000-00000000cafe");
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = provider;
    names->name = "Every \"type\"";
    names->keywords = {{1, "One"}, {2, "Two\n"}};
    auto map = std::make_shared<schema::ValueMap>();
    map->kind = schema::ValueMap::Kind::bits;
    map->entries = {{1, "a"}, {6, "\"b\""}};
    auto store = std::make_shared<schema::SchemaStore>();
    for (std::uint16_t id = 0; id < 64; ++id) {
        auto event = std::make_shared<schema::EventSchema>();
        event->provider = names;
        event->id = id;
        event->message = "%1!20s! %2%n%3 %%";
        for (std::uint16_t i = 0; i < 3; ++i) {
            schema::Field& field = event->fields.emplace_back();
            field.name = i == 0 ? "n" : "value\t";
            const auto code = static_cast<std::uint16_t>(id % 32 + (id / 32) * 300);
            field.in_type = i == 0 ? schema::InType::uint8 : static_cast<schema::InType>(code);
            field.out_type = static_cast<schema::OutType>((id + i) % 39);
            field.map = i == 0 ? 0 : schema::Field::no_map;
            field.referenced = i == 0;
            field.members = field.in_type == schema::InType::structure ? 2 - i : 0;
        }
        event->fields[1].count = {schema::Extent::Kind::field, 0};
        event->maps = {map};
        store->add(std::move(event));
    }
    store->freeze();
    return store;
}

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
    static const auto store = every_type();
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
