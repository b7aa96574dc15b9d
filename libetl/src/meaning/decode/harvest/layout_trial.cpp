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

// Under the identity by which the decoder finds schemas (find_event).
std::span<LayoutTrial::Rival> LayoutTrial::rivals_of(const flow::EventHeader& header,
                                                     const EventItems& items) {
    for (const Guid& provider : identities_of(header, items)) {
        Contest* const contest = contest_of({provider, header.id, header.version});
        if (contest != nullptr && contest->is_known) {
            return contest->rivals;
        }
    }
    return {};
}

LayoutTrial::Contest* LayoutTrial::contest_of(const schema::EventKey& key) {
    if (const auto known = events_.find(key); known != events_.end()) {
        return &known->second;
    }
    if (is_full()) {
        return nullptr;
    }
    const schema::Match match = store_->find(key);
    Contest contest{.is_known = !match.all().empty(), .rivals = {}};
    for (const schema::EventSchema* const candidate : match.candidates) {
        if (match.has_choice && candidate->builds != 0) {
            contest.rivals.push_back(
                {candidate, Plan::compile(*candidate, 4), Plan::compile(*candidate, 8)});
        }
    }
    add(key, std::move(contest));
    return &events_.at(key);
}

void LayoutTrial::add(const schema::EventKey& key, Contest contest) {
    for (const Rival& rival : contest.rivals) {
        fields_ += rival.schema->fields.size();
    }
    events_.emplace(key, std::move(contest));
}

bool LayoutTrial::is_full() const noexcept {
    return events_.size() > limits::tried_events || fields_ > limits::tried_fields;
}

// A part that is full makes the sum full, so that the limits apply to all parts together, however
// the events were distributed.
void LayoutTrial::combine(const LayoutTrial& other) {
    for (const auto& [key, contest] : other.events_) {
        const auto known = events_.find(key);
        if (known == events_.end()) {
            add(key, contest);
            continue;
        }
        std::vector<Rival>& rivals = known->second.rivals;
        for (std::size_t i = 0; i < std::min(rivals.size(), contest.rivals.size()); ++i) {
            rivals[i].is_left = rivals[i].is_left && contest.rivals[i].is_left;
        }
    }
}

std::vector<const schema::EventSchema*> LayoutTrial::chosen() const {
    std::vector<const schema::EventSchema*> chosen;
    if (is_full()) {
        return chosen;
    }
    for (const auto& [key, contest] : events_) {
        const auto newest = std::ranges::find_if(contest.rivals, &Rival::is_left);
        if (newest != contest.rivals.end()) {
            chosen.push_back(newest->schema);
        }
    }
    return chosen;
}

} // namespace etl::decode
