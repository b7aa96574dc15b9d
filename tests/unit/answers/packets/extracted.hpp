// Traces in memory as packets and capture files. For the tests of this room.
#pragma once

#include "packets/capture_file.hpp"
#include "packets/limits.hpp"
#include "packets/survey.hpp"
#include "tests/support/captures/capture_events.hpp"
#include "tests/support/captures/pcapng_file.hpp"
#include "tests/support/reading.hpp"

#include <gmock/gmock.h>

namespace etl::packets {

using namespace etl::test;

struct Extracted {
    Place place;
    LinkType link = LinkType::none;
    Direction direction = Direction::unknown;
    std::int64_t time = 0; // 100 ns after the first possible event
    std::string data;
    std::uint32_t original = 0;
    bool is_incomplete = false, is_joined = false, has_beginning = true;
    std::optional<Drop> drop;
    std::optional<std::uint64_t> id;
    std::optional<WifiReception> wifi;
    std::optional<std::uint32_t> rss_hash;
};

struct Extraction {
    std::vector<Extracted> packets;
    Extractor::Counts counts;
    std::vector<RemoteUser> users;
    std::vector<std::uint32_t> domains; // of packets
    PcapngFile file;
    std::vector<CaptureInterface> interfaces;
    Survey survey;
};

struct ExtractionOptions {
    bool with_rundown = true;
    bool with_processes = false;
    bool headers_only = false;
};

inline Extraction extract(const Image& image, const ExtractionOptions& options = {}) {
    auto reader = trace::Reader::open(in_memory(image), {});
    if (!reader) {
        throw std::logic_error("not a trace");
    }
    Extraction all;
    (*reader)->for_each_buffer(1, [&](unsigned, const trace::BufferEntry&, flow::Run run) {
        Survey part; // buffers come in any order
        part.add(run);
        all.survey.combine(std::move(part));
    });
    all.survey.rundown.finish();
    Rundowns rundowns;
    if (options.with_rundown) {
        rundowns.push_back(std::make_shared<const Rundown>(all.survey.rundown));
    }
    Extractor extractor(rundowns);
    CaptureFile file(extractor, {.application = "test",
                                 .names = all.survey.names.names(),
                                 .with_processes = options.with_processes,
                                 .headers_only = options.headers_only});
    std::string bytes;
    file.begin(bytes, (*reader)->info());
    const auto take = [&](const Packet& packet) {
        file.add(packet, bytes);
        all.domains.push_back(packet.routing_domain);
        all.packets.push_back({packet.place, packet.link, packet.direction,
                               packet.time.ticks - story_start - 100,
                               std::string(as_text(packet.data)), packet.original_size,
                               packet.is_incomplete, packet.is_joined, packet.has_beginning,
                               packet.drop, packet.id, packet.wifi, packet.rss_hash});
    };
    flow::EventCursor cursor(**reader);
    while (const flow::Event* event = cursor.next()) {
        extractor.add(*event, take);
    }
    extractor.finish(take);
    file.finish(bytes);
    all.counts = extractor.counts();
    all.users = extractor.users();
    all.file = read_pcapng(bytes);
    all.interfaces.assign(file.interfaces().begin(), file.interfaces().end());
    return all;
}

inline Extraction extract(const std::vector<CaptureEvent>& events,
                          const ExtractionOptions& options = {}) {
    return extract(capture_trace(events), options);
}

inline std::string text(Bytes bytes) {
    return std::string(as_text(bytes));
}

} // namespace etl::packets
