#include "decode/layout_trial.hpp"

#include "decode/fields/plausible.hpp"
#include "decode/kinds/kind_builder.hpp"
#include "decode/kinds/kind_table.hpp"
#include "decode/limits.hpp"

#include <algorithm>
#include <utility>

namespace etl::decode {

namespace {

bool fits(const schema::EventSchema& layout, const Plan& plan, Bytes payload, FieldWalker& walker) {
    walker.start(plan, payload);
    while (walker.next() != Step::end) {
    }
    return walker.consumed_exactly() && walker.doubt() <= Doubt::odd_value &&
           is_plausible(layout, plan, payload, Judged::texts, walker);
}

} // namespace

const schema::EventSchema* first_that_fits(std::span<const schema::EventSchema* const> layouts,
                                           Bytes payload, unsigned pointer_size) {
    FieldWalker walker;
    const auto found = std::ranges::find_if(layouts, [&](const schema::EventSchema* layout) {
        return fits(*layout, Plan::compile(*layout, pointer_size), payload, walker);
    });
    return found != layouts.end() ? *found : nullptr;
}

LayoutTrial::LayoutTrial(std::shared_ptr<const schema::SchemaStore> store)
    : store_(std::move(store)) {}

void LayoutTrial::add(flow::Run events) {
    for (const flow::Event& event : events) {
        if (!format::is_event(event.kind)) {
            continue;
        }
        const flow::EventHeader header = flow::read_header(event);
        const EventItems items = sort_items(header);
        if (!items.metadata.empty()) {
            continue; // carries its schema
        }
        for (Rival& rival : rivals_of(header, items)) {
            const Plan& plan =
                header.pointer_size == 4 ? rival.plan_of_32_bits : rival.plan_of_64_bits;
            rival.is_left = rival.is_left && fits(*rival.schema, plan, header.payload, walker_);
        }
    }
}

// Of more events than the limit, each payload decides.
std::span<LayoutTrial::Rival> LayoutTrial::rivals_of(const flow::EventHeader& header,
                                                     const EventItems& items) {
    const schema::EventKey key{header.provider, header.id, header.version};
    if (const auto known = events_.find(key); known != events_.end()) {
        return known->second;
    }
    if (events_.size() >= limits::cached_schemas) {
        return {};
    }
    std::vector<Rival>& rivals = events_[key];
    for (const schema::EventSchema* const candidate :
         find_event(*store_, header, items).candidates) {
        if (candidate->builds != 0) {
            rivals.push_back(
                {candidate, Plan::compile(*candidate, 4), Plan::compile(*candidate, 8)});
        }
    }
    if (rivals.size() < 2) {
        rivals.clear();
    }
    return rivals;
}

void LayoutTrial::combine(const LayoutTrial& other) {
    for (const auto& [key, rivals] : other.events_) {
        const auto [known, is_new] = events_.try_emplace(key, rivals);
        for (std::size_t i = 0; !is_new && i < rivals.size(); ++i) {
            Rival& rival = known->second[i];
            rival.is_left = rival.is_left && rivals[i].is_left;
        }
    }
}

std::vector<const schema::EventSchema*> LayoutTrial::chosen() const {
    std::vector<const schema::EventSchema*> chosen;
    for (const auto& [key, rivals] : events_) {
        const auto newest = std::ranges::find_if(rivals, &Rival::is_left);
        if (newest != rivals.end()) {
            chosen.push_back(newest->schema);
        }
    }
    return chosen;
}

} // namespace etl::decode
