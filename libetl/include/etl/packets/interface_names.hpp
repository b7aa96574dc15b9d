// Names of the places where packets were captured: unique, and the same in every output of a trace.
// Not thread-safe. docs/packets.md#interfaces
#pragma once

#include <etl/packets/extractor.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>

namespace etl::packets {

class InterfaceNames {
public:
    /// `extractor` outlives it. If packets come from several traces, the names contain those of the
    /// traces.
    InterfaceNames(const Extractor& extractor, bool several_traces)
        : extractor_(&extractor), several_traces_(several_traces) {}

    /// Returns `pktmon:13 nic.sys edge 1`, `ndis:7`, `switch:15 port 3 vlan 20`, `ras:USER`. If a
    /// place has packets of several link types, names of further ones end with the type.
    const std::string& of(const Packet& packet);

private:
    const Extractor* extractor_;
    bool several_traces_;
    std::map<std::pair<Place, LinkType>, std::string> names_;
    std::set<std::string> taken_;
};

} // namespace etl::packets
