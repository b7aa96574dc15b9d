#include "fromjson/line_records.hpp"

#include "base/text.hpp"
#include "decode/limits.hpp"
#include "format/encode.hpp"
#include "format/kernel_group.hpp"
#include "fromjson/event_line.hpp"
#include "fromjson/member_values.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::fromjson {

namespace {

using etl::encode::InputValue;
using etl::format::RecordFamily;
using etl::format::RecordKind;
namespace event_flag = etl::format::event_flag;
namespace message_record = etl::format::message_record;
using etl::format::system_trace_guid;

/// What TraceLogging events go by; so does what a person writes.
constexpr std::uint8_t default_level = 5;

/// Flags of an EVENT header that lie in the file; EXTENDED_INFO is set by the items.
constexpr std::uint16_t stored_flags = event_flag::stored & ~event_flag::extended_info;

bool is_class_of_kernel(const EventLine& line) {
    return line.provider_guid && !etl::format::class_name(*line.provider_guid).empty() &&
           (!line.provider || kernel_class_in(*line.provider));
}

} // namespace

void LineRecords::set_trace(const etl::trace::Recording& recording, RawTimes raw_times) {
    trace_.has_header = true;
    trace_.header = recording.header;
    trace_.header_pointer_size = recording.header_pointer_size;
    trace_.reference_time = recording.reference_time;
    trace_.clock = etl::flow::Clock(recording.header, recording.reference_time);
    raw_times_ = raw_times;
    schemas_.set_build(recording.header.provider_version);
}

LineResult<etl::Bytes> LineRecords::make(const EventLine& line) {
    draft_ = {};
    known_ = nullptr;
    is_tracelogging_ = false;
    class_event_.reset();
    items_.clear();
    has_too_many_values_ = false;
    if (auto filled = fill_header(line); !filled) {
        return std::unexpected(std::move(filled.error()));
    }
    if (is_event(draft_.kind)) {
        if (auto filled = fill_items(line); !filled) {
            return std::unexpected(std::move(filled.error()));
        }
    }
    if (auto filled = fill_payload(line); !filled) {
        return std::unexpected(std::move(filled.error()));
    }
    if (has_too_many_values_) {
        return line_error("", "too many values for an event");
    }
    if (auto encoded = encode(draft_, record_); !encoded) {
        return std::unexpected(std::move(encoded.error()));
    }
    return record_.view();
}

std::span<const InputValue> LineRecords::given(Nested nested, std::vector<InputValue>& to) {
    to.clear();
    if (nested) {
        reader_->append(nested, to);
        has_too_many_values_ |= to.size() >= decode::limits::values_per_event;
    }
    return to;
}

// Where nobody says what kind of record it was: docs/write.md#kinds
RecordKind LineRecords::guess_kind(const EventLine& line) {
    const auto width =
        trace_.header.pointer_size == 4 ? etl::format::Width::bits32 : etl::format::Width::bits64;
    const std::span<const InputValue> ext = given(line.ext, values_);
    const bool has_wpp_fields =
        !member(ext, "sequence").empty() || !member(ext, "component_id").empty();
    if (line.source == "wpp" || line.is_wpp || line.message_flags || has_wpp_fields) {
        return {RecordFamily::message};
    }
    if (class_event_ && !class_event_->has_hook) {
        return {RecordFamily::full, width};
    }
    if (is_class_of_kernel(line) || class_event_) {
        const bool is_perfinfo = line.pid == etl::flow::no_id && line.tid == etl::flow::no_id;
        return {is_perfinfo ? RecordFamily::perfinfo : RecordFamily::system, width};
    }
    if (line.source == "mof") {
        const bool is_instance = !member(ext, "instance_info").empty();
        return {is_instance ? RecordFamily::instance : RecordFamily::full, width};
    }
    return {RecordFamily::event, width};
}

