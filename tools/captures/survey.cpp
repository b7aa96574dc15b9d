#include "captures/survey.hpp"

#include "catalog/catalog.hpp"
#include "decode/harvest.hpp"
#include "flow/context.hpp"
#include "format/known_guids.hpp"

#include <algorithm>

namespace cli {

SurveyPart survey_of(etl::trace::Reader& reader, unsigned threads) {
    using etl::packets::EventKind;
    std::vector<SurveyPart> parts(threads);
    const auto is_schema = [](const etl::flow::Event& event) {
        return etl::packets::kind_of(event) == EventKind::none &&
               etl::flow::context_of(event) == etl::flow::Context::schema;
    };
    reader.for_each_buffer(
        threads, [&](unsigned worker, const etl::trace::BufferEntry& entry, etl::flow::Run run) {
            parts[worker].survey.add(run);
            if (std::ranges::any_of(run, is_schema)) {
                const auto number = &entry - reader.buffers().data();
                parts[worker].with_schemas.push_back(static_cast<std::uint32_t>(number));
            }
        });
    SurveyPart all = std::move(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        all.survey.combine(std::move(parts[i].survey));
        all.with_schemas.insert(all.with_schemas.end(), parts[i].with_schemas.begin(),
                                parts[i].with_schemas.end());
    }
    std::ranges::sort(all.with_schemas);
    all.survey.rundown.finish();
    return all;
}

std::shared_ptr<const etl::schema::SchemaStore> schemas_of_drops(const SchemaOptions& options) {
    auto store = std::make_shared<etl::schema::SchemaStore>();
    if (auto catalog = etl::catalog::Catalog::open({.paths = options.paths})) {
        catalog->load({etl::format::pktmon_guid}, *store);
    }
    store->freeze();
    return store;
}

std::shared_ptr<const etl::schema::SchemaStore>
carried_schemas(etl::trace::Reader& reader, SchemaBuffers buffers,
                const std::shared_ptr<const etl::schema::SchemaStore>& files) {
    etl::decode::Harvest harvest;
    reader.show_buffers(std::move(buffers), [&](const etl::trace::BufferContent& buffer) {
        harvest.add(buffer.events);
    });
    auto store = std::make_shared<etl::schema::SchemaStore>(files);
    harvest.finish(*store);
    store->freeze();
    return store;
}

} // namespace cli
