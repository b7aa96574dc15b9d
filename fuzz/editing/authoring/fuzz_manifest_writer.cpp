// Any bytes as a manifest, written again. Beyond "does not crash": where nothing is noted the
// written manifest says the same; what it says is read and written again without loss, byte for
// byte.
#include "authoring/compare.hpp"
#include "authoring/manifest_writer.hpp"
#include "fuzz/require.hpp"
#include "schema/manifest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const auto read = schema::parse_manifest(std::as_bytes(std::span(data, size)));
    if (!read) {
        return 0;
    }
    const auto written = authoring::write_manifest(*read);
    fuzz::require(written.has_value());
    const auto again = schema::parse_manifest(fuzz::bytes_of(written->text));
    fuzz::require(again.has_value());
    fuzz::require(!written->notes.empty() || authoring::compare(*read, *again).empty());
    const auto twice = authoring::write_manifest(*again);
    fuzz::require(twice && twice->notes.empty() && twice->text == written->text);
    return 0;
}
