#include "decode/tracelogging_harvest.hpp"

#include "base/text.hpp"
#include "decode/limits.hpp"

#include <iterator>
#include <unordered_map>

namespace etl::decode {

void TraceLoggingHarvest::add(flow::Run events) {
    for (const flow::Event& event : events) {
        const DecodedEvent& decoded = decoder_.decode(event);
        if (decoder_.generation() != generation_) {
            generation_ = decoder_.generation();
            seen_.clear();
        }
        const std::uint32_t number = decoded.kind->number;
        if (number >= seen_.size()) {
            seen_.resize(number + std::size_t{1});
        }
        if (!seen_[number]) {
            seen_[number] = true;
            add(decoded);
        }
    }
}

void TraceLoggingHarvest::add(const DecodedEvent& event) {
    if (!event.kind->is_self_describing()) {
        return;
    }
    const flow::EventHeader& header = event.header;
    auto schema = std::make_shared<schema::EventSchema>(*event.kind->schema);
    schema->id = header.id;
    schema->version = header.version;
    schema->channel = header.channel;
    schema->level = header.level;
    schema->opcode = header.opcode;
    schema->task = header.task;
    schema->keyword = header.keyword;
    Key key{header.provider,
            schema->event_name,
            {header.id, header.version, header.level, header.opcode, header.task, header.keyword},
            std::string(as_text(event.items.metadata))};
    schemas_.try_emplace(std::move(key), std::move(schema));
    thin();
}

// The first by key stay, so that the outcome does not depend on threads.
void TraceLoggingHarvest::thin() {
    while (schemas_.size() > limits::harvested_schemas) {
        schemas_.erase(std::prev(schemas_.end()));
        omitted_ = true;
    }
}

void TraceLoggingHarvest::combine(TraceLoggingHarvest&& other) {
    schemas_.merge(other.schemas_);
    omitted_ |= other.omitted_;
    thin();
}

schema::SchemaSet TraceLoggingHarvest::take() {
    schema::SchemaSet set;
    std::unordered_map<Guid, std::shared_ptr<const schema::ProviderNames>> providers;
    for (auto& [key, schema] : schemas_) {
        const auto [names, is_new] = providers.try_emplace(key.provider, schema->provider);
        if (is_new) {
            set.providers.push_back(names->second);
        }
        set.events.push_back(std::move(schema));
    }
    schemas_.clear();
    return set;
}

} // namespace etl::decode
