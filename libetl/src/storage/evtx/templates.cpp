#include "evtx/templates.hpp"

#include "base/text.hpp"
#include "evtx/names.hpp"
#include "evtx/payload_template.hpp"
#include "evtx/value_list.hpp"

#include <array>
#include <span>

namespace etl::evtx {

namespace {

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
