#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "evtx/chunk_writer.hpp"
#include "evtx/event.hpp"
#include "evtx/tokens.hpp"
#include "evtx/value.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace etl::evtx {

namespace {

// The values of a template instance. docs/format/evtx.md#templates

constexpr std::uint8_t byte_of(ValueType type) noexcept {
    return static_cast<std::uint8_t>(type);
}

/// A list of values: sizes and types first, then the data. Small data are collected: the writer
/// grows once for many of them.
class ValueList {
public:
    ValueList(ByteWriter& to, std::size_t count) : to_(to) {
        to.u32(static_cast<std::uint32_t>(count));
        head_ = to.size();
        to.fill(count * 4);
    }

    ~ValueList() { flush(); }

    ValueList(const ValueList&) = delete;
    ValueList& operator=(const ValueList&) = delete;

    template <typename T>
    void add(ValueType type, T value) {
        static_assert(sizeof(T) <= max_small);
        head(byte_of(type), sizeof(T));
        make_place(sizeof(T));
        store_le(small_.data() + used_, value);
        used_ += sizeof(T);
    }

    template <typename T>
    void add(ValueType type, const std::optional<T>& value) {
        value ? add(type, *value) : add_null();
    }

    void add(std::uint8_t type, Bytes data) {
        head(type, data.size());
        if (data.size() <= max_small) {
            make_place(data.size());
            std::ranges::copy(data, small_.begin() + static_cast<std::ptrdiff_t>(used_));
            used_ += data.size();
        } else {
            flush();
            to_.bytes(data);
        }
    }

    void add_null() { head(0, 0); }

    /// Writes all data so far; before the caller writes those of a value.
    void flush() {
        to_.bytes(Bytes(small_).first(used_));
        used_ = 0;
    }

    /// The last value, whose data the caller has written.
    void add_written(ValueType type, std::size_t begin) { head(byte_of(type), to_.size() - begin); }

private:
    static constexpr std::size_t max_small = 64;

    void make_place(std::size_t size) {
        if (used_ + size > small_.size()) {
            flush();
        }
    }

    void head(std::uint8_t type, std::size_t size) {
        to_.patch(head_, static_cast<std::uint16_t>(std::min<std::size_t>(size, 0xFFFF)));
        to_.patch(head_ + 2, type);
        head_ += 4;
    }

    ByteWriter& to_;
    std::size_t head_;
    std::array<std::byte, 512> small_; // not cleared
    std::size_t used_ = 0;
};

// The template of the payload of a record. docs/format/evtx.md#templates

/// Writes the instance of the template, its values, and the definition if the chunk does not
/// contain it yet. `known` and `key` are those of write_event().
void write_payload(ChunkWriter& chunk, const Event& event, KnownTemplates& known, std::string& key);

std::uint8_t stored_type(const Value& value) noexcept {
    const unsigned flag = value.is_array ? array_bit : 0U;
    return static_cast<std::uint8_t>(byte_of(value.type) | flag);
}

std::string_view name_of(PayloadKind kind) noexcept {
    switch (kind) {
    case PayloadKind::user_data:
        return "UserData";
    case PayloadKind::debug_data:
        return "DebugData";
    case PayloadKind::binary_event_data:
        return "BinaryEventData";
    case PayloadKind::processing_error_data:
        return "ProcessingErrorData";
    case PayloadKind::none:
    case PayloadKind::event_data:
    case PayloadKind::other:
        break;
    }
    return "EventData";
}

void append_payload_key(std::string& to, const Event& event) {
    to += 'P';
    to += static_cast<char>(event.payload);
    to += event.payload_name;
    for (const Field& field : event.fields) {
        to += '\0';
        to += static_cast<char>(field.is_structure ? 0x7F : stored_type(field.value));
        to += static_cast<char>(field.depth);
        to += field.is_attribute ? 'A' : 'E';
        to += field.name;
        if (field.is_literal) {
            to.append("=").append(as_text(field.value.data));
        }
    }
}

/// A name of an element: characters that it cannot have become `_`.
std::string element_name(std::string_view name) {
    std::string text(name.empty() ? std::string_view("_") : name);
    std::ranges::replace_if(text, [](char c) { return !is_name_character(c); }, '_');
    if (text[0] == '-' || text[0] == '.' || (text[0] >= '0' && text[0] <= '9')) {
        text.insert(0, 1, '_');
    }
    return text;
}

class PayloadDefinition {
public:
    PayloadDefinition(ChunkWriter& to, const Event& event)
        : to_(to), fields_(event.fields), in_data_(event.payload == PayloadKind::event_data ||
                                                   event.payload == PayloadKind::other) {
        to_.fragment_header();
        const bool has_element = event.payload == PayloadKind::user_data;
        const bool has_name = in_data_ && !event.payload_name.empty();
        const std::size_t root = to_.open(name_of(event.payload), has_name);
        if (has_name) {
            name_attribute(event.payload_name);
        }
        to_.token(Token::close_start);
        const std::size_t inner =
            has_element ? to_.open(element_name(event.payload_name), has_attributes(0)) : 0;
        if (has_element) {
            attributes(0);
            to_.token(Token::close_start);
        }
        fields(0);
        if (has_element) {
            to_.close(inner);
        }
        to_.close(root);
        to_.end_template();
    }

private:
    /// The fields of one depth, up to a lower one.
    void fields(unsigned depth) {
        while (at_ < fields_.size() && fields_[at_].depth >= depth) {
            const Field& field = fields_[at_++];
            if (!in_data_ && field.name.empty() && !field.is_structure) {
                substitute(field);
                continue;
            }
            const std::size_t element = open(field);
            if (field.is_structure && !in_data_) {
                attributes(depth + 1);
            }
            if (is_empty(field)) {
                to_.close(element, Token::close_empty);
                continue;
            }
            to_.token(Token::close_start);
            if (field.is_structure) {
                fields(depth + 1);
            } else {
                substitute(field);
            }
            to_.close(element);
        }
    }

