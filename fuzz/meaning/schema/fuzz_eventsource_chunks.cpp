// Any bytes as a trace's worth of manifest chunks. Beyond "does not crash": a manifest consists of
// bytes that were sent, is given once, and is the same whichever threads collected its chunks.
#include "base/cursor.hpp"
#include "fuzz/schema_rules.hpp"
#include "schema/eventsource_chunks.hpp"

#include <algorithm>
#include <set>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    Cursor in(std::as_bytes(std::span(data, size)));
    schema::EventSourceChunks all;
    schema::EventSourceChunks odd;
    schema::EventSourceChunks even;
    for (std::uint64_t position = 0; !in.is_at_end(); ++position) {
        const std::uint8_t who = in.u8("sender");
        const std::int64_t time = in.u8("time");
        const Bytes payload = in.bytes("payload", std::min<std::size_t>(in.u8("size"), in.left()));
        Guid provider;
        provider.bytes[0] = std::byte{static_cast<std::uint8_t>(who & 1U)};
        const std::uint32_t process = (who >> 1U) & 1U;
        const std::uint32_t thread = (who >> 2U) & 1U;
        all.add(provider, process, thread, time, position, payload);
        (position % 2 != 0 ? odd : even).add(provider, process, thread, time, position, payload);
    }
    const auto manifests = all.manifests();
    std::size_t total = 0;
    std::set<std::pair<Guid, std::string>> distinct;
    for (const auto& manifest : manifests) {
        total += manifest.second.size();
        fuzz::require(distinct.insert(manifest).second);
    }
    fuzz::require(total <= size);
    odd.combine(std::move(even));
    fuzz::require(odd.manifests() == manifests && odd.omitted() == all.omitted());
    return 0;
}
