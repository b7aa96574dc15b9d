// A byte of options, the length of a text, the text, then the records of a buffer: events that are
// not packets, in a capture file. Beyond "does not crash": a strict reader reads the file; the
// lengths in each packet of LINKTYPE_ETW add up to its size; the text breaks no line of a journal
// entry.
#include "fuzz/require.hpp"
#include "packets/capture_file.hpp"
#include "tests/support/captures/pcapng_file.hpp"

#include <algorithm>

using namespace etl;

namespace {

using fuzz::require;

std::vector<flow::Event> events_in(const flow::BufferContext& buffer, std::size_t most) {
    std::vector<flow::Event> events;
    Bytes rest = buffer.bytes;
    while (events.size() < most) {
        const format::RecordShape shape = format::record_at(rest);
        if (shape.kind == format::RecordKind::none) {
            break;
        }
        events.push_back(
            {rest.data(), shape.time, &buffer, shape.size, shape.kind, shape.has_time});
        rest = clamped(rest, format::padded(shape.size));
    }
    return events;
}

std::size_t padded(std::uint32_t size) {
    return (std::size_t{size} + 3) / 4 * 4;
}

void check_packet(const test::PcapngPacket& packet, const flow::Event& event) {
    constexpr std::size_t header = 96, lengths = 84;
    const auto length = [&](std::size_t i) {
        return test::number_at<std::uint32_t>(packet.data, lengths + 4 * i);
    };
    const std::size_t payload = flow::read_header(event).payload.size();
    require(packet.data.size() <= pcapng::max_packet && packet.data.size() >= header);
    require(length(0) == payload);
    require(packet.original == header + padded(length(0)) + padded(length(1)) + padded(length(2)));
    require(packet.data.size() == std::min<std::size_t>(packet.original, pcapng::max_packet));
}

void check_entry(std::string_view entry) {
    constexpr std::string_view keys[] = {
        "__REALTIME_TIMESTAMP=", "MESSAGE=", "SYSLOG_IDENTIFIER=", "_PID="};
    entry = entry.substr(0, entry.find_last_of('\n') + 1); // without the padding
    std::size_t lines = 0;
    for (; !entry.empty(); ++lines) {
        require(lines < std::size(keys) && entry.starts_with(keys[lines]));
        entry.remove_prefix(entry.find('\n') + 1);
    }
    require(lines >= 3);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t head = 2, long_text = 70'000, most = 256, most_long = 2;
    if (size < head) {
        return 0;
    }
    const Bytes input = std::as_bytes(std::span(data, size));
    const Bytes word = clamped(input, head, data[1]);
    std::string text(as_text(word));
    const bool is_long = (data[0] & 1U) != 0;
    while (is_long && !text.empty() && text.size() < long_text) {
        text += text; // packets beyond the limit
    }
    flow::TraceInfo trace;
    trace.name = "fuzz.etl";
    trace.has_header = (data[0] & 2U) != 0;
    trace.header.sub_version = 1;
    flow::BufferContext buffer;
    buffer.trace = &trace;
    buffer.bytes = clamped(input, head + word.size());
    const std::vector<flow::Event> events = events_in(buffer, is_long ? most_long : most);
    const packets::Extractor extractor;
    packets::CaptureFile file(extractor, {.application = "fuzz"});
    std::string bytes;
    file.begin(bytes, trace);
    for (const flow::Event& event : events) {
        file.add_event(event, text, (data[0] & 4U) != 0 ? text : "provider", bytes);
        packets::CaptureFile::add_entry(event, text, text, bytes);
    }
    file.finish(bytes);
    const test::PcapngFile read = test::read_pcapng(bytes); // throws
    require(read.packets.size() == events.size() && read.journal.size() == events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        check_packet(read.packets[i], events[i]);
        check_entry(read.journal[i].body);
    }
    return 0;
}
