#include "merge/source_events.hpp"

#include "base/byte_writer.hpp"
#include "base/text.hpp"
#include "format/encode.hpp"
#include "format/source_event.hpp"
#include "format/tracelogging_blobs.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace etl::merge {

namespace {

namespace event = format::source_event;

constexpr std::uint8_t information = 4; // level

// Types of TraceLogging. docs/format/decoding.md
enum class InType : std::uint8_t { utf16z = 1, u16 = 6, u32 = 8, i64 = 9, filetime = 17 };

constexpr std::array<std::pair<std::string_view, InType>, 12> fields{{
    {"Number", InType::u16},
    {"File", InType::utf16z},
    {"Session", InType::utf16z},
    {"Start", InType::filetime},
    {"Boot", InType::filetime},
    {"FirstProcessor", InType::u32},
    {"LastProcessor", InType::u32},
    {"EventsLost", InType::u32},
    {"BuffersLost", InType::u32},
    {"Offset100ns", InType::i64},
    {"Path", InType::utf16z},
    {"MissingBuffers", InType::u32},
}};

std::vector<std::byte> event_metadata() {
    ByteWriter blob;
    blob.u16(0).u8(0).zero_terminated8(event::name);
    for (const auto& [name, type] : fields) {
        blob.zero_terminated8(name).u8(static_cast<std::uint8_t>(type));
    }
    return format::with_size(blob);
}

/// As a value of a zero-terminated field, and short enough for any record.
std::u16string_view text_value(std::u16string_view text) noexcept {
    constexpr std::size_t longest = 4096;
    return text.substr(0, std::min(text.find(u'\0'), longest));
}

void put_payload(ByteWriter& to, const flow::MergedInput& input) {
    to.u16(input.number)
        .zero_terminated16(text_value(to_utf16(input.file)))
        .zero_terminated16(text_value(input.session))
        .value(input.start.ticks)
        .value(input.boot.ticks)
        .u32(input.first_processor)
        .u32(input.last_processor)
        .u32(input.events_lost)
        .u32(input.buffers_lost)
        .value(input.offset)
        .zero_terminated16(text_value(to_utf16(input.path)))
        .u32(input.missing_buffers);
}

} // namespace

void SourceEvents::add(const flow::MergedInput& input) {
    const auto metadata = event_metadata();
    const auto traits = format::provider_traits(event::provider_name);
    const std::array items{format::ExtendedItem{format::ItemType::provider_traits, traits},
                           format::ExtendedItem{format::ItemType::event_schema_tl, metadata}};
    ByteWriter payload;
    put_payload(payload, input);
    ByteWriter record;
    const format::EventRecord made{
        .time = trace_->reference_time,
        .provider = event::provider,
        .descriptor = {.channel = format::tracelogging_channel, .level = information},
        .items = items,
        .payload = payload.view()};
    if (!format::encode(made, record)) {
        return; // cannot be: all of it is bounded
    }
    auto one = std::make_unique<One>();
    one->record = record.take();
    one->context = {.trace = trace_, .bytes = one->record, .logger_id = input.number};
    one->event = {.record = one->record.data(),
                  .raw_time = trace_->reference_time,
                  .buffer = &one->context,
                  .size = static_cast<std::uint32_t>(one->record.size()),
                  .kind = format::wide(format::RecordFamily::event)};
    events_.push_back(std::move(one));
}

flow::Run SourceEvents::next() noexcept {
    return at_ < events_.size() ? flow::Run(&events_[at_++]->event, 1) : flow::Run{};
}

} // namespace etl::merge
