// TraceLogging metadata (u16 size, then that many bytes) and behind it a payload. Beyond "does not
// crash": the rules of walk_rules.hpp.
#include "base/layout.hpp"
#include "fuzz/walk_rules.hpp"
#include "schema/tracelogging.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const auto schema = schema::parse_tracelogging(bytes, nullptr);
    if (!schema) {
        return 0;
    }
    const Bytes payload = bytes.subspan(load_le<std::uint16_t>(bytes.data()));
    fuzz::require_walk(*schema, payload, 4);
    fuzz::require_walk(*schema, payload, 8);
    return 0;
}
