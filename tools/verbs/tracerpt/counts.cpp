#include "verbs/tracerpt/counts.hpp"

#include <algorithm>

namespace cli {

EventCounts::EventCounts(const etl::sink::Options& options, bool collects_schemas)
    : decoder_(options.schemas, options.decoder()), collects_schemas_(collects_schemas) {}

void EventCounts::add(const etl::flow::Event& event) {
    const etl::decode::DecodedEvent& decoded = decoder_.decode(event);
    if (decoder_.generation() != generation_) {
        by_kind_.clear();
        generation_ = decoder_.generation();
    }
    const std::uint32_t kind = decoded.kind->number;
    if (kind >= by_kind_.size() || by_kind_[kind] == nullptr) {
        see(decoded);
    }
    ++*by_kind_[kind];
    ++events_;
    if (event.has_time) {
        const etl::Filetime time = event.time();
        if (!times_) {
            times_.emplace(time, time);
        }
        times_->first = std::min(times_->first, time);
        times_->second = std::max(times_->second, time);
    }
}

void EventCounts::see(const etl::decode::DecodedEvent& decoded) {
    const std::uint32_t kind = decoded.kind->number;
    by_kind_.resize(std::max<std::size_t>(by_kind_.size(), kind + 1UL));
    by_kind_[kind] = &by_name_[etl::sink::tracerpt_name_of(decoded)];
    const etl::schema::EventSchema* const schema = decoded.kind->schema;
    if (!collects_schemas_ || schema == nullptr) {
        return;
    }
    if (decoded.kind->decoded_by == etl::decode::DecodedBy::tracelogging) {
        self_describing_.add({decoded.event, 1});
    } else if (schema->provider && known_.insert(schema).second) {
        schemas_.events.push_back(std::make_shared<etl::schema::EventSchema>(*schema));
    }
}

etl::schema::SchemaSet EventCounts::schemas() {
    etl::schema::SchemaSet all = self_describing_.take();
    all.events.insert(all.events.begin(), schemas_.events.begin(), schemas_.events.end());
    all.providers.clear();
    for (const auto& event : all.events) {
        if (event->provider &&
            std::ranges::find(all.providers, event->provider) == all.providers.end()) {
            all.providers.push_back(event->provider);
        }
    }
    return all;
}

} // namespace cli