// An event of the kernel that the line names as a dump does. All of its classes share the name of
// the provider, so that the name of the event decides about class and type.
LineResult<void> LineRecords::name_class_event(const EventLine& line) {
    const bool is_kernel_by_name = line.provider && kernel_class_in(*line.provider).has_value();
    const bool is_any_class =
        line.provider_guid ? *line.provider_guid == system_trace_guid : is_kernel_by_name;
    const bool lacks_type =
        line.provider_guid && is_class_of_kernel(line) && line.event && !line.opcode;
    if (line.hook_id || line.header_bytes || (!is_any_class && !lacks_type) ||
        (line.header != RecordKind::none && !lacks_type)) {
        return {};
    }
    if (line.source == "tracelogging" || line.fields) {
        return line_error("provider", "the kernel writes no TraceLogging events");
    }
    if (!line.event) {
        return line_error("event", "missing; alternatively add provider_guid and opcode, or "
                                   "hook_id");
    }
    const auto name = class_event_name(line);
    if (!name) {
        return line_error("event", "not an event of the class that the provider names");
    }
    const auto named =
        etl::decode::find_class_events(*name, is_any_class ? nullptr : &*line.provider_guid);
    if (named.count == 0) {
        return line_error("event", is_any_class ? "not an event of the kernel; events without a "
                                                  "name require provider_guid and opcode"
                                                : "not an event of the class; add opcode");
    }
    if (named.count > 1) {
        return line_error("event", "ambiguous; add provider_guid and opcode");
    }
    if (line.opcode && *line.opcode != named.first.type) {
        return line_error("opcode", "not that of the event");
    }
    class_event_ = named.first;
    return {};
}

LineResult<void> LineRecords::fill_header(const EventLine& line) {
    if (auto named = name_class_event(line); !named) {
        return named;
    }
    draft_.kind = line.header != RecordKind::none ? line.header : guess_kind(line);
    draft_.process_id = line.pid;
    draft_.thread_id = line.tid;
    draft_.kernel_time = line.kernel_time;
    draft_.user_time = line.user_time;
    if (line.cpu_time) {
        draft_.kernel_time = static_cast<std::uint32_t>(*line.cpu_time);
        draft_.user_time = static_cast<std::uint32_t>(*line.cpu_time >> 32U);
    }
    draft_.activity = line.activity_id;
    draft_.property = line.event_property;
    draft_.flags = line.flags & stored_flags;
    if (line.source == "string") {
        draft_.flags |= event_flag::string_only;
    }
    if (auto filled = fill_time(line); !filled) {
        return filled;
    }
    if (auto filled = fill_provider(line); !filled) {
        return filled;
    }
    fill_descriptor(line);
    if (line.header_bytes) {
        if (!read_hex(*line.header_bytes, header_bytes_)) {
            return line_error("header_bytes", "not a hex string");
        }
        draft_.header_bytes = header_bytes_;
    }
    if (is_message(draft_.kind)) {
        const bool is_named = line.provider && !line.provider->empty();
        if (is_named && !line.provider_guid && !line.message_flags) {
            return line_error("provider_guid", "missing; a WPP message requires it");
        }
        fill_message(line);
    }
    if (!is_event(draft_.kind) && line.ext) {
        if (auto read = ext_.read(given(line.ext, values_), draft_); !read) {
            return read;
        }
    }
    return has_hook(draft_.kind) ? fill_kernel(line) : LineResult<void>{};
}

LineResult<void> LineRecords::fill_time(const EventLine& line) {
    const bool is_own = raw_times_ == RawTimes::own || !line.time;
    if (line.raw_time && is_own) {
        draft_.time = line.raw_time;
        return {};
    }
    if (line.time) {
        const auto time = etl::parse_rfc3339(*line.time);
        if (!time) {
            return line_error("time", "not an RFC 3339 time");
        }
        draft_.time = trace_.clock.to_raw(*time);
        return {};
    }
    const bool may_lack = line.raw_time_is_null || traits_of(draft_.kind).at.time == 0;
    if (may_lack) {
        return {};
    }
    return line.time_is_null && line.header == RecordKind::none
               ? line_error("time", "null requires header (written by `etl dump --raw`)")
               : line_error("time", "missing");
}

LineResult<void> LineRecords::fill_provider(const EventLine& line) {
    if (class_event_) {
        draft_.provider = class_event_->event_class;
    } else if (line.provider_guid) {
        draft_.provider = *line.provider_guid;
    } else if (line.provider && !line.provider->empty() && is_event(draft_.kind)) {
        const auto provider = provider_named(line);
        if (!provider) {
            return std::unexpected(provider.error());
        }
        draft_.provider = *provider;
    } else if (is_event(draft_.kind)) {
        return line_error("provider", "missing, and provider_guid is missing");
    } else if (line.provider && !line.provider->empty() &&
               traits_of(draft_.kind).at.provider != 0 && !line.header_bytes) {
        return line_error("provider_guid", "missing; this kind of record requires it");
    }
    return identify(line);
}

