// What is known of a trace before its packets are read: one parallel pass over all buffers.
#pragma once

#include "inputs/schemas.hpp"
#include "packets/survey.hpp"
#include "schema/schema_store.hpp"
#include "trace/reader.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace cli {

/// Numbers of the buffers of a trace that contain schemas.
using SchemaBuffers = std::vector<std::uint32_t>;

struct SurveyPart {
    etl::packets::Survey survey;
    SchemaBuffers with_schemas;
};

SurveyPart survey_of(etl::trace::Reader& reader, unsigned threads);

/// The schema of dropped packets, from schema files and the built-in schemas.
std::shared_ptr<const etl::schema::SchemaStore> schemas_of_drops(const SchemaOptions& options);

/// The schemas in these buffers of a trace, over those of files.
std::shared_ptr<const etl::schema::SchemaStore>
carried_schemas(etl::trace::Reader& reader, SchemaBuffers buffers,
                const std::shared_ptr<const etl::schema::SchemaStore>& files);

} // namespace cli
