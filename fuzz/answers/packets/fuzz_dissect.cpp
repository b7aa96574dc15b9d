// A byte for the link type, then a packet. Beyond "does not crash": what is found is inside.
#include "fuzz/require.hpp"
#include "packets/dissect.hpp"

#include <array>

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using packets::LinkType;
    constexpr std::array<LinkType, 4> links{LinkType::ethernet, LinkType::ip, LinkType::wifi,
                                            LinkType::none};
    if (size == 0) {
        return 0;
    }
    packets::Packet packet;
    packet.link = links[data[0] % links.size()];
    packet.data = std::as_bytes(std::span(data, size)).subspan(1);
    packet.original_size = packets::original_size_of(packet.data, packet.link);
    fuzz::require(packet.original_size >= packet.data.size());
    const packets::Dissection headers = packets::dissect(packet);
    fuzz::require(headers.header_size <= packet.data.size());
    for (const Bytes part :
         {headers.source_mac, headers.destination_mac, headers.source, headers.destination}) {
        fuzz::require(fuzz::lies_inside(part, packet.data));
    }
    fuzz::require(headers.source.size() == headers.destination.size());
    std::string text;
    append_packet_text(text, packet, headers);
    fuzz::require(!text.empty() && text.size() < 1000);
    return 0;
}