// Several providers can have a name; the one is meant that has the event.
LineResult<etl::Guid> LineRecords::provider_named(const EventLine& line) {
    const auto guids = schemas_.guids_of(*line.provider);
    if (guids.size() == 1) {
        return guids.front();
    }
    std::optional<etl::Guid> found;
    bool is_ambiguous = false;
    for (const etl::Guid& guid : guids) {
        const bool has_event =
            line.id ? schemas_.find(guid, *line.id, line.version) != nullptr
                    : line.event && schemas_.find_named(guid, *line.event, line.version).event;
        is_ambiguous |= has_event && found;
        found = has_event ? guid : found;
    }
    if (!found || is_ambiguous) {
        return line_error("provider", "several providers have this name; add provider_guid");
    }
    return *found;
}

// Which event it is, where the line has a name but no payload. What is described is not taken for
// TraceLogging unasked: readers would look for its fields in the description.
LineResult<void> LineRecords::identify(const EventLine& line) {
    is_tracelogging_ = line.fields || line.source == "tracelogging" || line.source == "evtx";
    draft_.id = line.id.value_or(0);
    if (is_tracelogging_ || !is_event(draft_.kind) || !line.event || line.payload ||
        (line.source && line.id)) {
        return {};
    }
    if (!line.id) {
        const Schemas::Named named =
            schemas_.find_named(draft_.provider, *line.event, line.version);
        if (named.is_ambiguous) {
            return line_error("event", "ambiguous; add id");
        }
        known_ = named.event;
        draft_.id = known_ != nullptr ? known_->id : draft_.id;
    } else {
        known_ = schemas_.find(draft_.provider, *line.id, line.version);
    }
    if (known_ == nullptr && schemas_.describes(draft_.provider)) {
        return line_error(line.id ? "id" : "event",
                          "not an event of the provider; for TraceLogging, add `source`");
    }
    is_tracelogging_ = known_ == nullptr && !line.source;
    return {};
}

// What the line does not say of an event, its description in the schemas does.
void LineRecords::fill_descriptor(const EventLine& line) {
    draft_.version = line.version.value_or(0);
    draft_.channel = line.channel.value_or(0);
    draft_.level = line.level.value_or(0);
    draft_.opcode = line.opcode.value_or(0);
    draft_.task = line.task.value_or(0);
    draft_.keyword = line.keyword.value_or(0);
    if (class_event_) {
        draft_.opcode = class_event_->type;
        draft_.version = line.version
                             ? *line.version
                             : schemas_.highest_version(draft_.provider, draft_.opcode).value_or(0);
    }
    const bool is_whole =
        line.version && line.channel && line.level && line.opcode && line.task && line.keyword;
    if (is_whole || !is_event(draft_.kind)) {
        return;
    }
    if (is_tracelogging_) {
        draft_.channel = line.channel.value_or(etl::format::tracelogging_channel);
        draft_.level = line.level.value_or(default_level);
        return;
    }
    if (known_ == nullptr && line.id) {
        known_ = schemas_.find(draft_.provider, *line.id, line.version);
    }
    if (known_ != nullptr) {
        draft_.version = line.version.value_or(known_->version);
        draft_.channel = line.channel.value_or(known_->channel);
        draft_.level = line.level.value_or(known_->level);
        draft_.opcode = line.opcode.value_or(known_->opcode);
        draft_.task = line.task.value_or(known_->task);
        draft_.keyword = line.keyword.value_or(known_->keyword);
    }
}

LineResult<void> LineRecords::fill_kernel(const EventLine& line) {
    const auto hook =
        line.hook_id ? line.hook_id : etl::format::hook_of_class(draft_.provider, draft_.opcode);
    if (!hook) {
        return line_error("provider_guid", "not a kernel class, and hook_id is missing");
    }
    draft_.hook_id = *hook;
    return {};
}

void LineRecords::fill_message(const EventLine& line) {
    if (line.message_flags) {
        draft_.message_options = *line.message_flags;
        return;
    }
    const bool has_ids = line.pid != etl::flow::no_id || line.tid != etl::flow::no_id;
    const bool is_narrow = trace_.header.pointer_size == 4;
    draft_.message_options = static_cast<std::uint16_t>(
        (draft_.provider.is_zero() ? 0U : message_record::guid) |
        (draft_.time ? message_record::time_stamp : 0U) |
        (has_ids ? message_record::system_info : 0U) |
        (is_narrow ? message_record::pointer32 : message_record::pointer64));
    const std::span<const InputValue> ext = given(line.ext, values_);
    if (!ext.empty() && !member(ext, "sequence").empty()) {
        draft_.message_options |= message_record::sequence;
    }
    if (!ext.empty() && !member(ext, "component_id").empty()) {
        draft_.message_options |= message_record::component_id;
    }
}

