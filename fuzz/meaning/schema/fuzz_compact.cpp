// Any bytes as schemas in the compact form. Beyond "does not crash": what is accepted is sound, the
// scan finds its providers, and what the writer makes of it is read back as the same.
#include "authoring/compact_writer.hpp"
#include "authoring/compare.hpp"
#include "fuzz/schema_rules.hpp"
#include "schema/compact.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes file = std::as_bytes(std::span(data, size));
    const auto guids = schema::scan_compact_providers(file);
    fuzz::require(guids.size() <= size / 36); // each took the text of a GUID
    const auto set = schema::parse_compact(file);
    if (!set) {
        fuzz::require(!set.error().reason.empty() && set.error().line <= size + 1 &&
                      set.error().column <= size + 1);
        return 0;
    }
    fuzz::require(!set->providers.empty() && set->notes.empty());
    for (const auto& event : set->events) {
        fuzz::require_sound(*event);
        fuzz::require(event->provider != nullptr);
    }
    const auto written = authoring::write_compact(*set);
    if (!written) { // the names of a line can be repeated in every event
        return 0;
    }
    fuzz::require(written->notes.empty());
    const auto again = schema::parse_compact(fuzz::bytes_of(written->text));
    fuzz::require(again.has_value() && authoring::compare(*set, *again).empty());
    const auto scanned = schema::scan_compact_providers(fuzz::bytes_of(written->text));
    for (const auto& provider : again->providers) {
        fuzz::require(std::ranges::find(scanned, provider->guid) != scanned.end());
    }
    const auto twice = authoring::write_compact(*again);
    fuzz::require(twice && twice->text == written->text);
    return 0;
}
