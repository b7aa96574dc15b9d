// Packets as a capture file (pcapng): an interface for each place where packets were captured,
// which is described before its first packet. Not thread-safe. docs/packets.md#pcapng
//
//     std::string bytes;
//     packets::CaptureFile file(extractor, {.application = "example"});
//     file.begin(bytes, reader.info());
//     extractor.add(event, [&](const packets::Packet& packet) { file.add(packet, bytes); });
//     ... // write `bytes` and clear it from time to time
//     file.finish(bytes);
#pragma once

#include "packets/capture_names.hpp"
#include "packets/extractor.hpp"
#include "packets/packet.hpp"
#include "pcapng/blocks.hpp"

#include <span>
#include <string>
#include <vector>

namespace etl::packets {

struct CaptureFileOptions {
    std::string application; // name and version of the program
    DropNames drop_names{};
    std::vector<pcapng::ResolvedName> names{}; // written in front of the packets
    TraceLabels labels{};                      // of several traces
    bool with_processes = false;               // comments with the process that logged the event
    bool headers_only = false;                 // without the payload after the last known header
};

/// An interface of the file.
struct CaptureInterface {
    Place place;
    LinkType link = LinkType::ethernet;
    const flow::TraceInfo* trace = nullptr;
    std::string name;
    std::uint64_t packets = 0, drops = 0;
    Filetime first, last; // times of its packets
};

class CaptureFile {
public:
    /// `extractor` outlives it; it knows the rundowns, users, and ports.
    CaptureFile(const Extractor& extractor, CaptureFileOptions options);

    /// Appends the section header, and the names. `first`: the trace whose system it describes.
    void begin(std::string& to, const flow::TraceInfo& first);

    /// Appends the packet, before it its interface if it is the first of it. Packets of more than
    /// limits::capture_interfaces interfaces are omitted and counted.
    void add(const Packet& packet, std::string& to);

    /// Appends another event, in the form of LINKTYPE_ETW: its header and payload, and texts that
    /// may be empty. The interface is named `etw`.
    void add_event(const flow::Event& event, std::string_view message, std::string_view provider,
                   std::string& to);

    /// Appends another event as a journal entry, with this text.
    static void add_entry(const flow::Event& event, std::string_view message,
                          std::string_view provider, std::string& to);

    /// Appends the statistics of all interfaces.
    void finish(std::string& to) const;

    std::span<const CaptureInterface> interfaces() const noexcept { return interfaces_; }

    std::uint64_t packets() const noexcept { return packets_; }

    std::uint64_t omitted() const noexcept { return omitted_; }

private:
    std::uint32_t interface_of_events(const flow::Event& event, std::string& to);
    std::uint32_t interface_of(const Packet& packet, std::string& to);
    std::string& next_comment();
    void comment_on(const Packet& packet);

    const Extractor* extractor_;
    CaptureFileOptions options_;
    std::vector<CaptureInterface> interfaces_;
    PlaceTable<std::uint32_t> numbers_;
    InterfaceNames names_;
    std::vector<std::string> comments_; // the first of them: of the current packet
    std::size_t comment_count_ = 0;
    std::optional<std::uint32_t> events_interface_;
    std::uint64_t packets_ = 0, omitted_ = 0;
};

} // namespace etl::packets
