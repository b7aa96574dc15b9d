// Names of IP addresses from the answers that Microsoft-Windows-DNS-Client records. Not
// thread-safe. docs/packets.md#names
#pragma once

#include "packets/packet.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace etl::packets {

class NameTable {
public:
    /// Adds the addresses in the results of a query. At most limits::resolved_names.
    void add(const flow::Event& event);
    void combine(NameTable&& other);

    /// All names, by address and name.
    std::vector<pcapng::ResolvedName> names() const;

private:
    std::set<std::pair<std::vector<std::byte>, std::string>> names_;
};

} // namespace etl::packets
