#include "packets/rundown.hpp"

#include <etl/bytes.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "packets/dissect.hpp"
#include "packets/limits.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace etl::packets {

// What a capture was restricted to, as text.

/// A capture filter of PktMon (100), if it is new and well-formed.
void add_pktmon_filter(std::vector<std::string>& to, Bytes payload);

/// Capture rules of NDIS-PacketCapture (1016, and 1011 after their number), those that are new and
/// well-formed.
void add_ndis_rules(std::vector<std::string>& to, Bytes rules);

namespace {

void add_new(std::vector<std::string>& to, std::string text) {
    const bool is_new = std::ranges::find(to, text) == to.end();
    if (is_new && to.size() < limits::capture_filters) {
        to.push_back(std::move(text));
    }
}

/// `00:15:5d:01:02:03`, `192.0.2.1`
void append_joined(std::string& to, Bytes value, char between) {
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (i != 0) {
            to += between;
        }
        if (between == '.') {
            append_decimal(to, std::to_integer<unsigned>(value[i]));
        } else {
            append_hex_bytes(to, value.subspan(i, 1));
        }
    }
}

/// RuleIdMap of the provider.
std::string_view rule_name(std::uint8_t id) noexcept {
    constexpr std::array<std::string_view, 20> names{"",
                                                     "",
                                                     "frame control",
                                                     "multilayer",
                                                     "interface index",
                                                     "",
                                                     "EtherType",
                                                     "source MAC address",
                                                     "destination MAC address",
                                                     "any MAC address",
                                                     "source IPv4 address",
                                                     "destination IPv4 address",
                                                     "any IPv4 address",
                                                     "source IPv6 address",
                                                     "destination IPv6 address",
                                                     "any IPv6 address",
                                                     "IP protocol",
                                                     "truncate",
                                                     "custom offset from MAC",
                                                     "custom offset from IP"};
    return id < names.size() ? names[id] : std::string_view{};
}

/// DirectiveMap of the provider.
std::string_view directive_name(std::uint8_t directive) noexcept {
    constexpr std::array<std::string_view, 7> names{"off",  "<=",   ">=",   "=",
                                                    "mask", "list", "range"};
    constexpr std::array<std::string_view, 4> negated{"!=", "not mask", "not list", "not range"};
    constexpr std::uint8_t first_negated = 131;
    const std::size_t of_negated = directive - std::size_t{first_negated};
    return directive < names.size()                                    ? names[directive]
           : directive >= first_negated && of_negated < negated.size() ? negated[of_negated]
                                                                       : std::string_view{};
}

/// Addresses as such; of other values the byte order is not documented: their bytes as stored.
void append_rule_value(std::string& to, std::uint8_t id, Bytes value) {
    constexpr std::size_t mac = 6, ipv4 = 4, ipv6 = 16;
    const std::size_t size = id >= 7 && id <= 9     ? mac
                             : id >= 10 && id <= 12 ? ipv4
                             : id >= 13 && id <= 15 ? ipv6
                                                    : 0;
    if (size == 0 || value.empty() || value.size() % size != 0) {
        to += value.empty() ? "" : " bytes ";
        append_hex_bytes(to, value);
        return;
    }
    for (std::size_t at = 0; at < value.size(); at += size) {
        to += ' ';
        const Bytes address = value.subspan(at, size);
        size == mac ? append_joined(to, address, ':') : append_address(to, address);
    }
}

std::string text_of_rule(std::uint8_t id, std::uint8_t directive, Bytes value) {
    constexpr std::uint8_t truncate = 17;
    std::string text = "rule ";
    if (id == truncate && (value.size() == 2 || value.size() == 4)) {
        text += "truncate to ";
        append_decimal(text, value.size() == 2 ? load_le<std::uint16_t>(value.data())
                                               : load_le<std::uint32_t>(value.data()));
        return text + " bytes";
    }
    const std::string_view name = rule_name(id), how = directive_name(directive);
    const auto add = [&](std::string_view word, std::uint8_t number) {
        if (word.empty()) {
            append_decimal(text, number);
        } else {
            text += word;
        }
    };
    add(name, id);
    text += ' ';
    add(how, directive);
    append_rule_value(text, id, value);
    return text;
}

} // namespace

/// 0 in a filter stands for anything.
void add_pktmon_filter(std::vector<std::string>& to, Bytes payload) {
    Cursor in(payload);
    std::string text = "filter ";
    append_decimal(text, in.u16("FilterId"));
    const std::string name = utf8_of(in.zero_terminated16("FilterName"));
    if (!name.empty()) {
        text += " " + name;
    }
    const auto add = [&](std::string_view label, std::uint64_t value, auto append) {
        if (value != 0) {
            text += " ";
            text += label;
            text += " ";
            append(text, value);
        }
    };
    const auto decimal = [](std::string& to_text, std::uint64_t value) {
        append_decimal(to_text, value);
    };
    const auto bytes = [&](std::string_view label, Bytes value, char between) {
        if (std::ranges::any_of(value, [](std::byte b) { return b != std::byte{0}; })) {
            text += " ";
            text += label;
            text += " ";
            append_joined(text, value, between);
        }
    };
    bytes("mac", in.bytes("MacAddress1", 6), ':');
    bytes("mac", in.bytes("MacAddress2", 6), ':');
    add("ethertype", in.u16("EtherType"), append_hex);
    add("vlan", in.u16("VlanId"), decimal);
    bytes("ip", in.bytes("IpAddress1", 4), '.');
    bytes("ip", in.bytes("IpAddress2", 4), '.');
    add("protocol", in.u8("Protocol"), decimal);
    add("port", in.u16("Port1"), decimal);
    add("port", in.u16("Port2"), decimal);
    if (in) {
        add_new(to, std::move(text));
    }
}