// LineRecords: payloads, as they are or made of data.

namespace {

using etl::encode::InputValue;
using etl::format::RecordFamily;
using etl::format::RecordKind;

// Its provider exists in several builds, of which the built-in schemas need not know this one.
bool has_schema_of_its_trace(const EventLine& line) noexcept {
    return line.source == "event-info" || line.source == "eventsource";
}

} // namespace

// Of a payload without the types of its fields nothing could be said.
bool LineRecords::takes_payload(const EventLine& line) const noexcept {
    if (!line.payload || !line.data || line.contradicts_schema) {
        return line.payload.has_value();
    }
    return prefer_ == PreferredSource::payload;
}

LineResult<void> LineRecords::fill_payload(const EventLine& line) {
    payload_.clear();
    // An event that only its name identifies has the fields of its schema.
    const bool lacks_data = !line.data && !line.payload && !line.is_short && !line.header_bytes &&
                            line.event && (class_event_ || (known_ != nullptr && !line.id));
    if ((!takes_payload(line) && line.data) || lacks_data) {
        if (auto encoded = encode(draft_, record_); !encoded) {
            return encoded;
        }
        const Schemas::Found found = schemas_.find(record_.view(), trace_);
        if (found.schema != nullptr) {
            auto encoded = encode_data(line, found);
            if (!encoded && encode_wide(line)) {
                encoded = {};
            }
            const bool is_other_build = !encoded && line.payload && has_schema_of_its_trace(line) &&
                                        schemas_.is_built_in(*found.schema);
            if (!is_other_build) {
                return encoded;
            }
            payload_.clear();
        }
        if (line.data && !line.payload) {
            return line_error("data",
                              "no schema for the payload (use --schema), and payload is missing");
        }
    }
    if (line.payload) {
        if (!read_hex(*line.payload, payload_bytes_)) {
            return line_error("payload", "not a hex string");
        }
        draft_.payload = payload_bytes_;
    }
    return {};
}

// The pointer size of the log file header is that of the program that started the session. On
// 64-bit Windows, a 32-bit program also records events of drivers and of 64-bit programs.
bool LineRecords::encode_wide(const EventLine& line) {
    const RecordKind guessed = draft_.kind;
    if (line.header != RecordKind::none || guessed != narrow(RecordFamily::event)) {
        return false;
    }
    draft_.kind = wide(RecordFamily::event);
    payload_.clear();
    if (encode(draft_, record_)) {
        const Schemas::Found found = schemas_.find(record_.view(), trace_);
        if (found.schema != nullptr && encode_data(line, found)) {
            return true;
        }
    }
    draft_.kind = guessed;
    return false;
}

// The layout that decoding would choose for the payload is the one that the data fit.
LineResult<void> LineRecords::encode_data(const EventLine& line, const Schemas::Found& found) {
    if (generation_ != schemas_.generation()) {
        encoder_.forget();
        generation_ = schemas_.generation();
    }
    const std::span<const InputValue> data = given(line.data, data_);
    auto encoded = encode_as(found, data, line.is_short);
    if (!encoded) {
        // One that only its name identifies has the version whose fields the line has.
        constexpr std::uint8_t any_version = 0xFF;
        const bool is_free = class_event_ && !line.version;
        const auto others = schemas_.others(draft_, found, is_free ? any_version : draft_.version);
        const bool fits_other = std::ranges::any_of(others, [&](const Schemas::Found& other) {
            const bool fits = encode_as(other, data, line.is_short).has_value();
            if (fits && is_free) {
                draft_.version = other.schema->version;
            }
            return fits;
        });
        if (!fits_other) {
            const std::string twice = find_given_twice(data);
            return twice.empty() ? line_error("data", encoded.error())
                                 : line_error("data." + twice, "duplicate");
        }
    }
    if (line.trailing) {
        if (!read_hex(*line.trailing, payload_bytes_)) {
            return line_error("trailing", "not a hex string");
        }
        payload_.bytes(payload_bytes_);
    }
    draft_.payload = payload_.view();
    return {};
}

