#include "eventlog/convert.hpp"

#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "evtx/event.hpp"
#include "format/buffer_header.hpp"
#include "format/limits.hpp"
#include "format/logfile_header.hpp"
#include "format/provider_identity.hpp"
#include "format/records.hpp"
#include "io/writable_file.hpp"
#include "trace/writer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace etl::eventlog {

namespace {

// An event of a log as the metadata and payload of a TraceLogging event.
// docs/format/evtx.md#as-a-trace

/// Reusable: keeps its memory.
class SelfDescribing {
public:
    void describe(const evtx::Event& event);

    /// The content of the extended data item EVENT_SCHEMA_TL.
    Bytes metadata() const noexcept { return metadata_.view(); }

    /// The content of the extended data item PROV_TRAITS.
    Bytes traits() const noexcept { return traits_.view(); }

    Bytes payload() const noexcept { return payload_.view(); }

private:
    void add_namespace(const evtx::Field& field);
    void count_members(std::span<const evtx::Field> fields);
    void fields(std::span<const evtx::Field> fields);
    void value(const evtx::Field& field);
    void array(const evtx::Field& field, std::span<const evtx::Value> items);
    void traits(const evtx::Event& event);
    void name(const evtx::Field& field, std::uint8_t type);

    ByteWriter metadata_, traits_, payload_;
    std::vector<evtx::Value> items_;
    std::vector<std::uint8_t> members_;
    std::vector<std::size_t> open_;
    std::size_t unnamed_ = 0;
    std::uint32_t names_ = 0;             // so far
    std::vector<std::uint32_t> elements_; // by depth of their members, as in format::LogOrigin
    std::string namespaces_;
};

using evtx::Field;
using evtx::Value;
using evtx::ValueType;

// Types of TraceLogging fields; the others have the numbers of evtx::ValueType.
constexpr std::uint8_t counted_text16 = 22;
constexpr std::uint8_t counted_text8 = 23;
constexpr std::uint8_t structure = 24;
constexpr std::uint8_t has_out_type = 0x80;
constexpr std::uint8_t has_tags = 0x80; // in the byte of the out type
constexpr std::uint8_t has_variable_count = 0x40;
constexpr std::size_t max_members = 127;
constexpr std::size_t max_size = format::limits::metadata_bytes;

/// The type of a value in a trace; data of a wrong size are binary.
std::uint8_t type_in_trace(const Value& value) noexcept {
    const auto number = static_cast<std::uint8_t>(value.type);
    constexpr auto binary = static_cast<std::uint8_t>(ValueType::binary);
    if (value.type == ValueType::string || value.type == ValueType::null) {
        return counted_text16;
    }
    if (value.type == ValueType::ansi) {
        return counted_text8;
    }
    if (value.type == ValueType::size) {
        return static_cast<std::uint8_t>(value.data.size() == 4   ? ValueType::hex32
                                         : value.data.size() == 8 ? ValueType::hex64
                                                                  : ValueType::binary);
    }
    if (value.type == ValueType::sid) {
        return evtx::sid_size(value.data) == value.data.size() && !value.data.empty() ? number
                                                                                      : binary;
    }
    const std::size_t size = evtx::fixed_size(value.type);
    return size != 0 && size == value.data.size() ? number : binary;
}

bool is_counted(std::uint8_t type) noexcept {
    return type == counted_text16 || type == counted_text8 ||
           type == static_cast<std::uint8_t>(ValueType::binary);
}

/// Text without the NULs at its end, which some writers count.
Bytes content_of(const Value& value) noexcept {
    Bytes data = value.data;
    const std::size_t unit = value.type == ValueType::string ? 2 : 1;
    if (value.type != ValueType::string && value.type != ValueType::ansi) {
        return data;
    }
    data = data.first(data.size() / unit * unit);
    while (!data.empty() && std::ranges::all_of(data.last(unit), [](std::byte byte) {
        return byte == std::byte{0};
    })) {
        data = data.first(data.size() - unit);
    }
    return data;
}

void put_value(ByteWriter& to, std::uint8_t type, const Value& value) {
    const Bytes data = content_of(value).first(std::min(content_of(value).size(), max_size));
    if (is_counted(type)) {
        to.u16(static_cast<std::uint16_t>(data.size()));
    }
    to.bytes(data);
}

format::LogPayload payload_of(const evtx::Event& event) noexcept {
    using evtx::PayloadKind;
    switch (event.payload) {
    case PayloadKind::none:
        return format::LogPayload::none;
    case PayloadKind::event_data:
        return format::LogPayload::event_data;
    case PayloadKind::user_data:
        return format::LogPayload::user_data;
    case PayloadKind::debug_data:
        return format::LogPayload::debug_data;
    case PayloadKind::binary_event_data:
        return format::LogPayload::binary_event_data;
    case PayloadKind::processing_error_data:
        return format::LogPayload::processing_error_data;
    case PayloadKind::other:
        break;
    }
    return format::LogPayload::other;
}

bool declares_namespace(const Field& field) noexcept {
    return field.is_attribute && (field.name == "xmlns" || field.name.starts_with("xmlns:"));
}

/// Whether the structure is an element with nothing but declarations of namespaces and a text: it
/// becomes a field with that text. Returns the text, or the structure itself if it has none; null:
/// it is another structure.
const Field* plain_text(std::span<const Field> fields, std::size_t of) {
    const unsigned depth = fields[of].depth + 1;
    std::size_t at = of + 1;
    while (at < fields.size() && fields[at].depth == depth && declares_namespace(fields[at])) {
        ++at;
    }
    if (at == of + 1) {
        return nullptr;
    }
    if (at == fields.size() || fields[at].depth < depth) {
        return &fields[of];
    }
    const bool is_last = at + 1 == fields.size() || fields[at + 1].depth < depth;
    const bool is_text =
        fields[at].name.empty() && !fields[at].is_structure && !fields[at].is_attribute;
    return is_last && is_text ? &fields[at] : nullptr;
}

void SelfDescribing::describe(const evtx::Event& event) {
    metadata_.clear();
    payload_.clear();
    unnamed_ = 0;
    names_ = 0;
    elements_.assign(1, 0);
    namespaces_.clear();
    metadata_.u16(0).u8(0).zero_terminated8(event.payload_name); // no tags
    fields(event.fields);
    traits(event); // with the namespaces of the fields
    metadata_.patch(0, static_cast<std::uint16_t>(std::min(metadata_.size(), max_size)));
}

void SelfDescribing::traits(const evtx::Event& event) {
    const std::string_view provider = event.provider;
    traits_.clear();
    traits_.u16(0).zero_terminated8(provider.substr(0, provider.find('\0')));
    const auto bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
    format::append_log_origin(traits_, {.payload = payload_of(event),
                                        .qualifiers = event.qualifiers,
                                        .channel = bytes(event.channel),
                                        .computer = bytes(event.computer),
                                        .event_source = bytes(event.event_source),
                                        .xml_namespace = bytes(namespaces_)});
    traits_.patch(0, static_cast<std::uint16_t>(std::min(traits_.size(), max_size)));
}

/// The name, type, and tag of a field; one without a name is `param1`.
void SelfDescribing::name(const Field& field, std::uint8_t type) {
    ++names_;
    if (field.name.empty()) {
        metadata_.text8("param").text8(std::to_string(++unnamed_)).u8(0);
    } else {
        metadata_.zero_terminated8(std::string_view(field.name).substr(0, field.name.find('\0')));
    }
    const std::uint32_t tag = field.is_attribute ? format::attribute_field_tag
                              : field.name.empty() && !field.is_structure
                                  ? format::unnamed_field_tag
                                  : 0U;
    const bool is_structure = type == structure;
    if (tag == 0) {
        metadata_.u8(is_structure ? static_cast<std::uint8_t>(structure | has_out_type) : type);
        return;
    }
    constexpr unsigned first_tag_bit = 21; // tags begin with their highest seven bits
    metadata_.u8(static_cast<std::uint8_t>(type | has_out_type)).u8(has_tags);
    metadata_.u8(static_cast<std::uint8_t>(tag >> first_tag_bit));
}

void SelfDescribing::add_namespace(const Field& field) {
    constexpr std::uint32_t none = 0xFFFFFFFF;
    const std::uint32_t element = field.depth < elements_.size() ? elements_[field.depth] : none;
    std::string uri;
    append_text(uri, field.value);
    if (element != none && !uri.contains('\n') && !field.name.contains(' ')) {
        append_decimal(namespaces_, element);
        namespaces_.append(" ").append(field.name).append(" ").append(uri).append("\n");
    }
}

/// Counts the direct members of each structure, in members_; 0: metadata cannot express the
/// structure, so that its members are those of the structure around it. From the last field on.
void SelfDescribing::count_members(std::span<const Field> fields) {
    members_.assign(fields.size(), 0);
    open_.clear(); // members so far, by depth
    for (std::size_t at = fields.size(); at-- > 0;) {
        const Field& field = fields[at];
        open_.resize(std::max<std::size_t>(open_.size(), field.depth + 2UL), 0);
        std::size_t counts = declares_namespace(field) ? 0 : 1;
        if (field.is_structure && plain_text(fields, at) != nullptr) {
            open_[field.depth + 1UL] = 0;
        } else if (field.is_structure) {
            counts = std::exchange(open_[field.depth + 1UL], 0);
            if (counts > 0 && counts <= max_members && field.depth < format::max_struct_depth) {
                members_[at] = static_cast<std::uint8_t>(counts);
                counts = 1;
            }
        }
        open_[field.depth] += counts;
    }
}

void SelfDescribing::fields(std::span<const Field> fields) {
    constexpr std::uint32_t none = 0xFFFFFFFF;
    count_members(fields);
    const Field* text_of_element = nullptr;
    for (std::size_t at = 0; at < fields.size(); ++at) {
        const Field& field = fields[at];
        if (declares_namespace(field)) {
            add_namespace(field);
        } else if (!field.is_structure) {
            if (&field != text_of_element) {
                value(field);
            }
        } else {
            text_of_element = plain_text(fields, at);
            elements_.resize(field.depth + 2UL, none);
            elements_[field.depth + 1UL] = none;
            if (text_of_element != nullptr) {
                Field plain = field;
                plain.is_structure = false;
                plain.value = text_of_element->value;
                value(plain);
                elements_[field.depth + 1UL] = names_;
            } else if (members_[at] > 0) {
                name(field, structure);
                metadata_.u8(members_[at]);
                elements_[field.depth + 1UL] = names_;
            }
        }
    }
}

void SelfDescribing::value(const Field& field) {
    if (!field.value.is_array) {
        const std::uint8_t type = type_in_trace(field.value);
        name(field, type);
        return put_value(payload_, type, field.value);
    }
    items_.clear();
    evtx::Items items(field.value);
    for (Value item; items.next(item) && items_.size() < max_size;) {
        items_.push_back(item);
    }
    array(field, items_);
}

void SelfDescribing::array(const Field& field, std::span<const Value> items) {
    const std::uint8_t type = items.empty() ? counted_text16 : type_in_trace(items.front());
    name(field, static_cast<std::uint8_t>(type | has_variable_count));
    payload_.u16(static_cast<std::uint16_t>(items.size()));
    for (const Value& item : items) {
        put_value(payload_, type, item);
    }
}

using format::ExtendedItem;
using format::ItemType;

// A record of 64 KB, the largest, must fit into a buffer.
constexpr std::uint32_t trace_buffer_size = 128U << 10U;

template <typename T>
std::array<std::byte, sizeof(T)> bytes_of(T value) noexcept {
    std::array<std::byte, sizeof(T)> bytes;
    store_le(bytes.data(), value);
    return bytes;
}

class Converter {
public:
    Converter(const io::InputFile& log, const evtx::ReaderOptions& options)
        : name_(log.name()), options_(options) {}

