// Corrections to the fields of known schemas: a template can state fewer elements than records
// contain, and manifest dumps lose out types. The table is schemas/field-facts.csv; each row names
// its source. docs/format/decoding.md#known-fields
#pragma once

#include <etl/guid.hpp>

#include "schema/event_schema.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace etl::schema {

/// Corrects the fields listed in the table. A row applies only if the field has the row's in type;
/// an out type stated in the schema is kept. Returns whether anything changed. Idempotent.
bool apply_field_facts(EventSchema& schema);

/// Returns the schema itself if no correction applies, otherwise a corrected copy. `schema` must
/// not be null.
std::shared_ptr<const EventSchema> with_field_facts(std::shared_ptr<const EventSchema> schema);

// The table that cmake/embed_field_facts.cmake makes of schemas/field-facts.csv.

/// What a field is.
enum class Fact : std::uint8_t {
    port,           // UInt16 in network order
    ipv4,           // UInt32 in network order
    ipv6,           // binary of 16 bytes; of none where the event is about IPv4
    socket_address, // binary: a SOCKADDR
    mac,            // binary, or the first bytes of an integer of eight: a physical address
    filetime,       // integer of eight bytes
    process_id,     // integer
    pointer,        // UInt32: as wide as a pointer in the record
    count,          // an array of as many elements as the field `argument` says
};

struct FieldFact {
    Guid provider;           // of a classic event: its class
    std::uint16_t first = 0; // events, or types of the class
    std::uint16_t last = 0;
    std::string_view field; // case and blanks do not count
    Fact fact = Fact::port;
    std::string_view argument;
};

std::span<const FieldFact> field_facts() noexcept;

} // namespace etl::schema
