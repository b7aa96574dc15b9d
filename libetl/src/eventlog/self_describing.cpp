#include "eventlog/self_describing.hpp"

#include <etl/base/text.hpp>

#include <algorithm>

namespace etl::eventlog {

namespace {

using evtx::Field;
using evtx::Value;
using evtx::ValueType;

// Types of TraceLogging fields; the others have the numbers of evtx::ValueType.
constexpr std::uint8_t counted_text16 = 22;
constexpr std::uint8_t counted_text8 = 23;
constexpr std::uint8_t structure = 24;
constexpr std::uint8_t has_out_type = 0x80;
constexpr std::uint8_t has_variable_count = 0x40;
constexpr std::size_t most_members = 127;
constexpr std::size_t longest = 0xFFFF;

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
    const Bytes data = content_of(value).first(std::min(content_of(value).size(), longest));
    if (is_counted(type)) {
        to.u16(static_cast<std::uint16_t>(data.size()));
    }
    to.bytes(data);
}

} // namespace

void SelfDescribing::describe(const evtx::Event& event) {
    metadata_.clear();
    traits_.clear();
    payload_.clear();
    unnamed_ = 0;
    traits_.u16(0).zero_terminated8(event.provider);
    traits_.patch(0, static_cast<std::uint16_t>(traits_.size()));
    metadata_.u16(0).u8(0).zero_terminated8(event.payload_name); // no tags
    fields(event.fields);
    origin(event);
    metadata_.patch(0, static_cast<std::uint16_t>(std::min(metadata_.size(), longest)));
}

void SelfDescribing::name(std::string_view name, std::uint8_t type) {
    metadata_.zero_terminated8(name.substr(0, name.find('\0'))).u8(type);
}

std::size_t SelfDescribing::count_members(std::span<const Field> fields,
                                          std::size_t at) const noexcept {
    const unsigned depth = fields[at].depth + 1;
    std::size_t members = 0;
    for (std::size_t i = at + 1; i < fields.size() && fields[i].depth >= depth; ++i) {
        members += fields[i].depth == depth ? 1U : 0U;
    }
    return members;
}

void SelfDescribing::fields(std::span<const Field> fields) {
    for (std::size_t at = 0; at < fields.size();) {
        at = field(fields, at);
    }
}

/// Returns the next field.
std::size_t SelfDescribing::field(std::span<const Field> fields, std::size_t at) {
    const Field& field = fields[at];
    if (field.is_structure) {
        const std::size_t members = count_members(fields, at);
        if (members > 0 && members <= most_members) {
            name(field.name, structure | has_out_type);
            metadata_.u8(static_cast<std::uint8_t>(members));
        }
        return at + 1; // its members follow
    }
    std::string numbered;
    if (field.name.empty()) {
        numbered = "param";
        append_decimal(numbered, ++unnamed_);
    }
    value(field.name.empty() ? std::string_view(numbered) : field.name, field.value);
    return at + 1;
}

void SelfDescribing::value(std::string_view name, const Value& value) {
    if (!value.is_array) {
        const std::uint8_t type = type_in_trace(value);
        this->name(name, type);
        return put_value(payload_, type, value);
    }
    items_.clear();
    evtx::Items items(value);
    for (Value item; items.next(item) && items_.size() < longest;) {
        items_.push_back(item);
    }
    array(name, items_);
}

void SelfDescribing::array(std::string_view name, std::span<const Value> items) {
    const std::uint8_t type = items.empty() ? counted_text16 : type_in_trace(items.front());
    this->name(name, static_cast<std::uint8_t>(type | has_variable_count));
    payload_.u16(static_cast<std::uint16_t>(items.size()));
    for (const Value& item : items) {
        put_value(payload_, type, item);
    }
}

void SelfDescribing::text(std::string_view name, std::string_view utf8) {
    this->name(name, counted_text16);
    const std::u16string units = to_utf16(utf8.substr(0, longest / 2));
    payload_.u16(static_cast<std::uint16_t>(2 * units.size())).text16(units);
}

/// What a trace has no place for.
void SelfDescribing::origin(const evtx::Event& event) {
    name("System", structure | has_out_type);
    metadata_.u8(4);
    name("EventRecordID", static_cast<std::uint8_t>(ValueType::uint64));
    payload_.u64(event.record_id);
    text("Channel", event.channel);
    text("Computer", event.computer);
    text("UserID", event.user);
}

} // namespace etl::eventlog