void add_ndis_rules(std::vector<std::string>& to, Bytes rules) {
    constexpr std::size_t head = 4;
    Cursor in(rules);
    while (in.left() >= head) {
        const std::uint8_t id = in.u8("RuleId");
        const std::uint8_t directive = in.u8("Directive");
        const Bytes value = in.bytes("Value", in.u16("Length"));
        if (!in) {
            return;
        }
        add_new(to, text_of_rule(id, directive, value));
    }
}

namespace {

namespace property {
constexpr std::uint16_t if_index = 1, miniport_if_index = 2, lower_if_index = 3, medium = 5,
                        physical_address = 6, switch_name = 10, vlan = 16;
} // namespace property

namespace medium {
constexpr std::uint32_t ethernet = 0, wifi = 16;
} // namespace medium

template <std::size_t N>
void add_address(std::vector<std::array<std::byte, N>>& to, Bytes address) {
    std::array<std::byte, N> value;
    std::ranges::copy(address, value.begin());
    const bool is_new = std::ranges::find(to, value) == to.end();
    if (is_new && to.size() < limits::component_addresses) {
        to.push_back(value);
    }
}

void set_property(Component& component, std::uint16_t what, std::uint32_t value) {
    switch (what) {
    case property::if_index:
        component.if_index = value;
        break;
    case property::miniport_if_index:
        component.miniport_if_index = value;
        break;
    case property::lower_if_index:
        component.lower_if_index = value;
        break;
    case property::medium:
        component.medium = value;
        break;
    case property::vlan:
        component.vlan = value;
        break;
    default:
        break;
    }
}

/// Direction tag, packets, and bytes, for each direction.
Counters read_counters(Cursor& in) {
    Counters counters;
    in.u16("DirTagIn");
    counters.packets_in = in.u64("PacketsIn");
    counters.bytes_in = in.u64("BytesIn");
    in.u16("DirTagOut");
    counters.packets_out = in.u64("PacketsOut");
    counters.bytes_out = in.u64("BytesOut");
    return counters;
}

} // namespace

void Rundown::add(const flow::Event& event, EventKind kind) {
    if (!is_rundown(kind)) {
        return;
    }
    const flow::EventHeader header = flow::read_header(event);
    const bool has_space = records_.size() < limits::rundown_records &&
                           header.payload.size() <= limits::rundown_bytes - bytes_;
    if (has_space) {
        bytes_ += header.payload.size();
        records_.push_back({event.raw_time,
                            event.buffer->where.value << 24U | event.offset(),
                            header.id,
                            {header.payload.begin(), header.payload.end()}});
    }
}

void Rundown::combine(Rundown&& other) {
    records_.insert(records_.end(), std::make_move_iterator(other.records_.begin()),
                    std::make_move_iterator(other.records_.end()));
    bytes_ += other.bytes_;
    other = {};
}

void Rundown::finish() {
    std::ranges::sort(records_, {},
                      [](const Record& record) { return std::tuple(record.time, record.order); });
    for (const Record& record : records_) {
        apply(record);
    }
    records_ = {};
    find_converted();
    find_virtual_functions();
}

const Component* Rundown::component(std::uint32_t id) const noexcept {
    const auto found =
        id <= 0xFFFF ? components_.find(static_cast<std::uint16_t>(id)) : components_.end();
    return found == components_.end() ? nullptr : &found->second;
}

void Rundown::apply(const Record& record) {
    constexpr std::uint16_t component = 20, drop_counters = 80, flow_counters = 90, filter = 100,
                            rules = 1011, layer_load = 1014, layer_unload = 1015, rule = 1016,
                            source = 5101;
    switch (record.id) {
    case component: {
        Cursor in(record.payload);
        const std::uint16_t id = in.u16("Id");
        const std::uint16_t type = in.u16("Type");
        const Bytes name = in.zero_terminated16("Name");
        const Bytes description = in.zero_terminated16("Description");
        if (in) {
            Component& one = components_[id];
            one.is_described = true;
            one.type = type;
            one.name = utf8_of(name);
            one.description = utf8_of(description);
        }
        break;
    }
    case drop_counters:
    case flow_counters:
        apply_counters(record.id, record.payload);
        break;
    case filter:
        add_pktmon_filter(filters_, record.payload);
        break;
    case rules:
        add_ndis_rules(rules_,
                       clamped(record.payload, sizeof(std::uint32_t))); // after their number
        break;
    case rule:
        add_ndis_rules(rules_, record.payload);
        break;
    case layer_load:
    case layer_unload:
        apply_layer(record.payload);
        break;
    case source:
        apply_source(record.payload);
        break;
    default:
        apply_property(record.id, record.payload);
        break;
    }
}

