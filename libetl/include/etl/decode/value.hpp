// One value of a payload, in place: where its bytes lie and how it is to be shown. Views; any
// thread. docs/format/decoding.md#types
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/schema/event_schema.hpp>

namespace etl::decode {

/// What a value is once in type and out type are taken together.
enum class Form : std::uint8_t {
    null, // no value
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    hex8,
    hex16,
    hex32,
    hex64,
    float32,
    float64,
    boolean, // of any size: true when any byte is not zero
    char8,   // one character of the ANSI code page
    char16,  // one UTF-16 unit
    guid,
    filetime,
    ticks, // eight bytes of the session's clock
    systemtime,
    sid,
    binary,
    text16, // UTF-16LE
    text8,  // ANSI, or what passes for it
    utf8,
    port, // two bytes in network order
    ipv4,
    ipv6,
    socket_address,
    mac_address,
};

/// Which table a number that is an error code belongs to.
enum class ErrorSpace : std::uint8_t { none, win32, ntstatus, hresult };

/// A value with what is needed to show it. Points into the payload and the schema.
struct Value {
    Bytes bytes;
    Form form = Form::null;
    ErrorSpace error_space = ErrorSpace::none;
    bool hidden = false; // out type no-print: Windows does not show it
    const schema::ValueMap* map = nullptr;
};

/// How values of a field are shown. `pointer_size` is 4 or 8.
Form form_of(schema::InType in, schema::OutType out, unsigned pointer_size) noexcept;

ErrorSpace error_space_of(schema::OutType out) noexcept;

/// The number in a value of an integer form (int8 to hex64), its bits zero-extended to 64.
std::uint64_t bits_of(const Value& value) noexcept;

/// Signed forms are sign-extended; for the others the same as bits_of.
std::int64_t signed_of(const Value& value) noexcept;

constexpr bool is_signed(Form form) noexcept {
    return form >= Form::int8 && form <= Form::int64;
}

constexpr bool is_hex(Form form) noexcept {
    return form >= Form::hex8 && form <= Form::hex64;
}

constexpr bool is_integer(Form form) noexcept {
    return form >= Form::int8 && form <= Form::hex64;
}

/// Bytes of a value of an integer form: 1, 2, 4 or 8.
constexpr unsigned integer_size(Form form) noexcept {
    return 1U << ((static_cast<unsigned>(form) - static_cast<unsigned>(Form::int8)) % 4U);
}

} // namespace etl::decode