    Result<Conversion> run(evtx::Reader reader) {
        evtx::Record record;
        while (reader.next(record)) {
            const auto event = events_.read(record);
            if (!event) {
                ++done_.undecodable;
                report("a record with damaged XML", record);
                continue;
            }
            if (auto added = add(**event, record); !added) {
                return std::unexpected(added.error());
            }
        }
        done_.counts = reader.counts();
        return finish();
    }

private:
    /// The writer begins with the time of the first event.
    Result<void> open(Filetime start) {
        trace::Recording recording = trace::begin_recording(start);
        recording.header.boot_time = 0; // a log states neither
        recording.header.provider_version = 0;
        recording.header.major_version = 0;
        trace::WriterOptions options{.recording = std::move(recording), .files = &files_};
        options.file.buffer_size = trace_buffer_size;
        auto writer = trace::Writer::create(name_, std::move(options));
        if (!writer) {
            return std::unexpected(writer.error());
        }
        writer_ = std::move(*writer);
        return {};
    }

    Result<void> add(const evtx::Event& event, const evtx::Record& record) {
        const Filetime time = event.time.value_or(record.written);
        if (!writer_) {
            if (auto opened = open(time); !opened) {
                return opened;
            }
        }
        self_describing_.describe(event);
        items_.clear();
        const Guid related = event.related_activity.value_or(Guid{});
        if (event.related_activity) {
            items_.push_back({ItemType::related_activity_id, related.bytes});
        }
        if (!event.user_sid.empty()) {
            items_.push_back({ItemType::sid, event.user_sid});
        }
        const auto session = bytes_of(event.session.value_or(0));
        if (event.session) {
            items_.push_back({ItemType::terminal_session_id, session});
        }
        const auto record_id = bytes_of(event.record_id);
        items_.push_back({ItemType::event_key, record_id});
        items_.push_back({ItemType::event_schema_tl, self_describing_.metadata()});
        items_.push_back({ItemType::provider_traits, self_describing_.traits()});
        const std::uint32_t processor = event.processor.value_or(0);
        const auto added = writer_->add(
            record_of(event, time),
            static_cast<std::uint16_t>(processor < etl::limits::processors ? processor : 0));
        if (!added && added.error().code == ErrorCode::limit) {
            ++done_.too_large;
            report("an event that exceeds a record of 64 KB", record);
            return {};
        }
        return added;
    }

