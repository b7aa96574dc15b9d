#include <etl/schema.hpp>

#include "catalog/catalog.hpp"
#include "gather/schemas.hpp"
#include "schema/schema_store.hpp"

#include <utility>

namespace etl::inline view {

namespace {

EventSchema shown(const schema::EventSchema& from) {
    EventSchema to{.provider = from.provider->guid,
                   .provider_name = from.provider->name,
                   .descriptor = {.id = from.id,
                                  .version = from.version,
                                  .channel = from.channel,
                                  .level = from.level,
                                  .opcode = from.opcode,
                                  .task = from.task,
                                  .keyword = from.keyword},
                   .name = from.event_name,
                   .message = from.message,
                   .fields = {}};
    for (const schema::Field& field : from.fields) {
        to.fields.push_back({.name = field.name,
                             .in_type = field.in_type,
                             .out_type = field.out_type,
                             .is_array = field.count.kind != schema::Extent::Kind::natural,
                             .members = field.members});
    }
    return to;
}

} // namespace

std::expected<Schemas, TraceError> read_schemas(const std::vector<std::string>& paths,
                                                const SchemaOptions& options) {
    auto catalog = catalog::Catalog::open(
        {.paths = paths, .environment = false, .built_in = false, .culture = options.culture});
    if (!catalog) {
        return std::unexpected(TraceError{catalog.error().error, catalog.error().path, {}});
    }
    schema::SchemaStore store;
    catalog->load_all(store);
    Schemas schemas;
    for (const auto& event : store.schemas()) {
        schemas.events.push_back(shown(*event));
    }
    gather::report_rejections(*catalog, [&](const gather::Remark& remark) {
        schemas.remarks.push_back(describe(remark));
    });
    return schemas;
}

} // namespace etl::inline view