void Rundown::apply_property(std::uint16_t id, Bytes payload) {
    constexpr std::uint16_t number32 = 30, number16 = 60, ipv4 = 65, ipv6 = 66, bytes = 70,
                            text = 73;
    Cursor in(payload);
    const std::uint16_t number = in.u16("ComponentId");
    const std::uint16_t what = in.u16("Property");
    if (!in) {
        return;
    }
    Component& component = components_[number];
    if (id == number32 || id == number16) {
        const std::uint32_t value = id == number32 ? in.u32("Value") : in.u16("Value");
        if (in) {
            set_property(component, what, value);
        }
    } else if (id == ipv4) {
        if (const Bytes address = in.bytes("Address", 4); in) {
            add_address(component.ipv4, address);
        }
    } else if (id == ipv6) {
        if (const Bytes address = in.bytes("Address", 16); in) {
            add_address(component.ipv6, address);
        }
    } else if (id == bytes && what == property::physical_address) {
        const Bytes address = in.bytes("Address", in.u32("Size"));
        if (in && address.size() == component.mac.emplace().size()) {
            std::ranges::copy(address, component.mac->begin());
        } else {
            component.mac.reset();
        }
    } else if (id == text && what == property::switch_name) {
        component.switch_name = utf8_of(in.zero_terminated16("Name"));
    }
}

void Rundown::apply_counters(std::uint16_t id, Bytes payload) {
    constexpr std::uint16_t flow_counters = 90;
    Cursor in(payload);
    const std::uint16_t number = in.u16("ComponentId");
    if (id == flow_counters) {
        const Bytes name = in.zero_terminated16("EdgeName");
        const std::uint16_t edge = in.u16("EdgeId");
        const Counters counters = read_counters(in);
        if (in) {
            components_[number].edges[edge] = {utf8_of(name), counters};
        }
    } else if (const Counters counters = read_counters(in); in) {
        components_[number].drops = counters;
    }
}

void Rundown::apply_source(Bytes payload) {
    Cursor in(payload);
    in.u8("SourceId");
    const Bytes name = in.zero_terminated16("SourceName");
    const std::uint32_t index = in.u32("IfIndex");
    if (in) {
        sources_[index] = utf8_of(name);
    }
}

void Rundown::apply_layer(Bytes payload) {
    Cursor in(payload);
    const std::uint32_t adapter = in.u32("MiniportIfIndex");
    const std::uint32_t index = in.u32("LowerIfIndex");
    const std::uint32_t medium = in.u32("MediaType");
    if (in) {
        layers_[index] = {adapter, medium};
    }
}

/// A filter with Ethernet as its medium over an 802.11 adapter is the converter (nwifi.sys): what
/// is above it takes its medium from the adapter, but sees Ethernet frames.
void Rundown::find_converted() {
    constexpr std::uint16_t filter = 3;
    std::map<std::uint32_t, std::uint32_t> media, converters; // by index of the adapter
    for (const auto& [id, one] : components_) {
        if (one.is_adapter() && one.if_index && one.medium) {
            media[*one.if_index] = *one.medium;
        }
    }
    for (const auto& [id, one] : components_) {
        const auto adapter = media.find(one.miniport_if_index.value_or(0));
        if (one.type == filter && one.medium == medium::ethernet && one.miniport_if_index &&
            adapter != media.end() && adapter->second == medium::wifi) {
            converters[*one.miniport_if_index] = one.if_index.value_or(0);
        }
    }
    for (const auto& [id, one] : components_) {
        const auto converter = converters.find(one.miniport_if_index.value_or(0));
        if (one.miniport_if_index && converter != converters.end() &&
            one.if_index.value_or(0) > converter->second) {
            above_converter_.push_back(id);
        }
    }
}

/// The protocol by which netvsc.sys uses the adapter of its virtual function has this name.
void Rundown::find_virtual_functions() {
    const bool has_netvsc = std::ranges::any_of(components_, [](const auto& entry) {
        return entry.second.is_adapter() && equals_ignoring_case(entry.second.name, "netvsc.sys");
    });
    for (const auto& [id, one] : components_) {
        if (has_netvsc && one.description == "NETVSCVFPP" && one.miniport_if_index) {
            virtual_functions_.push_back(*one.miniport_if_index);
        }
    }
}

bool Rundown::is_virtual_function(const Component& component) const noexcept {
    return component.is_adapter() && component.if_index &&
           std::ranges::find(virtual_functions_, *component.if_index) != virtual_functions_.end();
}

bool Rundown::is_above_adapter(std::uint32_t interface, std::uint32_t miniport) const noexcept {
    return interface != miniport && layers_.contains(miniport) && layers_.contains(interface);
}

std::optional<bool> Rundown::is_ethernet(std::uint16_t component) const noexcept {
    if (!components_.contains(component)) {
        return std::nullopt;
    }
    return std::ranges::binary_search(above_converter_, component);
}

} // namespace etl::packets
