// A byte of options, then events of captures. Beyond "does not crash": every capture file is one
// that a strict reader reads, with the packets that were extracted, and within the limits.
#include "flow/event.hpp"
#include "fuzz/answers/packets/capture_records.hpp"
#include "fuzz/require.hpp"
#include "packets/capture_file.hpp"
#include "packets/flows.hpp"
#include "packets/limits.hpp"
#include "packets/survey.hpp"
#include "tests/support/captures/pcapng_file.hpp"

#include <algorithm>
#include <memory>

using namespace etl;

namespace {

using fuzz::require;

/// Owns the records that its events point to.
struct Events {
    flow::TraceInfo trace;
    flow::BufferContext buffer;
    std::vector<std::vector<std::byte>> bytes;
    std::vector<flow::Event> events;

    explicit Events(Bytes data) {
        trace.name = "fuzz.etl";
        buffer.trace = &trace;
        std::int64_t time = Filetime::unix_epoch;
        for (const fuzz::CaptureRecord& record : fuzz::read_capture_records(data)) {
            const auto& kinds = fuzz::capture_kinds();
            const auto& [provider, id] = kinds[record.kind % kinds.size()];
            ByteWriter to;
            const auto encoded = format::encode(
                format::EventRecord{
                    .process_id = 4,
                    .thread_id = record.kind / 64U,
                    .time = ++time,
                    .provider = provider,
                    .descriptor = {.id = id, .keyword = fuzz::capture_keywords(record.keywords)},
                    .payload = record.payload},
                to);
            require(encoded.has_value());
            bytes.push_back(to.take());
        }
        for (const auto& one : bytes) {
            const format::RecordShape shape = format::record_at(one);
            events.push_back({one.data(), shape.time, &buffer, shape.size, shape.kind, true});
        }
        buffer.bytes = bytes.empty() ? Bytes{} : Bytes(bytes.front());
    }

    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    ~Events() = default;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const Events all(std::as_bytes(std::span(data, size)).subspan(1));
    packets::Survey survey;
    for (const flow::Event& event : all.events) { // each has a buffer of its own
        survey.add(flow::Run(&event, 1));
    }
    survey.rundown.finish();
    static_cast<void>(why_no_packets(survey));
    packets::Rundowns rundowns;
    if ((data[0] & 1U) != 0) {
        rundowns.push_back(std::make_shared<const packets::Rundown>(survey.rundown));
    }
    packets::Extractor extractor(rundowns);
    packets::CaptureFile file(extractor,
                              {.application = "fuzz",
                               .labels = packets::TraceLabels((data[0] & 2U) != 0 ? 1 : 0, "fuzz"),
                               .with_processes = (data[0] & 4U) != 0,
                               .headers_only = (data[0] & 8U) != 0});
    packets::FlowTable flows;
    std::string bytes;
    file.begin(bytes, all.trace);
    std::uint64_t count = 0;
    const auto take = [&](const packets::Packet& packet) {
        ++count;
        require(packet.data.size() <= packets::limits::packet_bytes);
        require(packet.original_size >= packet.data.size());
        file.add(packet, bytes);
        flows.add(packet);
    };
    for (const flow::Event& event : all.events) {
        extractor.add(event, take);
    }
    extractor.finish(take);
    file.finish(bytes);
    const test::PcapngFile read = test::read_pcapng(bytes); // throws
    require(read.packets.size() == count && file.packets() + file.omitted() == count);
    require(count <= survey.packets);
    std::uint64_t in_flows = flows.other();
    for (const packets::Flow& flow : flows.take()) {
        in_flows += flow.forward.packets + flow.backward.packets + flow.drops;
        require(!flow.source_text().empty() && flow.first <= flow.last);
    }
    require(in_flows <= count);
    return 0;
}
