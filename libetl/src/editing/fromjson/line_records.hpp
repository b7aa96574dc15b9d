// From what lines say to the bytes of records. docs/write.md
#pragma once

#include "decode/known_names.hpp"
#include "encode/metadata.hpp"
#include "encode/payload.hpp"
#include "flow/trace_info.hpp"
#include "fromjson/draft.hpp"
#include "fromjson/event_line.hpp"
#include "fromjson/line_trace.hpp"
#include "fromjson/schemas.hpp"
#include "trace/recording.hpp"

#include <vector>

namespace etl::fromjson {

/// Whether `raw_time` is of the clock of the output.
enum class RawTimes : std::uint8_t { foreign, own };

/// Makes records. Keeps its memory. One thread.
class LineRecords {
public:
    LineRecords(EventLineReader& reader, SchemaLoader schemas, PreferredSource prefer)
        : reader_(&reader), schemas_(std::move(schemas)), prefer_(prefer) {}

    /// The trace that the records are for: clock, pointer size.
    void set_trace(const etl::trace::Recording& recording, RawTimes raw_times);

    void distrust_raw_times() noexcept { raw_times_ = RawTimes::foreign; }

    /// The record of a line that `reader` has read just now. Valid until the next call.
    LineResult<etl::Bytes> make(const EventLine& line);

private:
    LineResult<void> fill_header(const EventLine& line);
    LineResult<void> name_class_event(const EventLine& line);
    LineResult<void> fill_time(const EventLine& line);
    LineResult<void> fill_provider(const EventLine& line);
    LineResult<etl::Guid> provider_named(const EventLine& line);
    LineResult<void> identify(const EventLine& line);
    void fill_descriptor(const EventLine& line);
    LineResult<void> fill_kernel(const EventLine& line);
    void fill_message(const EventLine& line);
    LineResult<void> fill_items(const EventLine& line);
    LineResult<void> append_schema_items(const EventLine& line);
    LineResult<void> append_metadata(const EventLine& line);
    LineResult<void> fill_payload(const EventLine& line);
    LineResult<void> encode_data(const EventLine& line, const Schemas::Found& found);
    bool encode_wide(const EventLine& line);

    std::expected<void, etl::encode::Mismatch>
    encode_as(const Schemas::Found& found, std::span<const etl::encode::InputValue> data,
              bool is_short);

    /// The values of an array or object of the line.
    std::span<const etl::encode::InputValue> given(Nested nested,
                                                   std::vector<etl::encode::InputValue>& to);
    bool takes_payload(const EventLine& line) const noexcept;
    etl::format::RecordKind guess_kind(const EventLine& line);

    EventLineReader* reader_;
    Schemas schemas_;
    PreferredSource prefer_;
    RawTimes raw_times_ = RawTimes::foreign;
    bool has_too_many_values_ = false; // in the line at hand
    etl::flow::TraceInfo trace_;

    Draft draft_;
    const etl::schema::EventSchema* known_ = nullptr;    // what describes the event at hand
    bool is_tracelogging_ = false;                       // the event at hand
    std::optional<etl::decode::ClassEvent> class_event_; // the event at hand, by its name
    ItemList items_;
    ExtReader ext_;
    etl::encode::PayloadEncoder encoder_;
    std::uint32_t generation_ = 0; // of the schemas that encoder_ knows
    std::vector<etl::encode::MetadataField> fields_;
    std::vector<etl::encode::InputValue> values_, data_;
    std::vector<std::byte> header_bytes_, payload_bytes_;
    etl::ByteWriter encoded_items_, metadata_, payload_, record_;
};

} // namespace etl::fromjson
