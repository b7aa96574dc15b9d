#include "sink/log/log_values.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <optional>

namespace etl::sink {

namespace {

using decode::Form;
using evtx::ValueType;

/// The type of values whose bytes are stored unchanged.
std::optional<ValueType> type_in_place(const decode::Value& value) noexcept {
    switch (value.form) {
    case Form::null:
        return ValueType::null;
    case Form::int8:
        return ValueType::int8;
    case Form::int16:
        return ValueType::int16;
    case Form::int32:
        return ValueType::int32;
    case Form::int64:
        return ValueType::int64;
    case Form::uint8:
        return ValueType::uint8;
    case Form::uint16:
        return ValueType::uint16;
    case Form::uint32:
        return ValueType::uint32;
    case Form::uint64:
        return ValueType::uint64;
    case Form::hex32:
        return ValueType::hex32;
    case Form::hex64:
        return ValueType::hex64;
    case Form::float32:
        return ValueType::float32;
    case Form::float64:
        return ValueType::float64;
    case Form::char16:
    case Form::text16:
        return ValueType::string;
    case Form::guid:
        return ValueType::guid;
    case Form::filetime:
        return ValueType::filetime;
    case Form::systemtime:
        return ValueType::systemtime;
    case Form::sid:
        return ValueType::sid;
    case Form::binary:
    case Form::socket_address: // as Windows stores them
        return ValueType::binary;
    case Form::hex8:
    case Form::hex16:
    case Form::boolean:
    case Form::char8:
    case Form::ticks:
    case Form::text8:
    case Form::utf8:
    case Form::port:
    case Form::ipv4:
    case Form::ipv6:
    case Form::mac_address:
    case Form::padded_mac_address:
        break;
    }
    return std::nullopt;
}

/// A reader takes the size of a type for granted.
bool has_size_of(ValueType type, Bytes bytes) noexcept {
    if (type == ValueType::sid) { // an event without one has no bytes
        return !bytes.empty() && evtx::sid_size(bytes) == bytes.size();
    }
    const std::size_t size = evtx::fixed_size(type);
    return size == bytes.size() || size == 0;
}

} // namespace

evtx::Field& LogFields::next(std::string_view name) {
    if (used_ == fields_.size()) {
        fields_.emplace_back();
    }
    evtx::Field& field = fields_[used_++];
    if (is_named_) {
        field.name = name;
    }
    field.depth = 0;
    field.is_structure = field.is_attribute = field.is_literal = false;
    field.value = {};
    return field;
}

void LogFields::append_units(std::string_view utf8) {
    const std::size_t begin = memory_.size();
    memory_.resize(begin + 2 * utf8.size());
    const std::byte* const end = put_utf16le(memory_.data() + begin, utf8);
    memory_.resize(static_cast<std::size_t>(end - memory_.data()));
}

template <typename T>
void LogFields::append_bytes(T value) {
    memory_.resize(memory_.size() + sizeof(T));
    store_le(memory_.data() + memory_.size() - sizeof(T), value);
}

/// Appends the value to memory_.
ValueType LogFields::convert(const decode::Value& value, const decode::DisplayOptions& display) {
    if (const auto type = type_in_place(value); type && has_size_of(*type, value.bytes)) {
        memory_.insert(memory_.end(), value.bytes.begin(), value.bytes.end());
        return *type;
    }
    if (value.form == Form::hex8 || value.form == Form::hex16) {
        append_bytes(static_cast<std::uint32_t>(decode::bits_of(value)));
        return ValueType::hex32;
    }
    if (value.form == Form::boolean) {
        const bool is_true =
            std::ranges::any_of(value.bytes, [](std::byte byte) { return byte != std::byte{0}; });
        append_bytes(std::uint32_t{is_true});
        return ValueType::boolean;
    }
    text_.clear();
    decode::append_display(text_, value, display);
    append_units(text_);
    return ValueType::string;
}

void LogFields::add(std::string_view name, const decode::Value& value,
                    const decode::DisplayOptions& display) {
    evtx::Field& field = next(name);
    if (const auto type = type_in_place(value); type && has_size_of(*type, value.bytes)) {
        field.value = {*type, false, value.bytes};
        return;
    }
    const std::size_t begin = memory_.size();
    field.value.type = convert(value, display);
    converted_.push_back({used_ - 1, begin, memory_.size() - begin});
}

bool LogFields::add_item(std::string_view name, const decode::Value& value,
                         const decode::DisplayOptions& display, bool is_first) {
    const std::size_t begin = memory_.size();
    const ValueType type = convert(value, display);
    if (type == ValueType::string) {
        append_bytes(char16_t{0});
    } else if (evtx::fixed_size(type) == 0) {
        memory_.resize(begin);
        return false;
    }
    const bool goes_on = !is_first && used_ > 0 && fields_[used_ - 1].value.is_array &&
                         fields_[used_ - 1].value.type == type;
    if (goes_on) {
        converted_.back().size += memory_.size() - begin;
    } else {
        next(name).value = {type, true, {}};
        converted_.push_back({used_ - 1, begin, memory_.size() - begin});
    }
    return true;
}

void LogFields::add_text(std::string_view name, std::string_view utf8) {
    const std::size_t begin = memory_.size();
    append_units(utf8);
    next(name).value.type = ValueType::string;
    converted_.push_back({used_ - 1, begin, memory_.size() - begin});
}

void LogFields::add_number(std::string_view name, std::uint32_t number) {
    const std::size_t begin = memory_.size();
    append_bytes(number);
    next(name).value.type = ValueType::uint32;
    converted_.push_back({used_ - 1, begin, memory_.size() - begin});
}

void LogFields::add_binary(std::string_view name, Bytes bytes) {
    next(name).value = {ValueType::binary, false, bytes};
}

void LogFields::add_structure(std::string_view name) {
    next(name).is_structure = true;
}

std::span<const evtx::Field> LogFields::list() {
    for (const Converted& value : converted_) {
        fields_[value.field].value.data = Bytes(memory_).subspan(value.begin, value.size);
    }
    return std::span<const evtx::Field>(fields_).first(used_);
}

} // namespace etl::sink
