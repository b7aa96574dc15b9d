// Any bytes as an event log. Beyond "does not crash": records and nodes lie inside of the file,
// nodes nest, and an event that is written reads as the same again.
#include "evtx/writer.hpp"
#include "fuzz/require.hpp"

#include <string>

namespace {

using namespace etl;
using fuzz::require;

void require_sound(std::span<const evtx::Node> nodes, Bytes chunk) {
    std::size_t open = 0;
    for (const evtx::Node& node : nodes) {
        if (node.kind == evtx::NodeKind::element) {
            ++open;
        } else if (node.kind == evtx::NodeKind::end) {
            require(open > 0);
            --open;
        }
        require(node.name.empty() || fuzz::lies_inside(node.name, chunk));
    }
    require(open == 0);
}

std::string text_of(const evtx::Event& event) {
    std::string text = event.provider + '|' + event.channel + '|' + event.computer + '|';
    for (const evtx::Field& field : event.fields) {
        text += std::string(field.depth, ' ') + field.name + (field.is_structure ? "{" : "=");
        evtx::append_text(text, field.value);
        text += '\n';
    }
    return text;
}

/// Names of elements other than Data may change.
bool reads_the_same(const evtx::Event& event) {
    return event.payload == evtx::PayloadKind::none ||
           event.payload == evtx::PayloadKind::event_data;
}

void require_written_again(const evtx::Event& event) {
    StringOutput output;
    evtx::Writer writer(output);
    const auto added = writer.add(event);
    const auto head = writer.finish();
    require(head.has_value());
    const Bytes file = std::as_bytes(std::span(output.text()));
    auto reader = evtx::Reader::open(file);
    evtx::Record record;
    evtx::EventReader events;
    require(reader.has_value() && reader->next(record) == added.has_value());
    if (!added) {
        return;
    }
    const auto again = events.read(record);
    if (!again) {
        require(again.error().code == ErrorCode::limit || !reads_the_same(event));
        return;
    }
    require(writer.counts().cut != 0 || !reads_the_same(event) ||
            text_of(**again) == text_of(event));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes file = std::as_bytes(std::span(data, size));
    DiagnosticList findings;
    auto reader = evtx::Reader::open(file, {.diagnostics = &findings});
    if (!reader) {
        return 0;
    }
    evtx::Record record;
    evtx::NodeReader nodes;
    evtx::EventReader events;
    while (reader->next(record)) {
        require(fuzz::lies_inside(record.chunk, file));
        require(has_range(record.chunk, record.body, record.size));
        if (const auto read = nodes.read(record)) {
            require_sound(*read, record.chunk);
        }
        if (const auto event = events.read(record)) {
            require_written_again(**event);
        }
    }
    require(reader->counts().bytes_skipped <= size);
    return 0;
}