std::expected<void, etl::encode::Mismatch> LineRecords::encode_as(const Schemas::Found& found,
                                                                  std::span<const InputValue> data,
                                                                  bool is_short) {
    using Missing = etl::encode::PayloadOptions::Missing;
    return encoder_.encode(*found.schema, data,
                           {.pointer_size = found.pointer_size,
                            .missing = is_short ? Missing::ends_payload : Missing::is_error},
                           payload_);
}

// LineRecords: extended items, among them what a record says of its own fields.

namespace {

using etl::encode::InputValue;
using etl::format::ItemType;
using etl::format::RecordKind;
using etl::format::Width;
namespace event_flag = etl::format::event_flag;

bool holds_nul(std::string_view name) noexcept {
    return name.find('\0') != name.npos;
}

} // namespace

LineResult<void> LineRecords::fill_items(const EventLine& line) {
    if (line.items && prefer_ == PreferredSource::payload) {
        if (auto appended = ext_.append_items(given(line.items, values_), items_); !appended) {
            return appended;
        }
    } else {
        const Width width = draft_.kind.width;
        if (line.related_activity_id) {
            items_.begin(ItemType::related_activity_id).guid(*line.related_activity_id);
        }
        if (line.ext) {
            if (auto read = ext_.append_ext(given(line.ext, values_), width, items_); !read) {
                return read;
            }
        }
        if (line.stack) {
            if (auto read = ext_.append_stack(given(line.stack, values_), width, items_); !read) {
                return read;
            }
        }
        if (auto appended = append_schema_items(line); !appended) {
            return appended;
        }
    }
    encoded_items_.clear();
    if (const auto encoded = encode_items(items_.view(), encoded_items_); !encoded) {
        return line_error("", etl::describe(encoded.error()));
    }
    draft_.items = encoded_items_.view();
    // Items that were damaged are dumped as part of the payload.
    const bool is_damaged = draft_.items.empty() && !line.items && takes_payload(line);
    draft_.flags |= is_damaged ? line.flags & event_flag::extended_info : 0U;
    return {};
}

LineResult<void> LineRecords::append_schema_items(const EventLine& line) {
    // A record that was dumped with --raw has the traits that it says.
    const bool names_provider =
        is_tracelogging_ && line.provider && line.header == RecordKind::none;
    if (line.traits || names_provider) {
        std::string_view name = line.provider.value_or("");
        std::optional<etl::Guid> group;
        std::optional<etl::Guid> decode;
        for (etl::encode::InputValueList at(given(line.traits, values_)); !at.empty();
             at.pop_front()) {
            const InputValue& trait = at.front().front();
            if (trait.name == "name") {
                name = text(trait).value_or(name);
            } else if (auto id = guid(trait); id && trait.name == "group") {
                group = id;
            } else if (id && trait.name == "decode") {
                decode = id;
            } else {
                return line_error(fmt::format("traits.{}", trait.name), "not a trait with a GUID");
            }
        }
        if (holds_nul(name)) {
            return line_error("provider", "contains a NUL character");
        }
        metadata_.clear();
        if (const auto made = etl::encode::encode_traits(name, group, decode, metadata_); !made) {
            return line_error("provider", etl::describe(made.error()));
        }
        items_.begin(ItemType::provider_traits).bytes(metadata_.view());
    }
    return is_tracelogging_ ? append_metadata(line) : LineResult<void>{};
}

LineResult<void> LineRecords::append_metadata(const EventLine& line) {
    fields_.clear();
    if (line.fields) {
        if (const auto read = etl::encode::parse_fields(given(line.fields, values_), fields_);
            !read) {
            return line_error("fields", read.error());
        }
    } else if (line.data) {
        if (const auto inferred = etl::encode::infer_fields(given(line.data, values_), fields_);
            !inferred) {
            return line_error("data", inferred.error());
        }
    }
    if (holds_nul(line.event.value_or(""))) {
        return line_error("event", "contains a NUL character");
    }
    const auto bad_name = std::ranges::find_if(
        fields_, [](const etl::encode::MetadataField& field) { return holds_nul(field.name); });
    if (bad_name != fields_.end()) {
        return line_error(fmt::format("{}.{}", line.fields ? "fields" : "data", bad_name->name),
                          "the name contains a NUL character");
    }
    metadata_.clear();
    const auto made =
        etl::encode::encode_metadata(line.event.value_or(""), line.event_tags, fields_, metadata_);
    if (!made) {
        return line_error(line.fields ? "fields" : "data", etl::describe(made.error()));
    }
    items_.begin(ItemType::event_schema_tl).bytes(metadata_.view());
    return {};
}

} // namespace etl::fromjson
