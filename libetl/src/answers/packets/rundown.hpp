// What a capture records about itself: the components of the network stack, their counters, capture
// filters, names of interfaces. PktMon writes it when the capture stops, after all packets.
// docs/packets.md#interfaces
#pragma once

#include "base/text.hpp"
#include "packets/packet.hpp"

#include <map>
#include <string>
#include <vector>

namespace etl::packets {

/// Packets and bytes in both directions.
struct Counters {
    std::uint64_t packets_in = 0, bytes_in = 0, packets_out = 0, bytes_out = 0;

    std::uint64_t packets() const noexcept { return packets_in + packets_out; }
};

/// An edge of a component: packets enter and leave there.
struct Edge {
    std::string name; // "Upper", "Lower"
    Counters flow;
};

/// A component of PktMon: an adapter, a filter, a protocol, ...
struct Component {
    bool is_described = false; // otherwise only properties or counters are known
    std::uint16_t type = 0;    // ComponentType of the provider: 2 miniport, 3 filter, 14 NetCx
    std::string name, description, switch_name;
    std::optional<std::uint32_t> if_index, miniport_if_index, lower_if_index;
    std::optional<std::uint32_t> medium; // NdisMedium: 0 Ethernet, 16 802.11, 19 mobile broadband
    std::optional<std::uint32_t> vlan;
    std::optional<pcapng::Mac> mac;
    std::vector<pcapng::Ipv4> ipv4;
    std::vector<pcapng::Ipv6> ipv6;
    std::optional<Counters> drops;
    std::map<std::uint16_t, Edge> edges;

    /// `name`, or `description` if the component has none, which PktMon writes as NULL.
    const std::string& known_name() const noexcept { return has_name() ? name : description; }

    bool has_name() const noexcept { return !name.empty() && name != "NULL"; }

    /// A network adapter: a miniport or a NetAdapterCx client.
    bool is_adapter() const noexcept { return type == 2 || type == 14; }
};

/// The adapter of an interface, as NDIS-PacketCapture records it.
struct Layer {
    std::uint32_t miniport_if_index = 0;
    std::uint32_t medium = 0; // NdisMedium
};

/// The rundown of one trace. Immutable when complete; then thread-safe.
class Rundown {
public:
    /// Applies the events of a rundown, which may come in any order; for each value, the latest
    /// event counts. At most limits::rundown_records.
    void add(const flow::Event& event, EventKind kind);

    /// Adds the events of another part of the same trace.
    void combine(Rundown&& other);

    /// Must be called after the last event and before any of the functions below.
    void finish();

    const std::map<std::uint16_t, Component>& components() const noexcept { return components_; }

    /// Null: unknown.
    const Component* component(std::uint32_t id) const noexcept;

    /// Names of interfaces by index, as NDIS-PacketCapture records them.
    const std::map<std::uint32_t, std::string>& sources() const noexcept { return sources_; }

    /// Adapters of interfaces by index, as NDIS-PacketCapture records them.
    const std::map<std::uint32_t, Layer>& layers() const noexcept { return layers_; }

    /// Capture filters of PktMon, as text.
    const std::vector<std::string>& filters() const noexcept { return filters_; }

    /// Capture rules of NDIS-PacketCapture, as text.
    const std::vector<std::string>& rules() const noexcept { return rules_; }

    /// Whether packets that PktMon calls 802.11 are Ethernet at this component: it is above the
    /// filter that converts frames. Nothing if the rundown does not show it.
    std::optional<bool> is_ethernet(std::uint16_t component) const noexcept;

    /// Whether a component is the adapter of a virtual function whose packets also pass the adapter
    /// of Hyper-V (netvsc.sys) that it belongs to.
    bool is_virtual_function(const Component& component) const noexcept;

    /// Whether an interface of NDIS-PacketCapture is above another one of the same adapter, where
    /// its packets are captured, too.
    bool is_above_adapter(std::uint32_t interface, std::uint32_t miniport) const noexcept;

private:
    struct Record {
        std::int64_t time = 0;
        std::uint64_t order = 0; // of records with equal times
        std::uint16_t id = 0;
        std::vector<std::byte> payload;
    };

    void apply(const Record& record);
    void apply_property(std::uint16_t id, Bytes payload);
    void apply_counters(std::uint16_t id, Bytes payload);
    void apply_source(Bytes payload);
    void apply_layer(Bytes payload);
    void find_converted();
    void find_virtual_functions();

    std::vector<Record> records_;
    std::size_t bytes_ = 0;
    std::map<std::uint16_t, Component> components_;
    std::map<std::uint32_t, std::string> sources_;
    std::map<std::uint32_t, Layer> layers_;
    std::vector<std::string> filters_, rules_;
    std::vector<std::uint16_t> above_converter_;   // sorted
    std::vector<std::uint32_t> virtual_functions_; // indices of adapters
};

// UTF-16 in payloads as text.

inline std::string utf8_of(Bytes units) {
    std::string text;
    append_utf16le(text, units);
    return text;
}

} // namespace etl::packets
