// A record as a producer left it. Property: whatever the bytes, what is taken lies inside them, and
// is encoded again as a record that is taken in the same way. A classic record keeps its size, and
// what the host stores in it is inside.
#include "format/encode.hpp"
#include "fuzz/require.hpp"
#include "machine/drain.hpp"

#include <algorithm>

using namespace etl;

namespace {

void take_classic(Bytes record) {
    const auto take = [](Bytes from, machine::ClassicEvent& to) {
        return machine::take_classic(from, 7, [] { return 5U; }, to);
    };
    machine::ClassicEvent event;
    if (!take(record, event)) {
        return;
    }
    fuzz::require(event.record.size() == record.size());
    fuzz::require(!event.stamp_at ||
                  has_range(event.record, *event.stamp_at, sizeof(std::int64_t)));
    machine::ClassicEvent again;
    fuzz::require(take(event.record, again) && again.record == event.record);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes record = std::as_bytes(std::span(data, size));
    take_classic(record);
    machine::TakenEvent event;
    if (!machine::take_event(record, event)) {
        return 0;
    }
    fuzz::require(fuzz::lies_inside(event.header.payload, record));
    for (const format::ExtendedItem& item : event.items) {
        fuzz::require(fuzz::lies_inside(item.data, record));
    }
    ByteWriter again;
    const format::EventRecord copy{.time = event.time,
                                   .descriptor = event.header,
                                   .activity = event.header.activity,
                                   .items = event.items,
                                   .payload = event.header.payload};
    if (format::encode(copy, again)) {
        machine::TakenEvent second;
        fuzz::require(machine::take_event(again.view(), second));
        fuzz::require(std::ranges::equal(second.header.payload, event.header.payload));
        fuzz::require(second.items.size() == event.items.size());
    }
    return 0;
}
