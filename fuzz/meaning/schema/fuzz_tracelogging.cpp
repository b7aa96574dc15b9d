// Any bytes as TraceLogging metadata, and as provider traits. Beyond "does not crash": what is
// accepted is sound, and depends on nothing behind the size that it states.
#include "base/layout.hpp"
#include "format/provider_identity.hpp"
#include "fuzz/schema_rules.hpp"
#include "schema/tracelogging.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes bytes = std::as_bytes(std::span(data, size));
    if (const auto traits = format::parse_provider_traits(bytes)) {
        fuzz::require(traits->name.size() < size);
    }
    const auto event = schema::parse_tracelogging(bytes, nullptr);
    if (!event) {
        fuzz::require(event.error().code != ErrorCode::none);
        return 0;
    }
    fuzz::require_sound(*event);
    const auto stated = load_le<std::uint16_t>(bytes.data());
    const auto again = schema::parse_tracelogging(bytes.first(stated), nullptr);
    fuzz::require(again && again->fields.size() == event->fields.size() &&
                  again->event_name == event->event_name);
    return 0;
}
