// -export and -int: what the events look like.
#pragma once

#include <etl/schema/schema_set.hpp>

#include "verbs/tracerpt/text_output.hpp"

#include <string>

namespace cli {

/// Writes the schemas as a manifest. Prints what it cannot describe.
ExitCode write_schemas(const std::string& path, etl::schema::SchemaSet set, TextEncoding encoding);

/// Writes them in the compact form: a line for each event and each of its fields.
ExitCode write_structure(const std::string& path, etl::schema::SchemaSet set,
                         TextEncoding encoding);

} // namespace cli
