#include "packets/capture_names.hpp"

#include "base/file_name.hpp"
#include "base/text.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

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

void add_part(std::string& to, std::string_view part) {
    if (!part.empty()) {
        to += to.empty() ? "" : "; ";
        to += part;
    }
}

std::string description_of(const Component& component, std::uint32_t port) {
    std::string text = component.has_name() ? component.description : "";
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

std::string_view medium_name(std::uint32_t medium) noexcept {
    constexpr std::uint32_t ethernet = 0, wifi = 16, mobile = 19;
    return medium == ethernet ? "Ethernet"
           : medium == wifi   ? "802.11"
           : medium == mobile ? "mobile broadband"
                              : "";
}

/// The name of an interface of NDIS-PacketCapture, and its adapter.
void describe_ndis(const Place& place, const Rundown& rundown, pcapng::Interface& to) {
    if (const auto source = rundown.sources().find(place.id); source != rundown.sources().end()) {
        to.description = source->second;
    }
    if (const auto layer = rundown.layers().find(place.id); layer != rundown.layers().end()) {
        add_part(to.description, medium_name(layer->second.medium));
        add_part(to.description,
                 "adapter interface index " + std::to_string(layer->second.miniport_if_index));
    }
}

/// What the capture was restricted to.
const std::vector<std::string>& filters_at(const Place& place, const Rundown& rundown) noexcept {
    static const std::vector<std::string> none;
    switch (place.kind) {
    case Place::Kind::pktmon:
        return rundown.filters();
    case Place::Kind::ndis:
    case Place::Kind::virtual_switch:
        return rundown.rules();
    case Place::Kind::remote_access:
        break;
    }
    return none;
}

} // namespace

const Component* component_at(const Place& place, const Extractor& extractor) noexcept {
    const Rundown* const rundown = extractor.rundown(place.trace);
    return rundown != nullptr && place.kind == Place::Kind::pktmon ? rundown->component(place.id)
                                                                   : nullptr;
}

