#include "flow/losses.hpp"

#include <etl/byte_writer.hpp>

#include "format/encode.hpp"
#include "format/losses_event.hpp"
#include "format/records.hpp"
#include "format/tracelogging_blobs.hpp"
#include "trace/losses.hpp"

#include <array>

namespace etl::trace {

namespace {

namespace losses = format::losses_event;

std::vector<std::byte> event_metadata() {
    ByteWriter blob;
    return format::with_size(blob.u16(0).u8(0).zero_terminated8(losses::name));
}

} // namespace

void record_unknown_losses(Recording& recording) {
    if (flow::indicate_unknown_losses(recording.extra_records)) {
        return;
    }
    constexpr std::uint8_t warning = 3; // level
    const auto metadata = event_metadata();
    const auto traits = format::provider_traits(losses::provider_name);
    const std::array items{format::ExtendedItem{format::ItemType::provider_traits, traits},
                           format::ExtendedItem{format::ItemType::event_schema_tl, metadata}};
    ByteWriter records;
    records.bytes(recording.extra_records).align(8);
    const auto encoded =
        format::encode(format::EventRecord{.time = recording.reference_time,
                                           .provider = losses::provider,
                                           .descriptor = {.channel = format::tracelogging_channel,
                                                          .level = warning},
                                           .items = items},
                       records);
    if (encoded) { // always: all of it is bounded
        recording.extra_records = records.align(8).take();
    }
}

} // namespace etl::trace