    format::EventRecord record_of(const evtx::Event& event, Filetime time) const noexcept {
        return {.process_id = event.process_id.value_or(format::unknown_id),
                .thread_id = event.thread_id.value_or(format::unknown_id),
                .time = time.ticks,
                .provider = event.provider_guid.value_or(Guid{}),
                .descriptor = {.id = static_cast<std::uint16_t>(event.id),
                               .version = event.version,
                               .level = event.level,
                               .opcode = event.opcode,
                               .task = event.task,
                               .keyword = event.keywords},
                .kernel_time = event.kernel_time.value_or(0),
                .user_time = event.user_time.value_or(0),
                .activity = event.activity.value_or(Guid{}),
                .items = items_,
                .payload = self_describing_.payload()};
    }

    void report(const char* what, const evtx::Record& record) {
        if (options_.diagnostics != nullptr) {
            options_.diagnostics->report({.severity = Severity::warning,
                                          .what = what,
                                          .where = record.where,
                                          .bytes_skipped = record.size + evtx::record_overhead,
                                          .file = options_.file});
        }
    }

    Result<Conversion> finish() {
        if (!writer_) {
            if (auto opened = open(Filetime{Filetime::unix_epoch}); !opened) {
                return std::unexpected(opened.error());
            }
        }
        if (auto closed = writer_->close(); !closed) {
            return std::unexpected(closed.error());
        }
        writer_.reset();
        std::vector<std::byte> trace = std::move(files_.files().begin()->second);
        count_missing(trace);
        done_.trace = io::InputFile::from_memory(std::move(trace), name_);
        return std::move(done_);
    }

