#include "write/line_records.hpp"

#include <etl/base/limits.hpp>
#include <etl/format/kernel_group.hpp>
#include <etl/format/records.hpp>

#include "write/given_members.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lines {

namespace {

using etl::encode::Given;
using etl::format::ItemType;
using etl::format::RecordKind;
using etl::format::Width;
namespace event_flag = etl::format::event_flag;
namespace message_record = etl::format::message_record;

/// What TraceLogging events go by; so does what a person writes.
constexpr std::uint8_t tracelogging_channel = 11;
constexpr std::uint8_t default_level = 5;

/// Flags of an EVENT header that lie in the file.
constexpr std::uint16_t stored_flags = event_flag::private_session | event_flag::string_only |
                                       event_flag::no_cpu_time | event_flag::decode_guid;

std::unexpected<LineError> wrong(std::string field, std::string what) {
    return std::unexpected(LineError{std::move(field), std::move(what)});
}

std::unexpected<LineError> wrong(std::string_view key, const etl::encode::Mismatch& mismatch) {
    return wrong(mismatch.field.empty() ? std::string(key)
                                        : fmt::format("{}.{}", key, mismatch.field),
                 mismatch.what);
}

bool is_class_of_kernel(const EventLine& line) {
    return line.provider_guid && !etl::format::class_name(*line.provider_guid).empty() &&
           (!line.provider || *line.provider == etl::format::system_trace_name);
}

} // namespace

void LineRecords::set_trace(const etl::trace::Recording& recording, RawTimes raw_times) {
    trace_.has_header = true;
    trace_.header = recording.header;
    trace_.header_pointer_size = recording.header_pointer_size;
    trace_.reference_time = recording.reference_time;
    trace_.clock = etl::flow::Clock(recording.header, recording.reference_time);
    raw_times_ = raw_times;
}

std::expected<etl::Bytes, LineError> LineRecords::make(const EventLine& line) {
    draft_ = {};
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
        return wrong("", "holds more values than an event can have");
    }
    if (auto encoded = encode(draft_, record_); !encoded) {
        return std::unexpected(std::move(encoded.error()));
    }
    return record_.view();
}

std::span<const Given> LineRecords::given(Nested nested, std::vector<Given>& to) {
    to.clear();
    if (nested) {
        reader_->append(nested, to);
        has_too_many_values_ |= to.size() >= etl::limits::values_per_event;
    }
    return to;
}

// Where nobody says what kind of record it was: docs/write.md#kinds
RecordKind LineRecords::guess_kind(const EventLine& line) {
    const bool is_narrow = trace_.header.pointer_size == 4;
    const std::span<const Given> ext = given(line.ext, values_);
    const bool has_wpp_fields =
        !member(ext, "sequence").empty() || !member(ext, "component_id").empty();
    if (line.source == "wpp" || line.message_flags || has_wpp_fields) {
        return RecordKind::message;
    }
    if (is_class_of_kernel(line)) {
        const bool is_perfinfo = line.pid == etl::flow::no_id && line.tid == etl::flow::no_id;
        return is_perfinfo ? (is_narrow ? RecordKind::perfinfo32 : RecordKind::perfinfo64)
                           : (is_narrow ? RecordKind::system32 : RecordKind::system64);
    }
    if (line.source == "mof") {
        return is_narrow ? RecordKind::full32 : RecordKind::full64;
    }
    return is_narrow ? RecordKind::event32 : RecordKind::event64;
}

LineRecords::Outcome LineRecords::fill_header(const EventLine& line) {
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
            return wrong("header_bytes", "is no text of hex digits");
        }
        draft_.header_bytes = header_bytes_;
    }
    if (draft_.kind == RecordKind::message) {
        fill_message(line);
    }
    if (!is_event(draft_.kind) && line.ext) {
        if (auto read = ext_.read(given(line.ext, values_), draft_); !read) {
            return read;
        }
    }
    return is_kernel(draft_.kind) ? fill_kernel(line) : Outcome{};
}

LineRecords::Outcome LineRecords::fill_time(const EventLine& line) {
    const bool is_own = raw_times_ == RawTimes::own || !line.time;
    if (line.raw_time && is_own) {
        draft_.time = line.raw_time;
        return {};
    }
    if (line.time) {
        const auto time = etl::parse_rfc3339(*line.time);
        if (!time) {
            return wrong("time", "is no time in RFC 3339");
        }
        draft_.time = trace_.clock.to_raw(*time);
        return {};
    }
    const bool may_lack = line.raw_time_is_null || draft_.kind == RecordKind::error ||
                          draft_.kind == RecordKind::message || draft_.kind == RecordKind::ulong32;
    return may_lack ? Outcome{} : Outcome{wrong("time", "is missing")};
}

