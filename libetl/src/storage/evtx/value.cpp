#include "evtx/value.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace etl::evtx {

namespace {

constexpr std::size_t sid_head_size = 8;
constexpr unsigned max_sub_authorities = 15;

bool is_nul16(Bytes bytes, std::size_t at) noexcept {
    return bytes[at] == std::byte{0} && bytes[at + 1] == std::byte{0};
}

/// The bytes of a string without its terminating NULs.
Bytes without_nuls16(Bytes text) noexcept {
    std::size_t size = text.size() / 2 * 2;
    while (size >= 2 && is_nul16(text, size - 2)) {
        size -= 2;
    }
    return text.first(size);
}

Bytes without_nuls8(Bytes text) noexcept {
    while (!text.empty() && text.back() == std::byte{0}) {
        text = text.first(text.size() - 1);
    }
    return text;
}

template <typename T>
T value_of(Bytes data) noexcept {
    return load_le<T>(data.data());
}

/// The ASCII characters of a short text; empty: it is long, or has others.
std::string_view short_text(const Value& value, std::span<char> to) noexcept {
    if (value.type == ValueType::ansi) {
        const Bytes text = without_nuls8(value.data);
        return as_text(text);
    }
    const Bytes units = without_nuls16(value.data);
    if (value.type != ValueType::string || units.size() / 2 > to.size()) {
        return {};
    }
    for (std::size_t i = 0; i < units.size(); i += 2) {
        const auto unit = load_le<std::uint16_t>(units.data() + i);
        if (unit > 0x7E) {
            return {};
        }
        to[i / 2] = static_cast<char>(unit);
    }
    return {to.data(), units.size() / 2};
}

std::optional<Filetime> time_of_systemtime(Bytes data) noexcept {
    if (data.size() < 16) {
        return std::nullopt;
    }
    const auto part = [&](std::size_t i) { return value_of<std::uint16_t>(data.subspan(i * 2)); };
    const CivilTime civil{part(0), part(1), part(3), part(4), part(5), part(6), part(7) * 10'000U};
    if (civil.month < 1 || civil.month > 12 || civil.day < 1 || civil.day > 31 || civil.hour > 23 ||
        civil.minute > 59 || civil.second > 59 || part(7) > 999) {
        return std::nullopt;
    }
    return from_civil(civil);
}

void append_upper_hex(std::string& to, Bytes bytes) {
    constexpr char digits[] = "0123456789ABCDEF";
    for (const std::byte byte : bytes) {
        const auto value = std::to_integer<unsigned>(byte);
        to += digits[value >> 4U];
        to += digits[value & 15U];
    }
}

void append_braced_guid(std::string& to, Bytes data) {
    to += '{';
    append_guid(to, value_of<Guid>(data));
    to += '}';
}

void append_item(std::string& to, const Value& item) {
    const std::size_t size = fixed_size(item.type);
    if (item.data.size() < size) {
        return;
    }
    switch (item.type) {
    case ValueType::string:
        return append_utf16le(to, without_nuls16(item.data));
    case ValueType::ansi:
        return append_ansi(to, without_nuls8(item.data));
    case ValueType::int8:
        return append_decimal(to, static_cast<int>(value_of<std::int8_t>(item.data)));
    case ValueType::int16:
        return append_decimal(to, value_of<std::int16_t>(item.data));
    case ValueType::int32:
        return append_decimal(to, value_of<std::int32_t>(item.data));
    case ValueType::int64:
        return append_decimal(to, value_of<std::int64_t>(item.data));
    case ValueType::float32:
        return append_float(to, value_of<float>(item.data));
    case ValueType::float64:
        return append_float(to, value_of<double>(item.data));
    case ValueType::boolean:
        to += value_of<std::uint32_t>(item.data) != 0 ? "true" : "false";
        return;
    case ValueType::guid:
        return append_braced_guid(to, item.data);
    case ValueType::filetime:
    case ValueType::systemtime:
        if (const auto time = to_time(item)) {
            append_rfc3339(to, *time);
        }
        return;
    case ValueType::sid:
        append_sid(to, item.data);
        return;
    case ValueType::hex32:
    case ValueType::hex64:
    case ValueType::size:
        return append_hex(to, to_number(item).value_or(0));
    case ValueType::uint8:
    case ValueType::uint16:
    case ValueType::uint32:
    case ValueType::uint64:
        return append_decimal(to, to_number(item).value_or(0));
    case ValueType::null:
        return;
    case ValueType::binary:
    case ValueType::xml:
        break;
    }
    append_upper_hex(to, item.data);
}

} // namespace

std::size_t fixed_size(ValueType type) noexcept {
    switch (type) {
    case ValueType::int8:
    case ValueType::uint8:
        return 1;
    case ValueType::int16:
    case ValueType::uint16:
        return 2;
    case ValueType::int32:
    case ValueType::uint32:
    case ValueType::float32:
    case ValueType::boolean:
    case ValueType::hex32:
        return 4;
    case ValueType::int64:
    case ValueType::uint64:
    case ValueType::float64:
    case ValueType::filetime:
    case ValueType::hex64:
        return 8;
    case ValueType::guid:
    case ValueType::systemtime:
        return 16;
    case ValueType::null:
    case ValueType::string:
    case ValueType::ansi:
    case ValueType::binary:
    case ValueType::size:
    case ValueType::sid:
    case ValueType::xml:
        break;
    }
    return 0;
}

std::size_t Items::next_size() const noexcept {
    if (value_.type == ValueType::string) {
        for (std::size_t at = 0; at + 2 <= rest_.size(); at += 2) {
            if (is_nul16(rest_, at)) {
                return at + 2;
            }
        }
        return rest_.size();
    }
    if (value_.type == ValueType::ansi) {
        const auto nul = std::ranges::find(rest_, std::byte{0});
        return std::min(static_cast<std::size_t>(nul - rest_.begin()) + 1, rest_.size());
    }
    if (value_.type == ValueType::sid) {
        return sid_size(rest_);
    }
    if (value_.type == ValueType::size) {
        return 8; // an array does not show the pointer size of its system
    }
    const std::size_t size = fixed_size(value_.type);
    return size == 0 ? rest_.size() : size;
}

bool Items::next(Value& item) noexcept {
    if (ended_ || (value_.is_array && rest_.empty())) {
        return false;
    }
    if (!value_.is_array) {
        item = value_;
        rest_ = {};
        ended_ = true;
        return true;
    }
    const std::size_t size = next_size();
    if (size == 0 || size > rest_.size()) {
        return false;
    }
    item = {value_.type, false, rest_.first(size)};
    if (value_.type == ValueType::string) {
        item.data = without_nuls16(item.data);
    } else if (value_.type == ValueType::ansi) {
        item.data = without_nuls8(item.data);
    }
    rest_ = rest_.subspan(size);
    return true;
}

std::optional<std::uint64_t> to_number(const Value& value) noexcept {
    if (value.is_array || value.data.size() < fixed_size(value.type)) {
        return std::nullopt;
    }
    switch (value.type) {
    case ValueType::int8:
        return static_cast<std::uint64_t>(value_of<std::int8_t>(value.data));
    case ValueType::uint8:
        return value_of<std::uint8_t>(value.data);
    case ValueType::int16:
        return static_cast<std::uint64_t>(value_of<std::int16_t>(value.data));
    case ValueType::uint16:
        return value_of<std::uint16_t>(value.data);
    case ValueType::int32:
        return static_cast<std::uint64_t>(value_of<std::int32_t>(value.data));
    case ValueType::uint32:
    case ValueType::boolean:
    case ValueType::hex32:
        return value_of<std::uint32_t>(value.data);
    case ValueType::int64:
    case ValueType::uint64:
    case ValueType::hex64:
    case ValueType::filetime:
        return value_of<std::uint64_t>(value.data);
    case ValueType::size:
        if (value.data.size() >= 8) {
            return value_of<std::uint64_t>(value.data);
        }
        return value.data.size() >= 4
                   ? std::optional<std::uint64_t>(value_of<std::uint32_t>(value.data))
                   : std::nullopt;
    case ValueType::string:
    case ValueType::ansi: {
        std::array<char, 24> characters{};
        return parse_number(short_text(value, characters));
    }
    case ValueType::null:
    case ValueType::float32:
    case ValueType::float64:
    case ValueType::binary:
    case ValueType::guid:
    case ValueType::systemtime:
    case ValueType::sid:
    case ValueType::xml:
        break;
    }
    return std::nullopt;
}

std::optional<Guid> to_guid(const Value& value) noexcept {
    if (value.is_array) {
        return std::nullopt;
    }
    if (value.type == ValueType::guid && value.data.size() >= 16) {
        return value_of<Guid>(value.data);
    }
    std::array<char, 40> characters{};
    return parse_guid(short_text(value, characters));
}

std::optional<Filetime> to_time(const Value& value) noexcept {
    if (value.is_array) {
        return std::nullopt;
    }
    if (value.type == ValueType::systemtime) {
        return time_of_systemtime(value.data);
    }
    if (value.type == ValueType::filetime && value.data.size() >= 8) {
        return Filetime{value_of<std::int64_t>(value.data)};
    }
    std::array<char, 40> characters{};
    return parse_rfc3339(short_text(value, characters));
}

void append_text(std::string& to, const Value& value) {
    Items items(value);
    Value item;
    for (bool first = true; items.next(item); first = false) {
        if (!first) {
            to += ", ";
        }
        append_item(to, item);
    }
}

std::size_t sid_size(Bytes bytes) noexcept {
    if (bytes.size() < sid_head_size) {
        return 0;
    }
    const auto count = std::to_integer<unsigned>(bytes[1]);
    const std::size_t size = sid_head_size + std::size_t{4} * count;
    return count <= max_sub_authorities && size <= bytes.size() ? size : 0;
}

bool append_sid(std::string& to, Bytes sid) {
    const std::size_t size = sid_size(sid);
    if (size == 0) {
        return false;
    }
    std::uint64_t authority = 0;
    for (std::size_t i = 2; i < sid_head_size; ++i) {
        authority = authority << 8U | std::to_integer<std::uint64_t>(sid[i]);
    }
    to += "S-";
    append_decimal(to, std::to_integer<unsigned>(sid[0]));
    to += '-';
    append_decimal(to, authority);
    for (std::size_t at = sid_head_size; at < size; at += 4) {
        to += '-';
        append_decimal(to, load_le<std::uint32_t>(sid.data() + at));
    }
    return true;
}

} // namespace etl::evtx
