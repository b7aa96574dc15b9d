#include "packets/survey.hpp"

#include "format/known_guids.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace etl::packets {

namespace {

using namespace etl::literals;

/// Providers of the network stack, and the kernel's classes TcpIp and UdpIp.
constexpr std::array<Guid, 5> network_providers{
    "2f07e2ee-15db-40f1-90ef-9d7ba282188a"_guid, // Microsoft-Windows-TCPIP
    "e53c6823-7bb8-44bb-90dc-3f86090d48a6"_guid, // Microsoft-Windows-Winsock-AFD
    format::kernel_network_guid,
    "9a280ac0-c8e0-11d1-84e2-00c04fb998a2"_guid, // TcpIp
    "bf3a50c5-a9c9-4988-a005-2df0b7c80f80"_guid, // UdpIp
};

bool is_of_network(const flow::Event& event) noexcept {
    const Guid provider = flow::read_header(event).provider;
    return std::ranges::find(network_providers, provider) != network_providers.end();
}

} // namespace

void Survey::add(flow::Run run) {
    events += run.size();
    for (const flow::Event& event : run) {
        const EventKind kind = kind_of(event);
        switch (kind) {
        case EventKind::none:
            unknown_layouts += has_unknown_layout(event) ? 1U : 0U;
            network += is_of_network(event) ? 1U : 0U;
            break;
        case EventKind::dns_answer:
            names.add(event);
            break;
        case EventKind::pktmon_rundown:
            ++pktmon_rundown;
            rundown.add(event, kind);
            break;
        case EventKind::ndis_source:
        case EventKind::ndis_rule:
        case EventKind::ndis_layer:
            rundown.add(event, kind);
            [[fallthrough]];
        case EventKind::ndis_other:
        case EventKind::ndis_wifi:
            ++ndis_capture;
            break;
        case EventKind::pktmon_packet:
        case EventKind::pktmon_drop:
        case EventKind::ndis_packet:
        case EventKind::ndis_switch:
        case EventKind::ras_packet:
            ++packets;
            drops += kind == EventKind::pktmon_drop ? 1U : 0U;
            break;
        }
    }
}

void Survey::combine(Survey&& other) {
    events += other.events;
    packets += other.packets;
    drops += other.drops;
    unknown_layouts += other.unknown_layouts;
    pktmon_rundown += other.pktmon_rundown;
    ndis_capture += other.ndis_capture;
    network += other.network;
    rundown.combine(std::move(other.rundown));
    names.combine(std::move(other.names));
}

std::uint64_t Survey::counted_packets() const {
    std::uint64_t sum = 0;
    for (const auto& [id, component] : rundown.components()) {
        for (const auto& [number, edge] : component.edges) {
            sum += edge.flow.packets();
        }
    }
    return sum;
}

NoPackets why_no_packets(const Survey& survey) {
    return survey.unknown_layouts > 0                                  ? NoPackets::unknown_layout
           : survey.pktmon_rundown > 0 && survey.counted_packets() > 0 ? NoPackets::counted_only
           : survey.pktmon_rundown > 0                                 ? NoPackets::nothing_seen
           : survey.ndis_capture > 0                                   ? NoPackets::capture_idle
           : survey.network > 0                                        ? NoPackets::not_captured
                                : NoPackets::not_a_network_trace;
}

} // namespace etl::packets