LineRecords::Outcome LineRecords::fill_provider(const EventLine& line) {
    if (line.provider_guid) {
        draft_.provider = *line.provider_guid;
    } else if (line.provider && !line.provider->empty() && is_event(draft_.kind)) {
        draft_.provider = schemas_.guid_of(*line.provider);
    } else if (is_event(draft_.kind)) {
        return wrong("provider", "is missing, and so is provider_guid");
    }
    return {};
}

// What the line does not say of an event, its description in the schemas does.
void LineRecords::fill_descriptor(const EventLine& line) {
    draft_.id = line.id.value_or(0);
    draft_.version = line.version.value_or(0);
    draft_.channel = line.channel.value_or(0);
    draft_.level = line.level.value_or(0);
    draft_.opcode = line.opcode.value_or(0);
    draft_.task = line.task.value_or(0);
    draft_.keyword = line.keyword.value_or(0);
    const bool is_whole =
        line.version && line.channel && line.level && line.opcode && line.task && line.keyword;
    if (is_whole || !is_event(draft_.kind)) {
        return;
    }
    if (is_tracelogging(line)) {
        draft_.channel = line.channel.value_or(tracelogging_channel);
        draft_.level = line.level.value_or(default_level);
        return;
    }
    if (!line.id) {
        return;
    }
    if (const auto* const known = schemas_.find(draft_.provider, *line.id, line.version)) {
        draft_.version = line.version.value_or(known->version);
        draft_.channel = line.channel.value_or(known->channel);
        draft_.level = line.level.value_or(known->level);
        draft_.opcode = line.opcode.value_or(known->opcode);
        draft_.task = line.task.value_or(known->task);
        draft_.keyword = line.keyword.value_or(known->keyword);
    }
}

LineRecords::Outcome LineRecords::fill_kernel(const EventLine& line) {
    const auto hook =
        line.hook_id ? line.hook_id : etl::format::hook_of_class(draft_.provider, draft_.opcode);
    if (!hook) {
        return wrong("provider_guid", "is no class of the kernel, and hook_id is missing");
    }
    draft_.hook_id = *hook;
    return {};
}

void LineRecords::fill_message(const EventLine& line) {
    if (line.message_flags) {
        draft_.message_flags = *line.message_flags;
        return;
    }
    const bool has_ids = line.pid != etl::flow::no_id || line.tid != etl::flow::no_id;
    const bool is_narrow = trace_.header.pointer_size == 4;
    draft_.message_flags = static_cast<std::uint16_t>(
        (draft_.provider.is_zero() ? 0U : message_record::guid) |
        (draft_.time ? message_record::time_stamp : 0U) |
        (has_ids ? message_record::system_info : 0U) |
        (is_narrow ? message_record::pointer32 : message_record::pointer64));
    const std::span<const Given> ext = given(line.ext, values_);
    if (!ext.empty() && !member(ext, "sequence").empty()) {
        draft_.message_flags |= message_record::sequence;
    }
    if (!ext.empty() && !member(ext, "component_id").empty()) {
        draft_.message_flags |= message_record::component_id;
    }
}

// A line that names neither an id that is described nor where it came from is taken for what it
// looks like.
bool LineRecords::is_tracelogging(const EventLine& line) {
    if (line.fields || line.source == "tracelogging") {
        return true;
    }
    return !line.source && line.event && line.data && !line.payload &&
           (!line.id || schemas_.find(draft_.provider, *line.id, line.version) == nullptr);
}

