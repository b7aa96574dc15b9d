#include "packets/files/interface_texts.hpp"

#include <etl/base/file_name.hpp>
#include <etl/packets/interface_names.hpp>

#include <array>

namespace etl::packets {

namespace {

constexpr std::array<std::string_view, 16> component_types{"",
                                                           "NDIS",
                                                           "miniport",
                                                           "filter",
                                                           "protocol",
                                                           "switch NIC",
                                                           "switch miniport",
                                                           "switch extension",
                                                           "switch protocol NIC",
                                                           "NetVsc miniport",
                                                           "HTTP protocol",
                                                           "IP layer",
                                                           "load balancer",
                                                           "IPsec",
                                                           "NetCx adapter",
                                                           "HTTP message"};

const Rundown* rundown_of(const Place& place, const Extractor& extractor) noexcept {
    const Rundowns& all = extractor.rundowns();
    return place.trace < all.size() ? all[place.trace].get() : nullptr;
}

void add_part(std::string& to, std::string_view part) {
    if (!part.empty()) {
        to += to.empty() ? "" : "; ";
        to += part;
    }
}

std::string description_of(const Component& component, std::uint32_t port) {
    std::string text = component.description;
    add_part(text, component.type < component_types.size() ? component_types[component.type] : "");
    const auto edge = component.edges.find(static_cast<std::uint16_t>(port));
    if (port != 0 && edge != component.edges.end() && !edge->second.name.empty()) {
        add_part(text, "edge " + edge->second.name);
    }
    add_part(text, component.switch_name);
    if (component.if_index) {
        add_part(text, "interface index " + std::to_string(*component.if_index));
    }
    if (component.vlan.value_or(0) != 0) {
        add_part(text, "VLAN " + std::to_string(*component.vlan));
    }
    return text;
}

/// The component that has the name of an interface of NDIS-PacketCapture.
void describe_ndis(const Place& place, const Rundown* rundown, pcapng::Interface& to) {
    if (rundown != nullptr) {
        const auto source = rundown->sources().find(place.id);
        to.description = source == rundown->sources().end() ? "" : source->second;
    }
}

} // namespace

const Component* component_at(const Place& place, const Extractor& extractor) noexcept {
    const Rundown* const rundown = rundown_of(place, extractor);
    return rundown != nullptr && place.kind == Place::Kind::pktmon ? rundown->component(place.id)
                                                                   : nullptr;
}

std::string name_of(const Packet& packet, const Extractor& extractor) {
    const Place& place = packet.place;
    const std::string id = std::to_string(place.id);
    switch (place.kind) {
    case Place::Kind::pktmon: {
        const Component* const component = component_at(place, extractor);
        const std::string name = component != nullptr && !component->name.empty()
                                     ? " " + component->name
                                     : std::string();
        return "pktmon:" + id + name +
               (place.port != 0 ? " edge " + std::to_string(place.port) : "");
    }
    case Place::Kind::ndis:
        return "ndis:" + id;
    case Place::Kind::virtual_switch:
        return "switch:" + id + " port " + std::to_string(place.port) +
               (place.vlan != 0 ? " vlan " + std::to_string(place.vlan) : "");
    case Place::Kind::remote_access:
        break;
    }
    return "ras:" + (place.id < extractor.users().size() ? extractor.users()[place.id].user : id);
}

pcapng::Interface interface_at(const Packet& packet, const Extractor& extractor) {
    const Place& place = packet.place;
    const Rundown* const rundown = rundown_of(place, extractor);
    pcapng::Interface interface;
    interface.link = packet.link;
    if (const Component* const component = component_at(place, extractor)) {
        interface.description = description_of(*component, place.port);
        interface.ipv4 = component->ipv4;
        interface.ipv6 = component->ipv6;
        interface.mac = component->mac;
    } else if (place.kind == Place::Kind::ndis) {
        describe_ndis(place, rundown, interface);
    } else if (const SwitchPort* const port = extractor.switch_port(place)) {
        add_part(interface.description, port->nic);
        add_part(interface.description, port->type);
        add_part(interface.description, port->port);
    } else if (place.kind == Place::Kind::remote_access && place.id < extractor.users().size()) {
        interface.description = "routing domain " + extractor.users()[place.id].domain;
    }
    if (rundown != nullptr && place.kind == Place::Kind::pktmon) {
        for (const std::string& filter : rundown->filters()) {
            add_part(interface.filter, filter);
        }
    }
    return interface;
}

std::string_view stem_of(const flow::TraceInfo& trace) noexcept {
    const std::string_view name = file_name_of(trace.name);
    return name.substr(0, name.find('.', 1));
}

const std::string& InterfaceNames::of(const Packet& packet) {
    const auto [entry, is_new] = names_.try_emplace({packet.place, packet.link});
    std::string& name = entry->second;
    if (!is_new) {
        return name;
    }
    std::string by_place = name_of(packet, *extractor_);
    if (several_traces_) {
        by_place += " [" + std::string(stem_of(*packet.trace)) + "]";
    }
    name = by_place;
    for (unsigned i = 1; !taken_.insert(name).second; ++i) {
        name =
            by_place + " " + (i == 1 ? std::string(pcapng::name(packet.link)) : std::to_string(i));
    }
    return name;
}

} // namespace etl::packets
