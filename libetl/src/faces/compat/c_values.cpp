#include "compat/c_values.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"

#include <cstring>
#include <span>

namespace etl::compat {

namespace {

// More than that no name may have; reading on would only help a caller who forgot the terminator.
constexpr std::size_t max_looked_at = 0x10000;

/// Any alignment: structures of callers hold text wherever they like.
std::optional<std::u16string> utf16_at(const std::byte* at, std::size_t room_bytes) {
    std::u16string text;
    for (std::size_t i = 0; i + sizeof(WCHAR) <= room_bytes; i += sizeof(WCHAR)) {
        WCHAR unit = 0;
        std::memcpy(&unit, at + i, sizeof unit);
        if (unit == 0) {
            return text;
        }
        text.push_back(unit);
    }
    return std::nullopt;
}

} // namespace

Guid to_guid(const GUID& guid) noexcept {
    Guid made;
    store_le(made.bytes.data(), guid.Data1);
    store_le(made.bytes.data() + 4, guid.Data2);
    store_le(made.bytes.data() + 6, guid.Data3);
    std::memcpy(made.bytes.data() + 8, guid.Data4, sizeof guid.Data4);
    return made;
}

GUID to_c(const Guid& guid) noexcept {
    GUID made{};
    made.Data1 = load_le<std::uint32_t>(guid.bytes.data());
    made.Data2 = load_le<std::uint16_t>(guid.bytes.data() + 4);
    made.Data3 = load_le<std::uint16_t>(guid.bytes.data() + 6);
    std::memcpy(made.Data4, guid.bytes.data() + 8, sizeof made.Data4);
    return made;
}

std::string to_utf8(std::u16string_view text) {
    std::string made;
    append_utf16le(made, std::as_bytes(std::span(text))); // as Windows has them in memory
    return made;
}

std::string to_utf8(const Name& name) {
    if (name.narrow != nullptr) {
        return {name.narrow, length_within(name.narrow, max_looked_at).value_or(max_looked_at)};
    }
    if (name.wide == nullptr) {
        return {};
    }
    return to_utf8(std::u16string_view(
        name.wide, length_within(name.wide, max_looked_at).value_or(max_looked_at)));
}

std::size_t units_of(std::string_view text, Form form) {
    return form == Form::wide ? to_utf16(text).size() : text.size();
}

bool put_text(std::string_view text, Form form, std::byte* to, std::size_t room_bytes) {
    const std::u16string wide = form == Form::wide ? to_utf16(text) : std::u16string();
    const void* from = form == Form::wide ? static_cast<const void*>(wide.data()) : text.data();
    const std::size_t size =
        form == Form::wide ? wide.size() * sizeof(WCHAR) : text.size() * sizeof(CHAR);
    if (room_bytes < size + unit_size(form)) {
        return false;
    }
    std::memcpy(to, from, size);
    std::memset(to + size, 0, unit_size(form));
    return true;
}

std::optional<std::string> text_at(const std::byte* at, std::size_t room_bytes, Form form) {
    if (form == Form::wide) {
        const auto text = utf16_at(at, room_bytes);
        return text ? std::optional(to_utf8(*text)) : std::nullopt;
    }
    const void* end = std::memchr(at, 0, room_bytes);
    if (end == nullptr) {
        return std::nullopt;
    }
    return std::string(as_text(Bytes(at, static_cast<const std::byte*>(end))));
}

} // namespace etl::compat