    /// Whether the element, the previous field, has no content. Not every reader accepts an end tag
    /// after nothing.
    bool is_empty(const Field& field) const noexcept {
        return field.is_structure ? at_ == fields_.size() || fields_[at_].depth <= field.depth
                                  : field.is_literal && field.value.data.empty();
    }

    std::size_t open(const Field& field) {
        if (!in_data_) {
            return to_.open(element_name(field.name),
                            field.is_structure && has_attributes(field.depth + 1));
        }
        const bool has_name = !field.name.empty();
        const std::size_t element = to_.open(field.is_structure ? "ComplexData" : "Data", has_name);
        if (has_name) {
            name_attribute(field.name);
        }
        return element;
    }

    /// Whether the fields continue with attributes of the element whose members have this depth.
    bool has_attributes(unsigned depth) const noexcept {
        return at_ < fields_.size() && fields_[at_].is_attribute && fields_[at_].depth == depth;
    }

    void attributes(unsigned depth) {
        if (!has_attributes(depth)) {
            return;
        }
        const std::size_t size = to_.begin_attributes();
        while (has_attributes(depth)) {
            const Field& field = fields_[at_++];
            to_.attribute(element_name(field.name), has_attributes(depth));
            substitute(field);
        }
        to_.end_attributes(size);
    }

    void name_attribute(std::string_view name) {
        const std::size_t size = to_.begin_attributes();
        to_.attribute("Name", false);
        to_.text(name);
        to_.end_attributes(size);
    }

    void substitute(const Field& field) {
        if (field.is_literal) {
            to_.text(field.value.data);
            return;
        }
        // Not every reader accepts a null that is not optional.
        const Token token =
            field.value.is_null() ? Token::optional_substitution : Token::substitution;
        to_.substitution(token, index_++, stored_type(field.value));
    }

