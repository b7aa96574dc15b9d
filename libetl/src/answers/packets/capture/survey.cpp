#include "packets/survey.hpp"

#include "base/address_text.hpp"
#include "base/cursor.hpp"
#include "format/known_guids.hpp"
#include "packets/limits.hpp"
#include "packets/rundown.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace etl::packets {

namespace {

constexpr std::size_t ipv4_size = 4, ipv6_size = 16;

/// `192.0.2.1`, `::ffff:192.0.2.1`, or an IPv6 address; empty: none of them.
std::vector<std::byte> address_of(std::string_view text) {
    std::array<std::byte, ipv6_size> bytes{};
    if (put_ipv4(bytes.data(), text) != nullptr) {
        return {bytes.begin(), bytes.begin() + ipv4_size};
    }
    if (put_ipv6(bytes.data(), text) == nullptr) {
        return {};
    }
    constexpr std::byte zero{0}, ones{0xFF};
    constexpr std::array<std::byte, 12> mapped{zero, zero, zero, zero, zero, zero,
                                               zero, zero, zero, zero, ones, ones};
    const bool is_mapped = std::equal(mapped.begin(), mapped.end(), bytes.begin());
    return {bytes.begin() + (is_mapped ? mapped.size() : 0), bytes.end()};
}

} // namespace

/// QueryName; type, options, and status, or type, indices, and status: 16 bytes; QueryResults:
/// addresses and other records, separated by semicolons.
void NameTable::add(const flow::Event& event) {
    constexpr std::size_t numbers = 16;
    const flow::EventHeader header = flow::read_header(event);
    Cursor in(header.payload);
    const Bytes query = in.zero_terminated16("QueryName");
    in.bytes("numbers", numbers);
    const Bytes results = in.zero_terminated16("QueryResults");
    if (!in || query.empty()) {
        return;
    }
    const std::string name = utf8_of(query);
    const std::string text = utf8_of(results);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(';', at), text.size());
        std::vector<std::byte> address = address_of(std::string_view(text).substr(at, end - at));
        if (!address.empty() && names_.size() < limits::resolved_names) {
            names_.emplace(std::move(address), name);
        }
        at = end + 1;
    }
}

void NameTable::combine(NameTable&& other) {
    names_.merge(other.names_);
}

std::vector<pcapng::ResolvedName> NameTable::names() const {
    std::vector<pcapng::ResolvedName> all;
    for (const auto& [address, name] : names_) {
        all.push_back({address, name});
    }
    return all;
}

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
