// -export and -int: what the events look like.
#pragma once

#include "decode/harvest.hpp"
#include "schema/schema_set.hpp"
#include "verbs/tracerpt/text_output.hpp"

#include <set>
#include <string>
#include <vector>

namespace cli {

/// The schemas of events, each once.
class SchemaCollector {
public:
    explicit SchemaCollector(const etl::schema::SchemasByTrace& schemas) : decoder_(schemas) {}

    /// One thread.
    void add(const etl::flow::Event& event);

    etl::schema::SchemaSet take();

private:
    etl::decode::Decoder decoder_;
    std::uint32_t generation_ = 0;
    std::vector<bool> seen_; // by number of the kind
    std::set<const etl::schema::EventSchema*> known_;
    etl::schema::SchemaSet set_;
    etl::decode::TraceLoggingHarvest self_describing_;
};

/// Writes the schemas as a manifest. Prints what it cannot describe.
ExitCode write_schemas(const std::string& path, etl::schema::SchemaSet set, TextEncoding encoding);

/// Writes them in the compact form: a line for each event and each of its fields.
ExitCode write_structure(const std::string& path, etl::schema::SchemaSet set,
                         TextEncoding encoding);

} // namespace cli
