// Names of drop reasons and drop locations of PktMon: those of the schema that the trace carries,
// which has the wording of the Windows version, else the built-in ones. Not thread-safe.
#pragma once

#include "packets/packet.hpp"
#include "schema/schema_store.hpp"

#include <map>
#include <memory>
#include <string>

namespace etl::packets {

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

} // namespace etl::packets
