// Any bytes behind the first ones of a program database. Beyond "does not crash": what is accepted
// is sound, and its text as a TMF describes the same messages.
#include "fuzz/schema_rules.hpp"
#include "schema/pdb.hpp"
#include "schema/tmf.hpp"
#include "symbols/streams.hpp"

#include <algorithm>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes input = std::as_bytes(std::span(data, size));
    std::vector<std::byte> file(input.begin(), input.end());
    // Nobody would find these bytes by chance.
    const auto magic = std::as_bytes(std::span(symbols::msf_magic));
    std::ranges::copy(magic.first(std::min(magic.size(), file.size())), file.begin());
    const auto set = schema::parse_pdb(file);
    const auto text = schema::extract_tmf(file);
    if (!set) {
        fuzz::require(!set.error().reason.empty());
        return 0;
    }
    fuzz::require(text.has_value());
    const auto again = schema::parse_tmf(std::as_bytes(std::span(*text)));
    fuzz::require(again && again->events.size() == set->events.size());
    for (const auto& event : set->events) {
        fuzz::require_sound(*event);
    }
    return 0;
}