    /// The header was written before it was known what is missing.
    void count_missing(MutableBytes trace) const {
        constexpr unsigned pointer_size = 8;
        const MutableBytes record = trace.subspan(format::buffer_header::size);
        const MutableBytes payload =
            record.first(format::record_at(record).size).subspan(format::system_record::size);
        if (auto header = format::parse_logfile_header(payload, pointer_size, {})) {
            constexpr std::uint64_t max = std::numeric_limits<std::uint32_t>::max();
            header->events_lost = static_cast<std::uint32_t>(std::min(done_.missing(), max));
            std::ranges::copy(format::encode_logfile_header(*header, pointer_size),
                              payload.begin());
        }
    }

    std::string name_;
    evtx::ReaderOptions options_;
    io::MemoryFiles files_;
    std::unique_ptr<trace::Writer> writer_;
    evtx::EventReader events_;
    SelfDescribing self_describing_;
    std::vector<ExtendedItem> items_;
    Conversion done_;
};

} // namespace

bool is_event_log(const io::InputFile& file) noexcept {
    return evtx::looks_like_event_log(file.bytes());
}

Result<Conversion> convert(const io::InputFile& log, const evtx::ReaderOptions& options) {
    auto reader = evtx::Reader::open(log.bytes(), options);
    if (!reader) {
        return std::unexpected(reader.error());
    }
    return Converter(log, options).run(std::move(*reader));
}

} // namespace etl::eventlog
