#include "authoring/number_events.hpp"

#include "authoring/compare.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace etl::authoring {

namespace {

using schema::EventSchema;
using schema::Origin;
using SharedEvent = std::shared_ptr<const EventSchema>;

/// The events of one provider.
struct NumberedProvider {
    std::set<std::uint16_t> taken; // IDs of events that have their own
    /// Of TraceLogging events: name -> those whose fields differ, in the order of the set.
    std::map<std::string, std::vector<SharedEvent>> events;
};

bool has_same_fields(const EventSchema& a, const EventSchema& b) {
    if (a.fields.size() != b.fields.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        if (a.fields[i].name != b.fields[i].name || a.fields[i].members != b.fields[i].members ||
            type_text(a, i) != type_text(b, i)) {
            return false;
        }
    }
    return true;
}

void add(std::vector<SharedEvent>& layouts, const SharedEvent& event) {
    const bool is_known = std::ranges::any_of(
        layouts, [&](const SharedEvent& known) { return has_same_fields(*known, *event); });
    if (!is_known) {
        layouts.push_back(event);
    }
}

/// Hands out IDs and versions.
class Numbers {
public:
    explicit Numbers(const std::set<std::uint16_t>& taken) : taken_(&taken) {}

    /// Moves on to the next free ID; false if there is none.
    bool next_id() {
        version_ = 0;
        do {
            if (id_ == std::numeric_limits<std::uint16_t>::max()) {
                return false;
            }
            ++id_;
        } while (taken_->contains(id_));
        return true;
    }

    /// Numbers an event; false if all numbers are used.
    bool number(EventSchema& event) {
        if (version_ > std::numeric_limits<std::uint8_t>::max() && !next_id()) {
            return false;
        }
        event.id = id_;
        event.version = static_cast<std::uint8_t>(version_++);
        return true;
    }

private:
    const std::set<std::uint16_t>* taken_;
    std::uint16_t id_ = 0;
    unsigned version_ = 0;
};

void append_numbered(const NumberedProvider& provider, std::vector<SharedEvent>& to) {
    Numbers numbers(provider.taken);
    for (const auto& [name, layouts] : provider.events) {
        if (!numbers.next_id()) {
            return;
        }
        for (const SharedEvent& layout : layouts) {
            auto event = std::make_shared<EventSchema>(*layout);
            if (!numbers.number(*event)) {
                return;
            }
            to.push_back(std::move(event));
        }
    }
}

} // namespace

schema::SchemaSet with_tracelogging_ids(const schema::SchemaSet& set) {
    schema::SchemaSet result;
    result.providers = set.providers;
    result.notes = set.notes;
    std::map<Guid, NumberedProvider> providers;
    for (const SharedEvent& event : set.events) {
        NumberedProvider& provider = providers[event->provider ? event->provider->guid : Guid{}];
        if (event->origin == Origin::tracelogging) {
            add(provider.events[event->event_name], event);
        } else {
            provider.taken.insert(event->id);
            result.events.push_back(event);
        }
    }
    for (const auto& [guid, provider] : providers) {
        append_numbered(provider, result.events);
    }
    return result;
}

} // namespace etl::authoring