std::string name_of(const Place& place, const Extractor& extractor) {
    const std::string id = std::to_string(place.id);
    switch (place.kind) {
    case Place::Kind::pktmon: {
        const Component* const component = component_at(place, extractor);
        const std::string name = component != nullptr ? component->known_name() : std::string();
        return "pktmon:" + id + (name.empty() ? "" : " ") + name +
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
    const Rundown* const rundown = extractor.rundown(place.trace);
    pcapng::Interface interface;
    interface.link = packet.link;
    if (const Component* const component = component_at(place, extractor)) {
        interface.description = description_of(*component, place.port);
        interface.ipv4 = component->ipv4;
        interface.ipv6 = component->ipv6;
        interface.mac = component->mac;
    } else if (place.kind == Place::Kind::ndis && rundown != nullptr) {
        describe_ndis(place, *rundown, interface);
    } else if (const SwitchPort* const port = extractor.switch_port(place)) {
        add_part(interface.description, port->nic);
        add_part(interface.description, port->type);
        add_part(interface.description, port->port);
    } else if (place.kind == Place::Kind::remote_access && place.id < extractor.users().size()) {
        interface.description = "routing domain " + extractor.users()[place.id].domain;
    }
    if (rundown != nullptr) {
        for (const std::string& filter : filters_at(place, *rundown)) {
            add_part(interface.filter, filter);
        }
    }
    return interface;
}

namespace {

std::string labelled(const std::string& name, const std::string& trace) {
    return name + " [" + trace + "]";
}

/// The last `parts` of a path, the last one without extensions.
std::string_view end_of(std::string_view path, std::size_t parts) noexcept {
    const std::size_t dot = path.find('.', path.size() - file_name_of(path).size() + 1);
    std::size_t begin = path.size() - file_name_of(path).size();
    for (; parts > 1 && begin > 1; --parts) {
        const std::size_t separator = path.find_last_of(path_separators, begin - 2);
        begin = separator == std::string_view::npos ? 0 : separator + 1;
    }
    return path.substr(begin, dot == std::string_view::npos ? dot : dot - begin);
}

} // namespace

TraceLabels labels_of(std::span<const std::string> traces) {
    constexpr std::size_t max_parts = 8;
    TraceLabels labels(traces.size());
    std::vector<std::size_t> parts(traces.size(), 1);
    const auto is_shared = [&](const std::string& label) {
        return std::ranges::count(labels, label) > 1;
    };
    for (std::size_t round = 1; round <= max_parts; ++round) {
        for (std::size_t i = 0; i < traces.size(); ++i) {
            labels[i] = end_of(traces[i], parts[i]);
        }
        for (std::size_t i = 0; i < traces.size(); ++i) {
            parts[i] += is_shared(labels[i]) ? 1U : 0U;
        }
    }
    std::map<std::string, std::size_t> seen;
    for (std::string& label : labels) {
        const std::size_t number = ++seen[label];
        label += number > 1 ? " " + std::to_string(number) : "";
    }
    return labels;
}

std::vector<std::string> names_of(const Place& place, const Extractor& extractor,
                                  const TraceLabels& labels) {
    std::vector<std::string> names{name_of(place, extractor)};
    if (place.trace < labels.size()) {
        names.push_back(labelled(names.front(), labels[place.trace]));
    }
    const Rundown* const rundown = extractor.rundown(place.trace);
    if (const Component* const component = component_at(place, extractor)) {
        names.insert(names.end(), {component->known_name(), component->description});
    } else if (const SwitchPort* const port = extractor.switch_port(place)) {
        names.insert(names.end(), {port->port, port->nic, port->type});
    } else if (place.kind == Place::Kind::remote_access && place.id < extractor.users().size()) {
        names.push_back(extractor.users()[place.id].user);
    } else if (place.kind == Place::Kind::ndis && rundown != nullptr &&
               rundown->sources().contains(place.id)) {
        names.push_back(rundown->sources().at(place.id));
    }
    return names;
}

const std::string& InterfaceNames::of(const Packet& packet) {
    const Place& place = packet.place;
    const auto [entry, is_new] = names_.try_emplace({place, packet.link});
    std::string& name = entry->second;
    if (!is_new) {
        return name;
    }
    std::string by_place = name_of(place, *extractor_);
    if (place.trace < labels_.size()) {
        by_place = labelled(by_place, labels_[place.trace]);
    }
    const auto after = std::next(entry);
    const bool has_other_link = names_.lower_bound({place, LinkType{}}) != entry ||
                                (after != names_.end() && after->first.first == place);
    const auto take = [&](const std::string& suffix) {
        name = by_place + suffix;
        return taken_.insert(name).second;
    };
    bool is_taken =
        take("") || (has_other_link && take(" " + std::string(pcapng::name(packet.link))));
    for (unsigned number = 2; !is_taken; ++number) {
        is_taken = take(" " + std::to_string(number));
    }
    return name;
}

namespace {

using Names = std::map<std::uint32_t, std::string>;

void read_map(const schema::EventSchema& schema, std::string_view field, Names& to) {
    for (const schema::Field& one : schema.fields) {
        if (one.name == field && one.map < schema.maps.size()) {
            const auto& entries = schema.maps[one.map]->entries;
            to.insert(entries.begin(), entries.end());
        }
    }
}

void append_named(std::string& to, const Names& names, std::uint32_t code,
                  void (*append_code)(std::string&, std::uint32_t)) {
    const auto name = names.find(code);
    if (name == names.end()) {
        append_code(to, code);
        return;
    }
    to += name->second;
    to += " (";
    append_code(to, code);
    to += ")";
}

void append_decimal_code(std::string& to, std::uint32_t code) {
    append_decimal(to, code);
}

void append_hex_code(std::string& to, std::uint32_t code) {
    append_hex(to, code);
}

} // namespace

bool has_known_layout(const schema::EventSchema& schema) noexcept {
    // The sizes of PktGroupId to LoggedPayloadSize.
    constexpr std::array<std::size_t, 12> sizes{8, 2, 2, 2, 2, 2, 2, 2, 4, 4, 2, 2};
    return schema.fields.size() > sizes.size() &&
           std::ranges::equal(
               sizes, std::span(schema.fields).first(sizes.size()), {}, {},
               [](const schema::Field& field) {
                   const bool is_scalar = field.count.kind == schema::Extent::Kind::natural;
                   return is_scalar ? schema::fixed_size(field.in_type, 8) : std::size_t{0};
               });
}

const DropNames::Tables& DropNames::tables_of(std::uint32_t trace) {
    constexpr std::uint16_t drop_event = 170;
    const std::uint16_t number = schemas_.number_of(trace);
    const auto known = tables_.find(number);
    if (known != tables_.end()) {
        return known->second;
    }
    Tables& tables = tables_[number];
    if (const auto& store = schemas_.store_for(trace)) {
        const schema::Match match = store->find({format::pktmon_guid, drop_event, 0});
        for (const schema::EventSchema* const schema : match.candidates) { // the best one first
            read_map(*schema, "DropReason", tables.reasons);
            read_map(*schema, "DropLocation", tables.locations);
        }
    }
    return tables;
}

void DropNames::append(std::string& to, const Drop& drop, std::uint32_t trace) {
    const Tables& tables = tables_of(trace);
    append_named(to, tables.reasons, drop.reason, append_decimal_code);
    to += " at ";
    append_named(to, tables.locations, drop.location, append_hex_code);
}

std::string DropNames::reason(const Drop& drop, std::uint32_t trace) {
    const Tables& tables = tables_of(trace);
    const auto name = tables.reasons.find(drop.reason);
    return name != tables.reasons.end() ? name->second : std::to_string(drop.reason);
}

} // namespace etl::packets
