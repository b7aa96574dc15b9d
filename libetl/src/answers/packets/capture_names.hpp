// Names of the places where packets were captured: unique, and the same in every output of a trace.
// Not thread-safe. docs/packets.md#interfaces
#pragma once

#include "packets/extractor.hpp"
#include "packets/packet.hpp"
#include "schema/schema_store.hpp"

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace etl::packets {

/// What tells the traces of a capture apart: empty for a single one, else by flow::TraceInfo::file.
using TraceLabels = std::vector<std::string>;

/// Returns the file names of several traces without extension, each with as many directories as
/// make it different from the others; a number is appended to the rest. The file of traces[i] is i.
TraceLabels labels_of(std::span<const std::string> traces);

/// Returns all texts that a place can be called by: the name of its interface, with and without the
/// label of its trace, and the names that the capture recorded. Some can be empty.
std::vector<std::string> names_of(const Place& place, const Extractor& extractor,
                                  const TraceLabels& labels = {});

class InterfaceNames {
public:
    /// `extractor` outlives it. If there are labels, the names contain them.
    explicit InterfaceNames(const Extractor& extractor, TraceLabels labels = {})
        : extractor_(&extractor), labels_(std::move(labels)) {}

    /// Returns `pktmon:13 nic.sys edge 1`, `ndis:7`, `switch:15 port 3 vlan 20`, `ras:USER`. If a
    /// place has packets of several link types, names of further ones end with the type; those of
    /// other places with the same name, such as a user in two routing domains, with a number.
    const std::string& of(const Packet& packet);

private:
    const Extractor* extractor_;
    TraceLabels labels_;
    std::map<std::pair<Place, LinkType>, std::string> names_;
    std::set<std::string> taken_;
};

// Names of drop reasons and drop locations of PktMon: those of the schema that the trace carries,
// which has the wording of the Windows version, else the built-in ones. Not thread-safe.

/// Whether a schema of PktMon 160 or 170 has the layout by which packets are extracted, up to the
/// packet.
bool has_known_layout(const schema::EventSchema& schema) noexcept;

class DropNames {
public:
    /// The schemas must contain that of PktMon 170; else codes are shown as numbers.
    explicit DropNames(schema::SchemasByTrace schemas = {}) : schemas_(std::move(schemas)) {}

    /// Appends `INET_EndpointNotFound (1204) at INET_UDP_ENDPOINT (0xe0004602)`; codes without a
    /// name as numbers alone.
    void append(std::string& to, const Drop& drop, std::uint32_t trace);

    /// The same without codes: `INET_EndpointNotFound`; a code without a name as its number.
    std::string reason(const Drop& drop, std::uint32_t trace);

private:
    struct Tables {
        std::map<std::uint32_t, std::string> reasons, locations;
    };

    const Tables& tables_of(std::uint32_t trace);

    schema::SchemasByTrace schemas_;
    std::map<std::uint16_t, Tables> tables_; // by number of the store
};

// How a place of capture is named and described.

/// `pktmon:13 nic.sys edge 1`, `ndis:7`, `switch:15 port 3 vlan 20`, `ras:USER`.
std::string name_of(const Place& place, const Extractor& extractor);

/// All that the capture recorded about the place, except the name and the system.
pcapng::Interface interface_at(const Packet& packet, const Extractor& extractor);

/// Null: not a component of PktMon, or unknown.
const Component* component_at(const Place& place, const Extractor& extractor) noexcept;

} // namespace etl::packets
