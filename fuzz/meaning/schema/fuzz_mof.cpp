// Any bytes as class definitions. Beyond "does not crash": what is accepted is sound, has events
// with a GUID each, and names places that the file has; the scan for classes finds what was parsed.
#include "fuzz/schema_rules.hpp"
#include "schema/mof.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes file = std::as_bytes(std::span(data, size));
    const auto guids = schema::scan_mof_classes(file);
    fuzz::require(guids.size() <= size / 36); // each took the text of a GUID
    const std::size_t longest = 3 * size + 1; // a character may take more bytes in UTF-8
    const auto set = schema::parse_mof(file);
    if (!set) {
        fuzz::require(!set.error().reason.empty() && set.error().line <= size + 1 &&
                      set.error().column <= longest);
        return 0;
    }
    fuzz::require(!set->events.empty());
    for (const auto& event : set->events) {
        fuzz::require_sound(*event);
        fuzz::require(event->provider != nullptr && event->id == event->opcode);
        fuzz::require(!event->any_version || event->version == 0);
        fuzz::require(std::ranges::find(set->providers, event->provider) != set->providers.end());
    }
    for (const schema::FileNote& note : set->notes) {
        fuzz::require(note.line >= 1 && note.line <= size + 1);
        fuzz::require(note.column >= 1 && note.column <= longest);
    }
    return 0;
}
