// Names of the places where packets were captured: unique, and the same in every output of a trace.
// Not thread-safe. docs/packets.md#interfaces
#pragma once

#include "packets/extractor.hpp"

#include <map>
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

} // namespace etl::packets
