// Any bytes as a TMF. Beyond "does not crash": what is accepted is sound, every message belongs to
// one of the file's GUIDs and has its place, and notes name lines that the file has.
#include "fuzz/schema_rules.hpp"
#include "schema/limits.hpp"
#include "schema/tmf.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes file = std::as_bytes(std::span(data, size));
    const auto guids = schema::scan_tmf(file);
    const auto set = schema::parse_tmf(file);
    if (!set) {
        fuzz::require(!set.error().reason.empty());
        return 0;
    }
    for (const auto& event : set->events) {
        fuzz::require_sound(*event);
        fuzz::require(event->origin == schema::Origin::wpp && event->site != nullptr);
        fuzz::require(event->fields.size() <= schema::limits::wpp_arguments);
        fuzz::require(std::ranges::find(guids, event->provider->guid) != guids.end());
    }
    for (const schema::FileNote& note : set->notes) {
        fuzz::require(note.line <= size + 1);
    }
    return 0;
}