LineRecords::Outcome LineRecords::fill_items(const EventLine& line) {
    if (line.items && prefer_ == Prefer::payload) {
        if (auto appended = ext_.append_items(given(line.items, values_), items_); !appended) {
            return appended;
        }
    } else {
        const Width width = width_of(draft_.kind);
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
    draft_.items = items_.view();
    // Items that were damaged are dumped as part of the payload.
    const bool is_damaged = draft_.items.empty() && !line.items && takes_payload(line);
    draft_.flags |= is_damaged ? line.flags & event_flag::extended_info : 0U;
    return {};
}

LineRecords::Outcome LineRecords::append_schema_items(const EventLine& line) {
    const bool describes_itself = is_tracelogging(line);
    // A record that was dumped with --raw has the traits that it says.
    const bool names_provider =
        describes_itself && line.provider && line.header == RecordKind::none;
    if (line.traits || names_provider) {
        std::string_view name = line.provider.value_or("");
        std::optional<etl::Guid> group;
        std::optional<etl::Guid> decode;
        for (etl::encode::GivenList at(given(line.traits, values_)); !at.empty(); at.pop_front()) {
            const Given& trait = at.front().front();
            if (trait.name == "name") {
                name = text(trait).value_or(name);
            } else if (auto id = guid(trait); id && trait.name == "group") {
                group = id;
            } else if (id && trait.name == "decode") {
                decode = id;
            } else {
                return wrong(fmt::format("traits.{}", trait.name), "is no trait with its GUID");
            }
        }
        metadata_.clear();
        if (const auto made = etl::encode::encode_traits(name, group, decode, metadata_); !made) {
            return wrong("provider", etl::describe(made.error()));
        }
        items_.begin(ItemType::provider_traits).bytes(metadata_.view());
    }
    return describes_itself ? append_metadata(line) : Outcome{};
}

LineRecords::Outcome LineRecords::append_metadata(const EventLine& line) {
    fields_.clear();
    if (line.fields) {
        if (const auto read = etl::encode::parse_fields(given(line.fields, values_), fields_);
            !read) {
            return wrong("fields", read.error());
        }
    } else if (line.data) {
        if (const auto inferred = etl::encode::infer_fields(given(line.data, values_), fields_);
            !inferred) {
            return wrong("data", inferred.error());
        }
    }
    metadata_.clear();
    const auto made =
        etl::encode::encode_metadata(line.event.value_or(""), line.event_tags, fields_, metadata_);
    if (!made) {
        return wrong(line.fields ? "fields" : "data", etl::describe(made.error()));
    }
    items_.begin(ItemType::event_schema_tl).bytes(metadata_.view());
    return {};
}

// Of a payload without the types of its fields nothing could be said.
bool LineRecords::takes_payload(const EventLine& line) const noexcept {
    if (!line.payload || !line.data || line.contradicts_schema) {
        return line.payload.has_value();
    }
    return prefer_ == Prefer::payload;
}

LineRecords::Outcome LineRecords::fill_payload(const EventLine& line) {
    payload_.clear();
    if (!takes_payload(line) && line.data) {
        if (auto encoded = encode(draft_, record_); !encoded) {
            return encoded;
        }
        const Schemas::Found found = schemas_.find(record_.view(), trace_);
        if (found.schema != nullptr) {
            return encode_data(line, found);
        }
        if (!line.payload) {
            return wrong("data", "nothing says how it lies in a payload: no schema is known (give "
                                 "--schema), and payload is missing");
        }
    }
    if (line.payload) {
        if (!read_hex(*line.payload, payload_bytes_)) {
            return wrong("payload", "is no text of hex digits");
        }
        draft_.payload = payload_bytes_;
    }
    return {};
}

// The layout that decoding would choose for the payload is the one that the data fit.
LineRecords::Outcome LineRecords::encode_data(const EventLine& line, const Schemas::Found& found) {
    if (generation_ != schemas_.generation()) {
        encoder_.forget();
        generation_ = schemas_.generation();
    }
    const std::span<const Given> data = given(line.data, data_);
    auto encoded = encode_as(found, data, line.is_short);
    if (!encoded) {
        const auto others = schemas_.others(draft_, found);
        const bool fits_other = std::ranges::any_of(others, [&](const Schemas::Found& other) {
            return encode_as(other, data, line.is_short).has_value();
        });
        if (!fits_other) {
            return wrong("data", encoded.error());
        }
    }
    if (line.trailing) {
        if (!read_hex(*line.trailing, payload_bytes_)) {
            return wrong("trailing", "is no text of hex digits");
        }
        payload_.bytes(payload_bytes_);
    }
    draft_.payload = payload_.view();
    return {};
}

std::expected<void, etl::encode::Mismatch>
LineRecords::encode_as(const Schemas::Found& found, std::span<const Given> data, bool is_short) {
    using Missing = etl::encode::PayloadOptions::Missing;
    return encoder_.encode(*found.schema, data,
                           {.pointer_size = found.pointer_size,
                            .missing = is_short ? Missing::ends_payload : Missing::is_error},
                           payload_);
}

} // namespace lines
