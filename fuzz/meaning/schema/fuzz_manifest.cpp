// Any bytes as a manifest. Beyond "does not crash": what is accepted is sound, has a provider, and
// names lines that the file has; the scan for providers never needs the file to be well-formed.
#include "fuzz/schema_rules.hpp"
#include "schema/manifest.hpp"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes file = std::as_bytes(std::span(data, size));
    const auto guids = schema::scan_manifest_providers(file);
    fuzz::require(guids.size() <= size / 36); // each took the text of a GUID
    const auto manifest = schema::parse_manifest(file);
    if (!manifest) {
        fuzz::require(!manifest.error().reason.empty() && manifest.error().line <= size + 1);
        return 0;
    }
    fuzz::require(!manifest->providers.empty());
    for (const auto& event : manifest->events) {
        fuzz::require_sound(*event);
        fuzz::require(std::ranges::find(manifest->providers, event->provider) !=
                      manifest->providers.end());
    }
    for (const schema::FileNote& note : manifest->notes) {
        fuzz::require(note.line >= 1 && note.line <= size + 1);
    }
    return 0;
}