    ChunkWriter& to_;
    std::span<const Field> fields_;
    bool in_data_;
    std::size_t at_ = 0;
    std::uint16_t index_ = 0;
};

void write_payload(ChunkWriter& chunk, const Event& event, KnownTemplates& known,
                   std::string& key) {
    chunk.fragment_header();
    if (known.generation == chunk.generation()) {
        chunk.known_instance(known.payload);
    } else {
        key.clear();
        append_payload_key(key, event);
        const ChunkWriter::Instance instance = chunk.begin_instance(key);
        known.payload = instance.definition;
        if (instance.is_new) {
            const PayloadDefinition definition(chunk, event);
        }
    }
    const auto is_value = [](const Field& field) {
        return !field.is_structure && !field.is_literal;
    };
    ValueList values(chunk.bytes(),
                     static_cast<std::size_t>(std::ranges::count_if(event.fields, is_value)));
    for (const Field& field : event.fields) {
        if (is_value(field)) {
            values.add(stored_type(field.value), field.value.data);
        }
    }
}

constexpr std::string_view event_namespace =
    "http://schemas.microsoft.com/win/2004/08/events/event";

/// Values of the System template.
enum SystemValue : std::uint16_t {
    level,
    opcode,
    task,
    event_id,
    qualifiers,
    keywords,
    system_time,
    activity_id,
    process_id,
    thread_id,
    record_number,
    version,
    user_id,
    session_id,
    processor_id,
    kernel_time,
    user_time,
    processor_time,
    related_activity_id,
    payload,
    system_values,
};

struct Attribute {
    std::string_view name;
    SystemValue value;
    ValueType type;
};

/// An element with one optional value.
void value_element(ChunkWriter& to, std::string_view name, SystemValue value, ValueType type) {
    const std::size_t element = to.open(name, false, value);
    to.token(Token::close_start);
    to.substitution(Token::optional_substitution, value, byte_of(type));
    to.close(element);
}

void optional_attributes(ChunkWriter& to, std::span<const Attribute> attributes) {
    const std::size_t size = to.begin_attributes();
    for (const Attribute& attribute : attributes) {
        to.attribute(attribute.name, &attribute != &attributes.back());
        to.substitution(Token::optional_substitution, attribute.value, byte_of(attribute.type));
    }
    to.end_attributes(size);
}

/// An empty element with optional attributes.
void attribute_element(ChunkWriter& to, std::string_view name,
                       std::span<const Attribute> attributes) {
    const std::size_t element = to.open(name, true);
    optional_attributes(to, attributes);
    to.close(element, Token::close_empty);
}

void text_element(ChunkWriter& to, std::string_view name, std::string_view text) {
    const std::size_t element = to.open(name, false);
    to.token(Token::close_start);
    if (!text.empty()) {
        to.text(text);
    }
    to.close(element);
}

/// Attributes without text are left out: not every reader accepts them.
void provider_element(ChunkWriter& to, const Event& event) {
    const std::string guid =
        event.provider_guid ? '{' + to_string(*event.provider_guid) + '}' : std::string();

    struct Text {
        std::string_view name, text;
    };

    std::array<Text, 3> texts{
        {{"Name", event.provider}, {"Guid", guid}, {"EventSourceName", event.event_source}}};
    const auto used = std::ranges::remove_if(texts, [](const Text& it) { return it.text.empty(); });
    const std::span<const Text> attributes(texts.begin(), used.begin());
    const std::size_t element = to.open("Provider", !attributes.empty());
    if (!attributes.empty()) {
        const std::size_t size = to.begin_attributes();
        for (const Text& attribute : attributes) {
            to.attribute(attribute.name, &attribute != &attributes.back());
            to.text(attribute.text);
        }
        to.end_attributes(size);
    }
    to.close(element, Token::close_empty);
}

void event_id_element(ChunkWriter& to) {
    constexpr std::array<Attribute, 1> attributes{{{"Qualifiers", qualifiers, ValueType::uint16}}};
    const std::size_t element = to.open("EventID", true, event_id);
    optional_attributes(to, attributes);
    to.token(Token::close_start);
    to.substitution(Token::optional_substitution, event_id, byte_of(ValueType::uint16));
    to.close(element);
}

void system_element(ChunkWriter& to, const Event& event) {
    constexpr std::array<Attribute, 1> time{{{"SystemTime", system_time, ValueType::filetime}}};
    constexpr std::array<Attribute, 2> correlation{
        {{"ActivityID", activity_id, ValueType::guid},
         {"RelatedActivityID", related_activity_id, ValueType::guid}}};
    constexpr std::array<Attribute, 7> execution{
        {{"ProcessID", process_id, ValueType::uint32},
         {"ThreadID", thread_id, ValueType::uint32},
         {"SessionID", session_id, ValueType::uint32},
         {"ProcessorID", processor_id, ValueType::uint8},
         {"KernelTime", kernel_time, ValueType::uint32},
         {"UserTime", user_time, ValueType::uint32},
         {"ProcessorTime", processor_time, ValueType::uint64}}};
    constexpr std::array<Attribute, 1> security{{{"UserID", user_id, ValueType::sid}}};
    const std::size_t element = to.open("System", false);
    to.token(Token::close_start);
    provider_element(to, event);
    event_id_element(to);
    value_element(to, "Version", version, ValueType::uint8);
    value_element(to, "Level", level, ValueType::uint8);
    value_element(to, "Task", task, ValueType::uint16);
    value_element(to, "Opcode", opcode, ValueType::uint8);
    value_element(to, "Keywords", keywords, ValueType::hex64);
    attribute_element(to, "TimeCreated", time);
    value_element(to, "EventRecordID", record_number, ValueType::uint64);
    attribute_element(to, "Correlation", correlation);
    attribute_element(to, "Execution", execution);
    text_element(to, "Channel", event.channel);
    text_element(to, "Computer", event.computer);
    attribute_element(to, "Security", security);
    to.close(element);
}

void system_definition(ChunkWriter& to, const Event& event) {
    to.fragment_header();
    const std::size_t root = to.open("Event", true);
    const std::size_t size = to.begin_attributes();
    to.attribute("xmlns", false);
    to.text(event_namespace);
    to.end_attributes(size);
    to.token(Token::close_start);
    system_element(to, event);
    // Not every reader accepts a fragment that is null.
    if (event.payload != PayloadKind::none) {
        to.substitution(Token::optional_substitution, payload, byte_of(ValueType::xml));
    }
    to.close(root);
    to.end_template();
}

/// Strings that are literals of the template.
void append_system_key(std::string& to, const Event& event) {
    const auto part = [&](std::string_view text) {
        append_decimal(to, text.size());
        to += ':';
        to += text;
    };
    to += event.payload == PayloadKind::none ? 'N' : 'S';
    part(event.provider);
    part(event.provider_guid ? as_text(event.provider_guid->bytes) : std::string_view());
    part(event.event_source);
    part(event.channel);
    part(event.computer);
}

} // namespace

