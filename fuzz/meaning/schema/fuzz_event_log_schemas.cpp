// Any bytes as an event log with schemas. Beyond "does not crash": what is accepted is sound, each
// field has a type, and every event belongs to a provider of the log.
#include "fuzz/schema_rules.hpp"
#include "schema/event_log.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes file = std::as_bytes(std::span(data, size));
    const auto guids = schema::scan_event_log(file);
    const auto set = schema::parse_event_log(file);
    if (!set) {
        fuzz::require(!set.error().reason.empty() && guids.empty());
        return 0;
    }
    fuzz::require(set->providers.size() == guids.size());
    for (const auto& event : set->events) {
        fuzz::require_sound(*event);
        fuzz::require(std::ranges::find(guids, event->provider->guid) != guids.end());
        fuzz::require(std::ranges::none_of(event->fields, [](const schema::Field& field) {
            return field.in_type == schema::InType::null;
        }));
    }
    return 0;
}
