// Schemas: what schema files say about events. docs/schemas.md
//
//     auto schemas = etl::read_schemas({"provider.man"});
//     for (const etl::EventSchema& event : schemas->events) { ... event.name, event.fields ... }
#pragma once

#include <etl/error.hpp>
#include <etl/field_types.hpp>
#include <etl/guid.hpp>
#include <etl/record.hpp>

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace etl::inline view {

/// A field of an event. A structure is followed by its members.
struct FieldSchema {
    std::string name;
    format::InType in_type = format::InType::null;    // how the value is stored
    format::OutType out_type = format::OutType::none; // how it is displayed
    bool is_array = false;
    std::uint16_t members = 0; // of a structure: fields that follow and belong to it
};

/// The description of an event.
struct EventSchema {
    Guid provider; // the class, for classic events
    std::string provider_name;
    format::EventDescriptor descriptor; // of classic events: the version, and the type as ID
    std::string name;                   // the best known one; may be empty
    std::string message;                // with %1 inserts; may be empty
    std::vector<FieldSchema> fields;
};

/// What schema files describe.
struct Schemas {
    std::vector<EventSchema> events; // in the order of the files
    /// A line for each file in a directory or archive that was rejected, or read only in part.
    std::vector<std::string> remarks;
};

struct SchemaOptions {
    std::string culture = "en-US"; // message language
};

/// Reads all events that schema files, directories, and archives describe: manifests, executables,
/// MOF, TMF, PDB. Errors, about a path that was named: not_found, io_failure, limit,
/// malformed.
std::expected<Schemas, TraceError> read_schemas(const std::vector<std::string>& paths,
                                                const SchemaOptions& options = {});

} // namespace etl::inline view