void write_event(ChunkWriter& chunk, const Event& event, std::uint64_t record_id,
                 KnownTemplates& known, std::string& key) {
    chunk.fragment_header();
    if (known.generation == chunk.generation()) {
        chunk.known_instance(known.system);
    } else {
        key.clear();
        append_system_key(key, event);
        const ChunkWriter::Instance instance = chunk.begin_instance(key);
        known.system = instance.definition;
        if (instance.is_new) {
            system_definition(chunk, event);
        }
    }
    const bool has_payload = event.payload != PayloadKind::none;
    ValueList values(chunk.bytes(), has_payload ? system_values : payload);
    values.add(ValueType::uint8, event.level);
    values.add(ValueType::uint8, event.opcode);
    values.add(ValueType::uint16, event.task);
    values.add(ValueType::uint16, static_cast<std::uint16_t>(event.id));
    values.add(ValueType::uint16, event.qualifiers);
    values.add(ValueType::hex64, event.keywords);
    values.add(ValueType::filetime, event.time);
    values.add(ValueType::guid, event.activity);
    values.add(ValueType::uint32, event.process_id);
    values.add(ValueType::uint32, event.thread_id);
    values.add(ValueType::uint64, record_id);
    values.add(ValueType::uint8, event.version);
    if (event.user_sid.empty()) {
        values.add_null();
    } else {
        values.add(byte_of(ValueType::sid), event.user_sid);
    }
    values.add(ValueType::uint32, event.session);
    if (event.processor && *event.processor <= 0xFF) {
        values.add(ValueType::uint8, static_cast<std::uint8_t>(*event.processor));
    } else {
        values.add(ValueType::uint32, event.processor);
    }
    values.add(ValueType::uint32, event.kernel_time);
    values.add(ValueType::uint32, event.user_time);
    values.add(ValueType::uint64, event.processor_time);
    values.add(ValueType::guid, event.related_activity);
    if (has_payload) {
        values.flush();
        const std::size_t begin = chunk.bytes().size();
        write_payload(chunk, event, known, key);
        values.add_written(ValueType::xml, begin);
    }
    known.generation = chunk.generation();
    values.flush();
    chunk.token(Token::end_of_fragment);
}

} // namespace etl::evtx
