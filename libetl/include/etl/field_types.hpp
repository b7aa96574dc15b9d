// In and out types of fields: how a value is stored in the payload, and how it is displayed.
// docs/format/decoding.md#types
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace etl::format {

/// TDH_INTYPE_*: the representation of a value in the payload. Other values are kept but cannot be
/// decoded.
enum class InType : std::uint16_t {
    null = 0,
    unicode_string = 1,
    ansi_string = 2,
    int8 = 3,
    uint8 = 4,
    int16 = 5,
    uint16 = 6,
    int32 = 7,
    uint32 = 8,
    int64 = 9,
    uint64 = 10,
    float32 = 11,
    float64 = 12,
    boolean = 13, // four bytes
    binary = 14,
    guid = 15,
    pointer = 16,
    filetime = 17,
    systemtime = 18,
    sid = 19,
    hex_int32 = 20,
    hex_int64 = 21,
    counted_unicode_string = 22, // u16 byte count first
    counted_ansi_string = 23,
    structure = 24,
    counted_binary = 25,
    // classic (WBEM) types: the loaders of MOF classes produce them
    counted_string = 300,
    counted_ansi = 301,
    reversed_counted_string = 302,
    reversed_counted_ansi = 303,
    non_terminated_string = 304,
    non_terminated_ansi = 305,
    unicode_char = 306,
    ansi_char = 307,
    pointer_sized = 308,
    hex_dump = 309,
    wbem_sid = 310,
};

/// TDH_OUTTYPE_*: how a value is displayed. The TraceLogging loader maps its codes to these. Values
/// from 0x8000 are private to this library.
enum class OutType : std::uint16_t {
    none = 0,
    string = 1,
    date_time = 2,
    int8 = 3,
    uint8 = 4,
    int16 = 5,
    uint16 = 6,
    int32 = 7,
    uint32 = 8,
    int64 = 9,
    uint64 = 10,
    float32 = 11,
    float64 = 12,
    boolean = 13,
    guid = 14,
    hex_binary = 15,
    hex_int8 = 16,
    hex_int16 = 17,
    hex_int32 = 18,
    hex_int64 = 19,
    pid = 20,
    tid = 21,
    port = 22,
    ipv4 = 23,
    ipv6 = 24,
    socket_address = 25,
    cim_date_time = 26,
    etw_time = 27,
    xml = 28,
    error_code = 29,
    win32_error = 30,
    ntstatus = 31,
    hresult = 32,
    culture_insensitive_date_time = 33,
    json = 34,
    utf8 = 35,
    pkcs7 = 36,
    code_pointer = 37,
    date_time_utc = 38,
    reduced_string = 300,
    no_print = 301,
    // private out types that TDH does not have; docs/format/wpp.md#items,
    // docs/format/decoding.md#known-fields
    mac_address = 0x8000,        // a physical address: all bytes of the value
    time_delta = 0x8001,         // milliseconds, in messages `day~h:m:s`
    text_line = 0x8002,          // text whose line end is omitted in messages
    padded_mac_address = 0x8003, // a physical address, then zeros up to the size of the field
};

/// First private out type. Private values in external input have no meaning.
inline constexpr std::uint16_t first_private_out_type = 0x8000;

/// Return the type for a manifest name (`win:UInt32`, `xs:string`), ignoring prefix and case; empty
/// if unknown.
std::optional<InType> parse_in_type(std::string_view name) noexcept;
std::optional<OutType> parse_out_type(std::string_view name) noexcept;

/// Return "UInt32", "HexInt64", ...; empty for unknown values.
std::string_view name(InType type) noexcept;
std::string_view name(OutType type) noexcept;

/// Returns the default out type of a manifest.
OutType default_out_type(InType type) noexcept;

/// Returns the size in bytes of a type of fixed size; 0 for types of variable size. `pointer_size`
/// is 4 or 8.
constexpr std::uint32_t fixed_size(InType type, std::uint32_t pointer_size) noexcept {
    switch (static_cast<std::uint16_t>(type)) {
    case 3:
    case 4:
    case 307:
        return 1;
    case 5:
    case 6:
    case 306:
        return 2;
    case 7:
    case 8:
    case 11:
    case 13:
    case 20:
        return 4;
    case 9:
    case 10:
    case 12:
    case 17:
    case 21:
        return 8;
    case 15:
    case 18:
        return 16;
    case 16:
    case 308:
        return pointer_size;
    default:
        return 0;
    }
}

} // namespace etl::format
